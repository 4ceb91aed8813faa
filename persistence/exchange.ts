/**
 * An open exchange, as the rest of the program sees it: the engine, what makes its commands
 * durable, and the threads that follow the journal.
 *
 * The path of a command: `submit` gives it to the source, which in a process of its own is the
 * `Sequencer`. That applies it at once and adds it to a batch. `sealed`: the batch is complete, and
 * listeners read the state after it. `append`: it goes to the journal's thread. `committed`: it is
 * on the disk. `durable`: the projection, the views and the streams get it, and then the sequencer
 * answers its commands. A node of a cluster has another source and another log, and the same path.
 *
 * Invariants: an answer shows only what is durable, unless its description says otherwise; no
 * command is accepted before everything has recovered; each part is closed after all that use it,
 * also if the start fails half-way.
 */
import { randomUUID } from 'node:crypto';
import { EngineMarkets } from '../catalog/engine-markets.ts';
import { CatalogHost, type ExchangeCatalog } from '../catalog/host.ts';
import { type Command, type Engine, type KeyLookup, stateHash } from '../engine/index.ts';
import {
  checkCatalog,
  type DiskUse,
  diskUse,
  healthOf,
  reportMovedClock,
  snapshotMaking,
  started,
} from './exchange-parts.ts';
import { DataFolder } from './folder/data-folder.ts';
import { masterSecret, secretText } from './folder/secrets.ts';
import { type Journal, type JournalEvents, startJournal } from './journal/host.ts';
import type { MoneyKeyRef } from './journal/money-keys.ts';
import type { JournalStart } from './journal/schema.ts';
import type { AppliedState, ExchangeOptions, FolderlessOptions, NodeHost } from './options.ts';
import type { ExchangeAnalytics } from './reads/analytics/index.ts';
import type { ExchangeExplorer } from './reads/explorer/explorer-reads.ts';
import type { Reader } from './reads/questions.ts';
import { recoverEngine } from './recover-engine.ts';
import { Sequencer } from './sequencer.ts';
import {
  type Applied,
  type AuditReport,
  allDone,
  type BalanceView,
  type CommandSource,
  checksumsReady,
  DisposableStack,
  type DurableCommand,
  type Recovered,
  SavedStateRefusal,
  type StoreHealth,
  toError,
} from './shared/index.ts';
import { type SnapshotFile, snapshotFiles } from './snapshots/folder.ts';
import { Follower } from './snapshots/follower.ts';
import { type ExchangeReads, openTableReads } from './table-reads.ts';

/** An exchange without the methods that only its source of commands calls. */
export type Exchange = Omit<OpenExchange, keyof NodeHost | 'start'>;

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
    const exchange = new OpenExchange(folder, options, closers);
    await exchange.start();
    return exchange;
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

class OpenExchange implements NodeHost {
  readonly folder: DataFolder;
  readonly options: FolderlessOptions;
  readonly #closers: DisposableStack;
  readonly #markets: EngineMarkets;
  #streamId: string = randomUUID();
  /** undefined at a node of a cluster, whose node has the journal. */
  #journal: Journal | undefined;
  // Set by the start, in this order:
  #reads: ExchangeReads | undefined;
  #catalog: CatalogHost | undefined;
  #engine: Engine | undefined;
  #recovered: Recovered | undefined;
  #source: CommandSource | undefined;
  #follower: Follower | undefined;
  #failure: Error | undefined; // what ends the start

