/**
 * Opens an exchange in this process: starts its parts, one after the other, and recovers the engine
 * from the newest snapshot and the journal. Invariant: each part is closed after all that use it,
 * even if opening fails half-way; no command is accepted before everything has recovered.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { Engine, type SnapshotLoader } from '../engine/index.ts';
import { CatalogFeed, CatalogHost } from './catalog/index.ts';
import type { Exchange, ExchangeEvent } from './exchange.ts';
import { DataFolder } from './folder/index.ts';
import type { Funding, JournalFault, JournalThreadData } from './journal/index.ts';
import { JournalReader } from './journal/index.ts';
import { balanceView, localExchange } from './local-exchange.ts';
import { startSqliteLog } from './log/index.ts';
import { Projector } from './projection/index.ts';
import { ReadHost } from './reads/index.ts';
import { recover } from './recovery/index.ts';
import { Sequencer } from './sequencer.ts';
import type { DurableCommand, StoreObserver } from './shared/index.ts';
import {
  DisposableStack,
  restoredState,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
  toError,
} from './shared/index.ts';
import type { SnapshotMakerOptions, SnapshotPace } from './snapshots/index.ts';
import { Follower, type Restored, restoreNewest } from './snapshots/index.ts';

export interface ExchangeOptions {
  /** Created with mode 0700 when it is missing. */
  readonly dataDir: string;
  /**
   * For `--memory`: all files are in a private folder, in memory if the system has a place for
   * that, without syncs and removed at close; `dataDir` is not touched.
   */
  readonly temporary: boolean;
  /** The wall clock in milliseconds. */
  readonly now: () => number;
  readonly funding: Funding;
  /** Refuses a folder whose clock the sandbox moved. */
  readonly refusesMovedClock?: boolean;
  /** Starts with a new catalog if the folder's own is lost; by default such a start is refused. */
  readonly replacesLostCatalog?: boolean;
  /** Called on the matching thread: it must be quick, and an error that it throws is fatal. */
  readonly onEvent: (event: ExchangeEvent) => void;
  /** Orders that the engine reserves room for, by default STORE_BOUNDS.reservedOrders. */
  readonly reservedOrders?: number;
  /** How often snapshots are made. A start replays only the journal after the newest one. */
  readonly snapshotPace?: SnapshotPace | 'never';
  /** Counts and times commands and commits. */
  readonly observer?: StoreObserver;
  /** Test seam: slows each commit down. */
  readonly journalDelayMs?: number;
  /** Test seam: a failure of the journal's disk or of its thread. */
  readonly journalFault?: JournalFault;
  /**
   * Test seam, in shared memory: an audit sets cell 0 to 1 and waits until the test sets another
   * value and notifies it.
   */
  readonly auditGate?: Int32Array;
  /**
   * Test seam, in shared memory: cell 0 says what happens to each part of a snapshot (`GATE`). At a
   * closed gate, cell 1 is set to 1 and the part waits.
   */
  readonly snapshotGate?: Int32Array;
}

export type FolderlessOptions = Omit<ExchangeOptions, 'dataDir' | 'temporary'>;

/** Throws StoreError when the data folder can't be used, with a message that says what to do. */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const { dataDir, temporary, onEvent } = options;
  const closers = new DisposableStack();
  const folder = new DataFolder({
    dataDir,
    temporary,
    onTightened: (path, mode) => onEvent({ kind: 'secret_tightened', path, mode }),
  });
  closers.defer(() => folder.release());
  return open(folder, options, closers);
}

/** The same in a folder that is open, and stays so when the exchange closes. */
export function openExchangeIn(folder: DataFolder, options: FolderlessOptions): Promise<Exchange> {
  return open(folder, options, new DisposableStack());
}

