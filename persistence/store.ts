/**
 * What every open exchange consists of, whichever source its commands have: the engine, recovered
 * from the newest snapshot and the journal, and the threads that follow the journal. Invariants:
 * each part is closed after all that use it, even if opening fails half-way; the source can be
 * swapped while all other parts stay as they are.
 */
import { strict as assert } from 'node:assert';
import { randomInt, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { CatalogFeed, CatalogHost } from '../catalog/index.ts';
import { Engine, type SnapshotLoader } from '../engine/index.ts';
import type { Exchange, ExchangeEvent } from './exchange.ts';
import type { DataFolder } from './folder/index.ts';
import type { JournalStart, JournalThreadData } from './journal/index.ts';
import { JournalReader } from './journal/index.ts';
import { type LeanReads, leanReads } from './lean-reads.ts';
import { isLean, localExchange, type ProjectedReads } from './local-exchange.ts';
import { NodeContent, type StoreNode } from './node-content.ts';
import { NodeSnapshots } from './node-snapshots.ts';
import type { FolderlessOptions } from './options.ts';
import { Projector } from './projection/index.ts';
import { ReadHost } from './reads/index.ts';
import { recover } from './recovery/index.ts';
import type {
  CommandSource,
  DisposableStack,
  DurableCommand,
  Recovered,
  RestoredState,
} from './shared/index.ts';
import {
  allDone,
  ContinuedFacts,
  restoredState,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
  toError,
} from './shared/index.ts';
import type { SnapshotMakerOptions, SnapshotPace } from './snapshots/index.ts';
import { Follower, type Restored, restoreNewest } from './snapshots/index.ts';

/** Where commands come from, and the engine that they change. */
export interface RecoveredEngine {
  readonly engine: Engine;
  readonly recovered: Recovered;
}

/** Runs the steps of a start in order, and keeps what later steps need from earlier ones. */
export class Store {
  /** See `Exchange.streamId`. In a cluster it is the id of the log, which is known later. */
  streamId: string = randomUUID();
  /** undefined outside of a cluster. */
  readonly content: NodeContent | undefined;
  readonly #options: FolderlessOptions;
  readonly #onEvent: (event: ExchangeEvent) => void;
  readonly #closers: DisposableStack;
  readonly #folder: DataFolder;
  readonly #feed: CatalogFeed;
  #source: CommandSource | undefined;
  /** Started while the engine is recovered; undefined for a core or a standby. */
  #reads: ProjectedReads | undefined;
  /** undefined until it is started. */
  #catalog: CatalogHost | undefined;
  #follower: Follower | undefined;
  /** Set at a core or a standby, if it makes snapshots. */
  #nodeSnapshots: NodeSnapshots | undefined;
  #failure: Error | undefined;

  constructor(folder: DataFolder, options: FolderlessOptions, closers: DisposableStack) {
    const { onEvent } = options;
    this.#options = options;
    this.#onEvent = onEvent;
    this.#closers = closers;
    this.#folder = folder;
    const { cluster } = options;
    this.content =
      cluster &&
      new NodeContent({
        mayBegin: cluster.role === 'core',
        catalogPath: folder.catalog,
        journalPath: folder.journal,
        onEvent,
        fail: (error) => this.fail(error),
      });
    this.#feed = new CatalogFeed({
      onFailure: (error) => onEvent({ kind: 'catalog_behind', error }),
    });
  }

  /** The data of the thread that writes the journal. The caller starts it, and first of all. */
  get journalData(): JournalThreadData {
    const { funding, journalDelayMs = 0, journalFault } = this.#options;
    const isOfNode = this.#options.cluster !== undefined;
    const { journal: path, durableMark: markPath, temporary } = this.#folder;
    const fault = journalFault && { fault: journalFault };
    const terms = { funding, isOfNode };
    return { path, markPath, ...terms, temporary, delayMs: journalDelayMs, ...fault };
  }

  /** Whether it is a node of a cluster. */
  get #isNode(): boolean {
    return this.#options.cluster !== undefined;
  }

  /** The present source of commands. */
  get source(): CommandSource {
    assert(this.#source !== undefined, 'a store has a source before it is used');
    return this.#source;
  }

  /** From now on, commands come from another source, at the same seq. */
  set source(source: CommandSource) {
    this.#source = source;
  }

  /** Recovers the engine. Meanwhile the threads of reads and of the catalog start. */
  async recover({ clockOffsetMs, lastSeq }: JournalStart): Promise<RecoveredEngine> {
    this.#reportMovedClock(clockOffsetMs);
    // A replica copies the catalog of its core.
    const isReplica = this.content !== undefined && this.#options.cluster?.role !== 'core';
    if (lastSeq > 0 && !isReplica) this.#checkCatalog();
    const [, recovered] = await allDone([
      this.#isLean ? undefined : this.#startReads(lastSeq),
      this.#recover(lastSeq),
      // The catalog of a node needs a source of commands.
      this.content === undefined ? this.#startCatalog() : undefined,
    ]);
    if (this.#failure !== undefined) throw this.#failure;
    return recovered;
  }

  /** Starts all parts that need a source, which must be set. */
  async open(
    { engine, recovered }: RecoveredEngine,
    keepClockOffset: Exchange['keepClockOffset'],
    node?: StoreNode,
  ): Promise<Exchange> {
    const follower = this.#makeFollower(engine, recovered.snapshotSeq);
    if (node !== undefined) this.#shareSnapshots(node, follower);
    const reads = this.#reads ?? this.#openLeanReads();
    const catalog = await this.#openCatalog(node);
    this.#closers.defer(() => this.source.drain());
    if (!isLean(reads)) reads.projector.begin();
    follower.startSoon();
    return localExchange({
      streamId: this.streamId,
      folder: this.#folder,
      engine,
      now: this.#options.now,
      recovered,
      source: () => this.source,
      follower,
      catalog,
      reads,
      node,
      keepClockOffset,
      close: () => this.#closers.dispose(),
    });
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

  async #startReads(lastSeq: number): Promise<void> {
    const projector = await this.#startProjector(lastSeq);
    const records = this.#hostReads('reader', projector);
    this.#reads = { projector, records, analytics: this.#hostReads('analytics', projector) };
    // It reads the tables that the projector made.
    await records.start();
  }

  async #startProjector(lastSeq: number): Promise<Projector> {
    const { journal, projection, snapshots, temporary } = this.#folder;
    const data = { journalPath: journal, projectionPath: projection, snapshots, temporary };
    const projector = new Projector({
      data,
      durableSeq: lastSeq,
      onDown: (error) => this.#reportDown("the projector's thread", error),
      onFatal: (error) => this.fail(error),
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
    engine.countSteps(restored?.steps);
    const facts = new ContinuedFacts(restored?.facts);
    let timeMs = restored?.head.timeMs ?? 0;
    try {
      await recover({
        journalPath: this.#folder.journal,
        engine,
        fromSeq: snapshotSeq,
        lastSeq,
        onDurable: (commands) => {
          facts.consume(commands);
          timeMs = commands.at(-1)!.timeMs;
        },
      });
    } catch (error) {
      throw restored === undefined ? error : namingSnapshot(restored.path, error);
    }
    if (lastSeq > 0) this.#reportRestored(restoredState(engine, facts, { seq: lastSeq, timeMs }));
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

  #makeFollower(engine: Engine, snapshotSeq: number): Follower {
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
      durableSeq: this.source.durableSeq,
      appliedSeq: () => this.source.appliedSeq,
      live: () => ({ seq: this.source.appliedSeq, totals: engine.totals() }),
      onFault: (report) => {
        this.#onEvent({ kind: 'audit_fault', report });
        this.#checkLive(engine);
      },
      onDown: (error) => this.#reportDown("the follower's thread", error),
      onSnapshot: (snapshot) => {
        this.#onEvent({ kind: 'snapshot_made', snapshot });
        this.#nodeSnapshots?.send(snapshot.seq);
      },
      onSnapshotFailed: (error) => this.#onEvent({ kind: 'snapshot_failed', error }),
    });
    this.#closers.defer(() => follower.stop({ snapshot: !this.source.hasFailed }));
    this.#follower = follower;
    return follower;
  }

  #shareSnapshots(node: StoreNode, follower: Follower): void {
    if (!this.#isLean || this.#snapshotMaking() === undefined) return;
    const { journal: journalPath, snapshots: folder } = this.#folder;
    const onEvent = this.#onEvent;
    const shared = new NodeSnapshots({ node, follower, folder, journalPath, onEvent });
    this.#closers.defer(() => shared.close());
    this.#nodeSnapshots = shared;
  }

  /** undefined if snapshots are off or the folder is temporary, which no later start opens. */
  #snapshotMaking(): SnapshotMakerOptions | undefined {
    const { funding, snapshotGate, snapshotPace = DEFAULT_PACE } = this.#options;
    if (snapshotPace === 'never' || this.#folder.temporary) return undefined;
    const folder = this.#folder.snapshots;
    const pace = this.#isNode ? { ...NODE_SNAPSHOTS, ...snapshotPace } : snapshotPace;
    return { folder, funding, pace, ...(snapshotGate && { gate: snapshotGate }) };
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
      this.fail(toError(error));
    }
  }

  /** A core or standby projects nothing and has no read threads. */
  get #isLean(): boolean {
    const { cluster } = this.#options;
    return cluster !== undefined && cluster.role !== 'gateway';
  }

  #openLeanReads(): LeanReads {
    const reads = leanReads(this.#folder.journal);
    this.#closers.defer(async () => reads.close());
    return reads;
  }

  /** Makes one of the two read threads. It starts at its first question or by `start`. */
  #hostReads(threadName: 'reader' | 'analytics', projector: Projector): ReadHost {
    const { projection: projectionPath, journal: journalPath, catalog: catalogPath } = this.#folder;
    const host = new ReadHost({
      data: { threadName, projectionPath, journalPath, catalogPath },
      projector,
      appliedSeq: () => this.source.appliedSeq,
      onDown: (error) => this.#reportDown(`the ${threadName} thread`, error),
    });
    this.#closers.defer(() => host.stop());
    return host;
  }

  /** Opens the catalog. The feed records the markets that ended since it was last open. */
  async #openCatalog(node: StoreNode | undefined): Promise<CatalogHost> {
    const { content } = this;
    if (node !== undefined) await content?.prepare(node);
    const catalog = this.#catalog ?? (await this.#startCatalog());
    if (catalog.isFounded) this.#feed.follow();
    else await this.#feed.open(catalog.write);
    this.#closers.defer(() => this.#feed.close());
    await content?.open(catalog, this.#feed);
    return catalog;
  }

  async #startCatalog(): Promise<CatalogHost> {
    const { content } = this;
    const catalog = new CatalogHost({
      path: this.#folder.catalog,
      onDown: (name, error) => this.#reportDown(name, error),
      ...(content && { cluster: content.catalogOptions }),
    });
    this.#closers.defer(() => catalog.stop());
    this.#catalog = catalog;
    await catalog.start();
    return catalog;
  }

  #reportRestored(state: RestoredState): void {
    this.#onEvent({ kind: 'restored', state });
    this.#feed.restore(state);
  }

  #reportDown(name: string, error: Error): void {
    this.#onEvent({ kind: 'thread_down', name, error });
  }

  reportSealed(commands: readonly DurableCommand[], engine: Engine): void {
    engine.endBatch();
    this.#onEvent({ kind: 'sealed', commands, state: engine });
  }

  /** The journal has everything up to `seq`: wakes the threads that follow it. */
  wakeFollowers(seq: number): void {
    this.#reads?.projector.advance(seq);
    this.#follower?.advance(seq);
  }

  reportDurable(commands: readonly DurableCommand[]): void {
    this.#onEvent({ kind: 'durable', commands });
    this.#feed.consume(commands);
  }

  reportFailure(error: Error): void {
    this.#onEvent({ kind: 'failed', error });
  }

  /** Ends the start, or the exchange if it is open. */
  fail(error: Error): void {
    if (this.#source === undefined) this.#failure ??= error;
    else this.#source.fail(error);
  }
}

/** The seed only spreads entries of a hash table; replay has the same result with any seed. */
function engineArguments(
  reserveOrders: number = STORE_BOUNDS.reservedOrders,
): ConstructorParameters<typeof SnapshotLoader> {
  return [{}, { reserveOrders, hashSeed: randomInt(2 ** 32) }];
}

const NODE_SNAPSHOTS = { everyCommands: STORE_BOUNDS.nodeSnapshotCommands } as const;

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
