/**
 * Implements `Exchange` in this process: passes each call to one of the parts that `openExchange`
 * started. Invariant: it holds no state of its own.
 */

import type { CatalogHost } from '../catalog/index.ts';
import { type Engine, stateHash } from '../engine/index.ts';
import type { ClusterNode } from './cluster.ts';
import type { DiskUse, Exchange } from './exchange.ts';
import { type DataFolder, masterSecret, secretText } from './folder/index.ts';
import type { LeanReads } from './lean-reads.ts';
import type { Projector } from './projection/index.ts';
import type { ReadHost } from './reads/index.ts';
import {
  type BalanceView,
  bytesIn,
  type CommandSource,
  freeBytesAt,
  SavedStateRefusal,
  STORE_BOUNDS,
  type StoreHealth,
  type ThreadHealth,
} from './shared/index.ts';
import { type Follower, type SnapshotFile, snapshotFiles } from './snapshots/index.ts';

/** Those who read what the projector writes. */
export interface ProjectedReads {
  readonly projector: Projector;
  readonly records: ReadHost;
  readonly analytics: ReadHost;
}

type ExchangeReads = ProjectedReads | LeanReads;

export interface ExchangeParts
  extends Pick<Exchange, 'streamId' | 'recovered' | 'keepClockOffset'> {
  readonly folder: DataFolder;
  readonly engine: Engine;
  readonly now: () => number;
  /** The present source of commands: a node that takes over swaps it. */
  readonly source: () => CommandSource;
  readonly follower: Follower;
  readonly catalog: CatalogHost;
  readonly reads: ExchangeReads;
  /** The node of a cluster that the exchange is; absent for an exchange of one process. */
  readonly node?: ClusterNode | undefined;
  /** Closes all parts. */
  readonly close: () => Promise<void>;
}

export function isLean(reads: ExchangeReads): reads is LeanReads {
  return 'asked' in reads;
}

export function localExchange(parts: ExchangeParts): Exchange {
  const { streamId, folder, engine, now, recovered, source, follower, reads, node } = parts;
  const { reader } = isLean(reads) ? reads : reads.records;
  const analytics = isLean(reads) ? reads.asked : reads.analytics;
  const read: Exchange['read'] = (view) => source().read(() => view(engine, now()));
  return {
    submit: (command, evidence) => source().submit(command, evidence),
    keepClockOffset: (offsetMs) => parts.keepClockOffset(offsetMs),
    read,
    lookUpKey: async (key) => (engine.forgottenKeySeq === 0 ? {} : reader.moneyKey(key)),
    balance: (account, tokenId) => read((state) => balanceView(state, account, tokenId)),
    state: engine,
    get appliedSeq() {
      return source().appliedSeq;
    },
    get appliedMs() {
      return source().appliedMs;
    },
    get durableSeq() {
      return source().durableSeq;
    },
    get projectedSeq() {
      return isLean(reads) ? source().durableSeq : reads.projector.projectedSeq;
    },
    streamId,
    ...(node && { cluster: node }),
    reader,
    catalog: parts.catalog,
    analytics,
    explorer: analytics,
    recovered,
    health: () => healthOf(parts),
    masterSecret: () => masterSecret(folder, hasAny(engine.state().apiKeys)),
    secretFile: (name, make) => secretText(folder, name, make),
    journalPath: folder.journal,
    audit: () => follower.audit(),
    snapshots: () => snapshotFiles(folder.snapshots),
    makeSnapshot: () => makeSnapshot(parts),
    disk: () => diskUse(folder),
    stateHash: () => stateHash(engine.state()),
    close: () => parts.close(),
  };
}

function healthOf(parts: ExchangeParts): StoreHealth {
  const { reads, catalog, follower } = parts;
  const source = parts.source();
  const threads: ThreadHealth[] = [
    { name: 'journal', isUp: !source.hasFailed },
    ...(isLean(reads) ? [] : projectedThreads(reads)),
    { name: 'catalog', isUp: catalog.isWriterUp },
    { name: 'catalog_reader', isUp: catalog.areReadersUp },
  ];
  // It starts later than the exchange. Before that it does not count as down.
  if (follower.isStarted) threads.push({ name: 'follower', isUp: follower.isUp });
  return {
    isAccepting: source.isOpen,
    waitingCount: source.waitingCount,
    waitingLimit: STORE_BOUNDS.waitingCommands,
    threads,
    followedSeq: follower.isStarted ? follower.followedSeq : undefined,
    lastSnapshot: follower.lastSnapshot,
  };
}

function projectedThreads({ projector, records, analytics }: ProjectedReads): ThreadHealth[] {
  const threads: ThreadHealth[] = [
    { name: 'projector', isUp: projector.isUp },
    { name: 'reader', isUp: records.isUp },
  ];
  // It starts at its first question.
  if (analytics.isStarted) threads.push({ name: 'analytics', isUp: analytics.isUp });
  return threads;
}

async function makeSnapshot({ follower, folder }: ExchangeParts): Promise<SnapshotFile> {
  await follower.makeSnapshot();
  const [newest] = snapshotFiles(folder.snapshots);
  if (newest !== undefined) return newest;
  throw new SavedStateRefusal('snapshot_failed', { reason: 'its file was removed' });
}

function diskUse({ path, journal, projection, catalog }: DataFolder): DiskUse {
  const sizeOf = (database: string): number => bytesIn(database) + bytesIn(`${database}-wal`);
  const databases = {
    journal: sizeOf(journal),
    analytics: sizeOf(projection),
    catalog: sizeOf(catalog),
  };
  return { freeBytes: freeBytesAt(path), databases };
}

function balanceView(
  state: Pick<Engine, 'balance'>,
  account: string,
  tokenId: string,
): BalanceView {
  const balance = state.balance(account, tokenId);
  return { isOpen: balance !== undefined, ...(balance ?? { available: 0, held: 0 }) };
}

function hasAny(values: Iterable<unknown>): boolean {
  return values[Symbol.iterator]().next().done !== true;
}
