/**
 * An exchange whose engine, journal and projections run in this process: the parts that
 * `openExchange` started, behind the `Exchange` interface. Invariant: it holds no state of its own.
 */
import { type Command, type Engine, stateHash } from '../engine/index.ts';
import type { CatalogHost } from './catalog/index.ts';
import type { AppliedState, Exchange } from './exchange.ts';
import { type DataFolder, masterSecret, secretText } from './folder/index.ts';
import type { OrderIdIndexOptions } from './journal/index.ts';
import type { Projector } from './projection/index.ts';
import type { Reader, ReadHost } from './reads/index.ts';
import type { Sequencer } from './sequencer.ts';
import type {
  Applied,
  AuditReport,
  BalanceView,
  Recovered,
  SnapshotMade,
  StoreHealth,
  ThreadHealth,
} from './shared/index.ts';
import { STORE_BOUNDS } from './shared/index.ts';
import type { Follower } from './snapshots/index.ts';

export interface LocalExchangeParts {
  readonly streamId: string;
  readonly folder: DataFolder;
  readonly engine: Engine;
  readonly now: () => number;
  readonly recovered: Recovered;
  readonly sequencer: Sequencer;
  readonly projector: Projector;
  readonly follower: Follower;
  readonly reader: ReadHost;
  readonly catalog: CatalogHost;
  readonly analytics: ReadHost;
  /** Closes all parts. */
  readonly close: () => Promise<void>;
}

export class LocalExchange implements Exchange {
  readonly #parts: LocalExchangeParts;

  constructor(parts: LocalExchangeParts) {
    this.#parts = parts;
  }

  submit(command: Command, evidence?: unknown): Promise<Applied> {
    return this.#parts.sequencer.submit(command, evidence);
  }

  read<Result>(view: (state: AppliedState, nowMs: number) => Result): Promise<Result> {
    const { sequencer, engine, now } = this.#parts;
    return sequencer.read(() => view(engine, now()));
  }

  balance(account: string, tokenId: string): Promise<BalanceView> {
    return this.read((state) => balanceView(state, account, tokenId));
  }

  get state(): AppliedState {
    return this.#parts.engine;
  }

  get appliedSeq(): number {
    return this.#parts.sequencer.appliedSeq;
  }

  get appliedMs(): number {
    return this.#parts.sequencer.appliedMs;
  }

  get durableSeq(): number {
    return this.#parts.sequencer.durableSeq;
  }

  get projectedSeq(): number {
    return this.#parts.projector.projectedSeq;
  }

  get followedSeq(): number | undefined {
    const { follower } = this.#parts;
    return follower.isStarted ? follower.followedSeq : undefined;
  }

  get streamId(): string {
    return this.#parts.streamId;
  }

  get reader(): Reader {
    return this.#parts.reader.reader;
  }

  get catalog(): CatalogHost {
    return this.#parts.catalog;
  }

  get analytics(): ReadHost {
    return this.#parts.analytics;
  }

  get recovered(): Recovered {
    return this.#parts.recovered;
  }

  get lastSnapshot(): SnapshotMade | undefined {
    return this.#parts.follower.lastSnapshot;
  }

  health(): StoreHealth {
    const { sequencer, projector, reader, catalog, follower, analytics } = this.#parts;
    const threads: ThreadHealth[] = [
      { name: 'journal', isUp: !sequencer.hasFailed },
      { name: 'projector', isUp: projector.isUp },
      { name: 'reader', isUp: reader.isUp },
      { name: 'catalog', isUp: catalog.isWriterUp },
      { name: 'catalog_reader', isUp: catalog.areReadersUp },
    ];
    // These two start when they are first needed: until then they are not down.
    if (follower.isStarted) threads.push({ name: 'follower', isUp: follower.isUp });
    if (analytics.isStarted) threads.push({ name: 'analytics', isUp: analytics.isUp });
    return {
      isAccepting: sequencer.isOpen,
      waitingCount: sequencer.waitingCount,
      waitingLimit: STORE_BOUNDS.waitingCommands,
      threads,
    };
  }

  masterSecret(): Buffer {
    const { folder, engine } = this.#parts;
    return masterSecret(folder, hasAny(engine.state().apiKeys));
  }

  secretFile(name: string, make: () => string): string {
    return secretText(this.#parts.folder, name, make);
  }

  orderIdIndexOptions(): OrderIdIndexOptions {
    return { path: this.#parts.folder.journal };
  }

  audit(): Promise<AuditReport> {
    return this.#parts.follower.audit();
  }

  stateHash(): string {
    return stateHash(this.#parts.engine.state());
  }

  close(): Promise<void> {
    return this.#parts.close();
  }
}

export function balanceView(
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