  constructor(folder: DataFolder, options: FolderlessOptions, closers: DisposableStack) {
    this.folder = folder;
    this.options = options;
    this.#closers = closers;
    this.#markets = new EngineMarkets({
      onFailure: (error) => options.onEvent({ kind: 'catalog_behind', error }),
    });
  }

  /**
   * Applies a command at once and answers when all that the answer shows is durable. `evidence` is
   * journaled with the command: anything that JSON can hold. Calls made in one synchronous run are
   * sequenced one after the other. Rejects with StoreError `stopping` or `overloaded`.
   */
  submit(command: Command, evidence?: unknown): Promise<Applied> {
    return this.#present.submit(command, evidence);
  }

  /** A batch is complete: the engine's state is the one after it. */
  sealed(commands: readonly DurableCommand[]): void {
    const engine = started(this.#engine);
    engine.endBatch();
    this.options.onEvent({ kind: 'sealed', commands, state: engine });
  }

  /** The journal has everything up to `seq`: the threads that follow it go on. */
  journaled(seq: number): void {
    this.#reads?.advance(seq);
    this.#follower?.advance(seq);
  }

  /** A batch is durable: whatever shows it gets it here, before its commands are answered. */
  durable(commands: readonly DurableCommand[]): void {
    this.options.onEvent({ kind: 'durable', commands });
    this.#markets.consume(commands);
  }

  /** The source has failed: nothing is answered any more. */
  failed(error: Error): void {
    this.options.onEvent({ kind: 'failed', error });
  }

  /** Ends the start, or the exchange if it is open. */
  fail(error: Error): void {
    if (this.#source === undefined) this.#failure ??= error;
    else this.#source.fail(error);
  }

  /** From now on, commands come from this source, at the same seq as before. */
  useSource(source: CommandSource): void {
    this.#source = source;
  }

  /**
   * Remembers how far the sandbox moves the clock from the wall clock, also for the next start, and
   * resolves when that is durable. Call it directly before the clock moves, in one synchronous run
   * with the first command of the new time, which becomes durable after it. Throws as `submit`
   * rejects; the clock must not move then.
   */
  async keepClockOffset(offsetMs: number): Promise<void> {
    this.#present.expectMovedClock();
    await started(this.#journal).keepClockOffset(offsetMs);
  }

  /**
   * Calls `view` at once, with the exchange's time, and answers with its result when everything
   * that it shows is durable. Rejects as `submit`.
   */
  read<Result>(view: (state: AppliedState, nowMs: number) => Result): Promise<Result> {
    return this.#present.read(() => view(started(this.#engine), this.options.now()));
  }

  /**
   * Looks an idempotency key up that the engine may have forgotten. Submit the command with the
   * answer; if it is refused as `money_key_unchecked`, look the key up again. Rejects with
   * StoreError `reader_unavailable` or `overloaded`.
   */
  async lookUpKey(key: MoneyKeyRef): Promise<KeyLookup> {
    return started(this.#engine).forgottenKeySeq === 0 ? {} : this.reader.moneyKey(key);
  }

  balance(account: string, tokenId: string): Promise<BalanceView> {
    return this.read((state) => {
      const balance = state.balance(account, tokenId);
      return { isOpen: balance !== undefined, ...(balance ?? { available: 0, held: 0 }) };
    });
  }

  /** The state at `appliedSeq`. Show nothing of it to a client before that seq is durable. */
  get state(): AppliedState {
    return started(this.#engine);
  }

  /** The last change that was applied. */
  get appliedSeq(): number {
    return this.#present.appliedSeq;
  }

  /** The time of the last command; 0 before the first. It never decreases. */
  get appliedMs(): number {
    return this.#present.appliedMs;
  }

  /** The last change that is on the disk. */
  get durableSeq(): number {
    return this.#present.durableSeq;
  }

  /** The last change that reads show. */
  get projectedSeq(): number {
    return started(this.#reads).projectedSeq ?? this.durableSeq;
  }

  /**
   * A UUID: seqs of two streams can't be compared. In a cluster it is that of the log, the same at
   * all nodes; alone, it is new at each start.
   */
  get streamId(): string {
    return this.#streamId;
  }

  get reader(): Reader {
    return started(this.#reads).reader;
  }

  get analytics(): ExchangeAnalytics {
    return started(this.#reads).analytics;
  }

  /** What the journal has of anything, for everyone who may see it. */
  get explorer(): ExchangeExplorer {
    return started(this.#reads).analytics;
  }

  get catalog(): ExchangeCatalog {
    return started(this.#catalog);
  }

  get recovered(): Recovered {
    return started(this.#recovered);
  }

  /** For `openOrderIdIndex`, also in another thread. */
  get journalPath(): string {
    return this.folder.journal;
  }

  health(): StoreHealth {
    return healthOf({
      source: this.#present,
      catalog: started(this.#catalog),
      follower: started(this.#follower),
      readThreads: started(this.#reads).threads,
    });
  }

  /** 32 random bytes that stay with the data folder. */
  masterSecret(): Buffer {
    const { apiKeys } = started(this.#engine).state();
    const hasKeys = apiKeys[Symbol.iterator]().next().done !== true;
    return masterSecret(this.folder, hasKeys);
  }

  /**
   * The text of a file that only this user may read. The first call creates it with the result of
   * `make`. Throws StoreError `secret_malformed` if it is shorter than 16 characters.
   */
  secretFile(name: string, make: () => string): string {
    return secretText(this.folder, name, make);
  }

  /**
   * Checks all sums and invariants of the state in the thread that replays the journal, so that no
   * command waits for it. The report covers all commands applied before the call, when they are
   * durable. Soon after a start it waits until that thread has caught up. Rejects with StoreError
   * `reader_unavailable` or `overloaded`.
   */
  audit(): Promise<AuditReport> {
    return started(this.#follower).audit();
  }

  /** The snapshots on the disk, the newest first; none where `makeSnapshot` is refused. */
  snapshots(): readonly SnapshotFile[] {
    return snapshotFiles(this.folder.snapshots);
  }

  /**
   * Makes a snapshot of all commands applied before the call, in the thread that replays the
   * journal, and returns it, or the one that shows them already. Rejects with StoreError
   * `reader_unavailable`, or SavedStateRefusal `nothing_kept` or `snapshot_failed`.
   */
  async makeSnapshot(): Promise<SnapshotFile> {
    await started(this.#follower).makeSnapshot();
    const [newest] = this.snapshots();
    if (newest !== undefined) return newest;
    throw new SavedStateRefusal('snapshot_failed', { reason: 'its file was removed' });
  }

  /** The bytes of the databases, each with its write-ahead log, and what is free on their disk. */
  disk(): DiskUse {
    return diskUse(this.folder);
  }

  /** SHA-256 of the whole state as applied, in hex. */
  stateHash(): string {
    return stateHash(started(this.#engine).state());
  }

  /**
   * Finishes the accepted commands, ends the threads and unlocks the folder. If a part fails to
   * close, the others are still closed before it throws; no acknowledged command is lost.
   */
  close(): Promise<void> {
    return this.#closers.dispose();
  }

  /** 1. The source, which recovers the engine; 2. what follows the journal; 3. the catalog. */
  async start(): Promise<void> {
    await checksumsReady;
    const { node } = this.options;
    if (node === undefined) await this.#startSequencer();
    else this.#streamId = await node.open(this, this.#closers);
    this.#startFollower();
    this.#reads ??= node?.openReads?.(this.folder.journal, this.#closers);
    await this.#openCatalog();
    this.#closers.defer(() => this.#present.drain());
    started(this.#reads).begin();
    started(this.#follower).startSoon();
  }

  async #startSequencer(): Promise<void> {
    let sequencer: Sequencer | undefined;
    const { journal, opened } = await this.startJournal({
      committed: (seq) => {
        // The threads that follow the journal work while this thread delivers the batch.
        this.journaled(seq);
        sequencer?.committed(seq);
      },
      failed: (error) => this.fail(error),
    });
    this.#journal = journal;
    const engine = await this.recover(opened);
    const { now, observer } = this.options;
    sequencer = new Sequencer({
      ...opened,
      engine,
      now,
      append: (batch) => journal.append(batch),
      path: this,
      ...(observer && { observer }),
    });
    this.useSource(sequencer);
  }

  async startJournal(
    events: JournalEvents,
  ): Promise<{ readonly journal: Journal; readonly opened: JournalStart }> {
    const { funding, journalDisk: disk, node } = this.options;
    const { journal: path, durableMark: markPath, temporary } = this.folder;
    const terms = { funding, isOfNode: node !== undefined };
    const data = { path, markPath, ...terms, temporary, ...(disk && { disk }) };
    const started = await startJournal(data, events);
    this.#closers.defer(() => started.journal.close());
    return started;
  }

  async recover({ clockOffsetMs, lastSeq }: JournalStart): Promise<Engine> {
    const { node } = this.options;
    reportMovedClock(this.options, clockOffsetMs);
    if (lastSeq > 0 && node?.copiesCatalog !== true) checkCatalog(this.folder, this.options);
    const [, engine] = await allDone([
      node?.openReads === undefined ? this.#openTableReads(lastSeq) : undefined,
      this.#recoverEngine(lastSeq),
      // The catalog of a node needs a source of commands.
      node === undefined ? this.#startCatalog() : undefined,
    ]);
    if (this.#failure !== undefined) throw this.#failure;
    return engine;
  }

  async #openTableReads(lastSeq: number): Promise<void> {
    this.#reads = await openTableReads({
      folder: this.folder,
      lastSeq,
      appliedSeq: () => this.appliedSeq,
      onDown: (name, error) => this.#reportDown(name, error),
      onFatal: (error) => this.fail(error),
      closers: this.#closers,
    });
  }

  async #recoverEngine(lastSeq: number): Promise<Engine> {
    const { onEvent, reservedOrders } = this.options;
    const { engine, recovered, state } = await recoverEngine({
      folder: this.folder,
      lastSeq,
      reservedOrders,
      onUnusable: (path, error) => onEvent({ kind: 'snapshot_unusable', path, error }),
    });
    this.#engine = engine;
    this.#recovered = recovered;
    if (state !== undefined) {
      onEvent({ kind: 'restored', state });
      this.#markets.restore(state);
    }
    return engine;
  }

  #startFollower(): void {
    const { auditGate, onEvent, node } = this.options;
    const { journal, snapshots } = this.folder;
    const making = snapshotMaking(this.folder, this.options);
    const follower = new Follower({
      data: {
        journalPath: journal,
        snapshots,
        ...(making && { making }),
        ...(auditGate && { auditGate }),
      },
      snapshotSeq: this.recovered.snapshotSeq,
      durableSeq: this.durableSeq,
      appliedSeq: () => this.appliedSeq,
      live: () => ({ seq: this.appliedSeq, totals: this.state.totals() }),
      onFault: (report) => {
        onEvent({ kind: 'audit_fault', report });
        this.#checkEngine();
      },
      onDown: (error) => this.#reportDown("the follower's thread", error),
      onSnapshot: (snapshot) => {
        onEvent({ kind: 'snapshot_made', snapshot });
        node?.snapshotMade(snapshot.seq);
      },
      onSnapshotFailed: (error) => onEvent({ kind: 'snapshot_failed', error }),
    });
    this.#closers.defer(() => follower.stop({ snapshot: !this.#present.hasFailed }));
    this.#follower = follower;
    if (making !== undefined) node?.useFollower(follower, this.#closers);
  }

  /**
   * A broken invariant stops the process. But the fault that an audit found may be in the
   * follower's state alone, or in the journal's file, where a restart would not help. So the live
   * engine is validated too, although every command waits for that: if it is broken, the exchange
   * stops. If not, trading continues and the operator is notified.
   */
  #checkEngine(): void {
    try {
      started(this.#engine).validate();
    } catch (error) {
      this.fail(toError(error));
    }
  }

  async #openCatalog(): Promise<void> {
    const { node } = this.options;
    await node?.catalog.prepare();
    const catalog = this.#catalog ?? (await this.#startCatalog());
    if (catalog.isFounded) this.#markets.follow();
    else await this.#markets.open(catalog.write);
    this.#closers.defer(() => this.#markets.close());
    await node?.catalog.open(catalog, this.#markets);
  }

  async #startCatalog(): Promise<CatalogHost> {
    const { node } = this.options;
    const catalog = new CatalogHost({
      path: this.folder.catalog,
      onDown: (name, error) => this.#reportDown(name, error),
      ...(node && { writeLog: node.catalog.writeLog }),
    });
    this.#closers.defer(() => catalog.stop());
    this.#catalog = catalog;
    await catalog.start();
    return catalog;
  }

  #reportDown(name: string, error: Error): void {
    this.options.onEvent({ kind: 'thread_down', name, error });
  }

  get #present(): CommandSource {
    return started(this.#source);
  }
}
