/**
 * What an exchange checks and decides at its start, and what it reports of its parts and files.
 */

import { strict as assert } from 'node:assert';
import { statSync } from 'node:fs';
import type { CatalogHost } from '../catalog/host.ts';
import type { DataFolder } from './folder/data-folder.ts';
import type { FolderlessOptions } from './options.ts';
import {
  bytesIn,
  type CommandSource,
  freeBytesAt,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
  type StoreHealth,
  type ThreadHealth,
} from './shared/index.ts';
import type { Follower } from './snapshots/follower.ts';
import type { SnapshotMakerOptions, SnapshotPace } from './snapshots/maker.ts';

const DEFAULT_PACE: SnapshotPace = { everyMs: STORE_PACE.snapshotMs };

export interface DiskUse {
  readonly freeBytes: number;
  readonly databases: Readonly<Record<'journal' | 'analytics' | 'catalog', number>>;
}

export function diskUse({ path, journal, projection, catalog }: DataFolder): DiskUse {
  const sizeOf = (database: string): number => bytesIn(database) + bytesIn(`${database}-wal`);
  const databases = {
    journal: sizeOf(journal),
    analytics: sizeOf(projection),
    catalog: sizeOf(catalog),
  };
  return { freeBytes: freeBytesAt(path), databases };
}

/** Throws StoreError `clock_moved` where there is no sandbox. */
export function reportMovedClock(options: FolderlessOptions, offsetMs: number): void {
  if (offsetMs === 0) return;
  if (options.refusesMovedClock !== true) {
    options.onEvent({ kind: 'clock_moved', offsetMs });
    return;
  }
  throw new StoreError(
    'clock_moved',
    `the clock of this data folder was moved by ${offsetMs} ms with POST /time or by a ` +
      'checkpoint, and --strict has no sandbox: start without --strict, or use another --data ' +
      'folder',
  );
}

/** The catalog's file is made before the first command is journaled. */
export function checkCatalog(folder: DataFolder, options: FolderlessOptions): void {
  const { catalog: path } = folder;
  const isLost = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (!isLost) return;
  if (options.replacesLostCatalog === true) {
    options.onEvent({ kind: 'catalog_replaced', path });
    return;
  }
  throw new StoreError(
    'catalog_missing',
    `${path} is missing or empty, but the folder has a journal: the catalog was lost, with the ` +
      'titles of its markets, comments and profiles. Put the file back, from a backup if need ' +
      'be; or start once with --replace-lost-catalog, which makes a new catalog with a ' +
      'placeholder for each market. Markets and money are in the journal',
  );
}

/** undefined if snapshots are off or the folder is temporary, which no later start opens. */
export function snapshotMaking(
  { snapshots: folder, temporary }: DataFolder,
  { funding, snapshotGate, snapshotPace = DEFAULT_PACE, node }: FolderlessOptions,
): SnapshotMakerOptions | undefined {
  if (snapshotPace === 'never' || temporary) return undefined;
  const everyCommands = STORE_BOUNDS.nodeSnapshotCommands;
  const pace = node === undefined ? snapshotPace : { everyCommands, ...snapshotPace };
  return { folder, funding, pace, ...(snapshotGate && { gate: snapshotGate }) };
}

interface HealthParts {
  readonly source: CommandSource;
  readonly catalog: CatalogHost;
  readonly follower: Follower;
  readonly readThreads: readonly ThreadHealth[];
}

export function healthOf({ source, catalog, follower, readThreads }: HealthParts): StoreHealth {
  const threads: ThreadHealth[] = [
    { name: 'journal', isUp: !source.hasFailed },
    ...readThreads,
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

/** What the start has set. */
export function started<Value>(value: Value | undefined): Value {
  assert(value !== undefined, 'an exchange is used after its start');
  return value;
}