async function open(
  folder: DataFolder,
  options: FolderlessOptions,
  closers: DisposableStack,
): Promise<Exchange> {
  try {
    return await new Opening(folder, options, closers).open();
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

/** Runs the steps of a start in order, and keeps what later steps need from earlier ones. */
class Opening {
  readonly #options: FolderlessOptions;
  readonly #onEvent: (event: ExchangeEvent) => void;
  readonly #closers: DisposableStack;
  readonly #folder: DataFolder;
  readonly #streamId = randomUUID();
  readonly #feed: CatalogFeed;
  #sequencer: Sequencer | undefined;
  #follower: Follower | undefined;
  #failure: Error | undefined;

  constructor(folder: DataFolder, options: FolderlessOptions, closers: DisposableStack) {
    const { onEvent } = options;
    this.#options = options;
    this.#onEvent = onEvent;
    this.#closers = closers;
    this.#folder = folder;
    this.#feed = new CatalogFeed({
      onFailure: (error) => onEvent({ kind: 'catalog_behind', error }),
    });
  }

  async open(): Promise<Exchange> {
    const { log, opened } = await this.#startLog();
    this.#reportMovedClock(opened.clockOffsetMs);
    if (opened.lastSeq > 0) this.#checkCatalog();
    const projector = await this.#startProjector(opened.lastSeq);
    const { engine, recovered } = await this.#recover(opened.lastSeq);
    if (this.#failure !== undefined) throw this.#failure;
    const { now, observer } = this.#options;
    const sequencer = new Sequencer({
      ...opened,
      engine,
      now,
      write: (batch) => log.append(batch, []),
      onSealed: (commands) => this.#reportSealed(commands, engine),
      onDurable: (commands) => this.#deliver(commands, projector),
      onFatal: (error) => this.#onEvent({ kind: 'failed', error }),
      ...(observer && { observer }),
    });
    this.#sequencer = sequencer;
    const follower = this.#makeFollower(sequencer, engine, recovered.snapshotSeq);
    const reader = this.#hostReads('reader', projector, sequencer);
    await reader.start();
    const catalog = await this.#openCatalog();
    const analytics = this.#hostReads('analytics', projector, sequencer);
    this.#closers.defer(() => sequencer.drain());
    projector.begin();
    follower.startSoon();
    return localExchange({
      streamId: this.#streamId,
      folder: this.#folder,
      engine,
      now,
      recovered,
      sequencer,
      projector,
      follower,
      reader,
      catalog,
      analytics,
      keepClockOffset: (clockOffsetMs) => {
        sequencer.expectMovedClock();
        return log.keepClockOffset(clockOffsetMs);
      },
      close: () => this.#closers.dispose(),
    });
  }

  async #startLog() {
    const { funding, journalDelayMs = 0, journalFault } = this.#options;
    const folder = this.#folder;
    const data: JournalThreadData = {
      path: folder.journal,
      markPath: folder.durableMark,
      funding,
      streamId: this.#streamId,
      temporary: folder.temporary,
      delayMs: journalDelayMs,
      ...(journalFault && { fault: journalFault }),
    };
    const started = await startSqliteLog({
      data,
      onEvent: (event) => {
        if (event.kind === 'committed') this.#sequencer?.committed(event.seq);
        else this.#fail(event.error);
      },
    });
    this.#closers.defer(() => started.log.close());
    return started;
  }

  #reportMovedClock(offsetMs: number): void {
    if (offsetMs === 0) return;
    if (this.#options.refusesMovedClock !== true) {
      this.#onEvent({ kind: 'clock_moved', offsetMs });
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
  #checkCatalog(): void {
    const { catalog: path } = this.#folder;
    const isLost = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (!isLost) return;
    if (this.#options.replacesLostCatalog === true) {
      this.#onEvent({ kind: 'catalog_replaced', path });
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

  async #startProjector(lastSeq: number): Promise<Projector> {
    const { journal, projection, snapshots, temporary } = this.#folder;
    const data = { journalPath: journal, projectionPath: projection, snapshots, temporary };
    const projector = new Projector({
      data,
      durableSeq: lastSeq,
      onDown: (error) => this.#reportDown("the projector's thread", error),
      onFatal: (error) => this.#fail(error),
    });
    this.#closers.defer(() => projector.stop());
    await projector.start();
    return projector;
  }

  /** Recovers the engine from the newest usable snapshot, or from the start of the journal. */
  async #recover(lastSeq: number) {
    const startedMs = performance.now();
    const restored = await this.#restore(lastSeq);
    const snapshotSeq = restored?.head.seq ?? 0;
    const engine = restored?.engine ?? new Engine(...engineArguments(this.#options.reservedOrders));
    if (restored !== undefined) this.#reportRestored(restored);
    try {
      await recover({
        journalPath: this.#folder.journal,
        engine,
        fromSeq: snapshotSeq,
        lastSeq,
        onDurable: (commands) => this.#reportDurable(commands),
      });
    } catch (error) {
      throw restored === undefined ? error : namingSnapshot(restored.path, error);
    }
    const tookMs = Math.round(performance.now() - startedMs);
    return { engine, recovered: { snapshotSeq, replayed: lastSeq - snapshotSeq, tookMs } };
  }

  async #restore(lastSeq: number): Promise<Restored | undefined> {
    const journal = new JournalReader(this.#folder.journal);
    try {
      return await restoreNewest({
        folder: this.#folder.snapshots,
        journal,
        lastSeq,
        engineArguments: engineArguments(this.#options.reservedOrders),
        onUnusable: (path, error) => this.#onEvent({ kind: 'snapshot_unusable', path, error }),
      });
    } finally {
      journal.close();
    }
  }

  #makeFollower(sequencer: Sequencer, engine: Engine, snapshotSeq: number): Follower {
    const { auditGate } = this.#options;
    const { journal, snapshots } = this.#folder;
    const making = this.#snapshotMaking();
    const follower = new Follower({
      data: {
        journalPath: journal,
        snapshots,
        ...(making && { making }),
        ...(auditGate && { auditGate }),
      },
      snapshotSeq,
      durableSeq: sequencer.durableSeq,
      appliedSeq: () => sequencer.appliedSeq,
      live: () => ({ seq: sequencer.appliedSeq, totals: engine.totals() }),
      onFault: (report) => {
        this.#onEvent({ kind: 'audit_fault', report });
        this.#checkLive(engine);
      },
      onDown: (error) => this.#reportDown("the follower's thread", error),
      onSnapshot: (snapshot) => this.#onEvent({ kind: 'snapshot_made', snapshot }),
      onSnapshotFailed: (error) => this.#onEvent({ kind: 'snapshot_failed', error }),
    });
    this.#closers.defer(() => follower.stop({ snapshot: !sequencer.hasFailed }));
    this.#follower = follower;
    return follower;
  }

  /** undefined if snapshots are off or the folder is temporary, which no later start opens. */
  #snapshotMaking(): SnapshotMakerOptions | undefined {
    const { funding, snapshotGate, snapshotPace = DEFAULT_PACE } = this.#options;
    if (snapshotPace === 'never' || this.#folder.temporary) return undefined;
    const folder = this.#folder.snapshots;
    return { folder, funding, pace: snapshotPace, ...(snapshotGate && { gate: snapshotGate }) };
  }

  /**
   * A broken invariant stops the process. But the fault that an audit found may be in the
   * follower's state alone, or in the journal's file, where a restart would not help. So the live
   * engine is validated too, although every command waits for that: if it is broken, the exchange
   * stops. If not, trading continues and the operator is notified.
   */
  #checkLive(engine: Engine): void {
    try {
      engine.validate();
    } catch (error) {
      this.#fail(toError(error));
    }
  }

  /** Makes one of the two read threads. It starts at its first question or by `start`. */
  #hostReads(threadName: 'reader' | 'analytics', projector: Projector, sequencer: Sequencer) {
    const { projection: projectionPath, journal: journalPath, catalog: catalogPath } = this.#folder;
    const host = new ReadHost({
      data: { threadName, projectionPath, journalPath, catalogPath },
      projector,
      appliedSeq: () => sequencer.appliedSeq,
      onDown: (error) => this.#reportDown(`the ${threadName} thread`, error),
    });
    this.#closers.defer(() => host.stop());
    return host;
  }

  /** Opens the catalog. The feed records the markets that ended since it was last open. */
  async #openCatalog(): Promise<CatalogHost> {
    const catalog = new CatalogHost({
      path: this.#folder.catalog,
      onDown: (name, error) => this.#reportDown(name, error),
    });
    this.#closers.defer(() => catalog.stop());
    await catalog.start();
    await this.#feed.open(catalog.write);
    this.#closers.defer(() => this.#feed.close());
    return catalog;
  }

  #reportRestored({ engine, facts, head }: Restored): void {
    const state = restoredState(engine, facts, head);
    this.#onEvent({ kind: 'restored', state });
    this.#feed.restore(state);
  }

  #reportDown(name: string, error: Error): void {
    this.#onEvent({ kind: 'thread_down', name, error });
  }

  #reportSealed(commands: readonly DurableCommand[], engine: Engine): void {
    this.#onEvent({
      kind: 'sealed',
      commands,
      balanceOf: (account, tokenId) => balanceView(engine, account, tokenId),
    });
  }

  /** Wakes the other threads first: they work while this one runs the event's listeners. */
  #deliver(commands: readonly DurableCommand[], projector: Projector): void {
    const last = commands.at(-1);
    if (last !== undefined) {
      projector.advance(last.seq);
      this.#follower?.advance(last.seq);
    }
    this.#reportDurable(commands);
  }

  #reportDurable(commands: readonly DurableCommand[]): void {
    this.#onEvent({ kind: 'durable', commands });
    this.#feed.consume(commands);
  }

  /** Ends the start, or the exchange if it is open. */
  #fail(error: Error): void {
    if (this.#sequencer === undefined) this.#failure ??= error;
    else this.#sequencer.fail(error);
  }
}

/** The seed only spreads entries of a hash table; replay has the same result with any seed. */
function engineArguments(
  reserveOrders: number = STORE_BOUNDS.reservedOrders,
): ConstructorParameters<typeof SnapshotLoader> {
  return [{}, { reserveOrders, hashSeed: randomInt(2 ** 32) }];
}

const DEFAULT_PACE: SnapshotPace = { everyMs: STORE_PACE.snapshotMs };

/** Names the snapshot in the error: its state may be wrong although its file is undamaged. */
function namingSnapshot(path: string, error: unknown): unknown {
  if (!(error instanceof StoreError && error.code === 'replay_differs')) return error;
  return new StoreError(
    error.code,
    `${error.message}. The replay began from the snapshot ${path}: move the snapshots away to ` +
      'replay the whole journal instead',
  );
}
