/**
 * Puts the store together and takes it apart: data folder, journal's thread, projector, recovery,
 * sequencer, follower, reader, catalog. Invariant: each part is closed after all that use it, also
 * when opening fails half-way; nothing is taken before everything recovered.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { Engine, type ImageLoader, stateHash } from '../engine/index.ts';
import { CatalogFeed, CatalogHost } from './catalog/index.ts';
import type { Exchange, ExchangeOptions } from './exchange.ts';
import { DataFolder, masterSecret, secretText } from './folder/index.ts';
import type {
  JournalBatch,
  JournalEnd,
  JournalMessage,
  JournalThreadData,
} from './journal/index.ts';
import { JournalReader, recover } from './journal/index.ts';
import { Projector } from './projection/index.ts';
import { AnalyticsHost } from './reads/analytics/index.ts';
import { ThreadReader } from './reads/index.ts';
import { Sequencer } from './sequencer.ts';
import type {
  BalanceView,
  DisposableStack,
  DurableCommand,
  Recovered,
  StoreHealth,
  ThreadHealth,
} from './shared/index.ts';
import { restoredState, STORE_BOUNDS, STORE_PACE, StoreError } from './shared/index.ts';
import type { SnapshotMakerOptions, SnapshotPace } from './snapshots/index.ts';
import { Follower, type Restored, restoreNewest } from './snapshots/index.ts';
import { startWorker } from './threads/index.ts';

/** What an open exchange is made of. */
interface Parts {
  readonly engine: Engine;
  readonly recovered: Recovered;
  readonly sequencer: Sequencer;
  readonly projector: Projector;
  readonly follower: Follower;
  readonly reader: ThreadReader;
  readonly catalog: CatalogHost;
  readonly analytics: AnalyticsHost;
}

/** The steps of a start, in order; what later steps need of earlier ones. */
export class Opening {
  readonly #options: ExchangeOptions;
  readonly #closers: DisposableStack;
  readonly #folder: DataFolder;
  readonly #streamId = randomUUID();
  readonly #feed = new CatalogFeed({
    onFailure: (error) => this.#options.onCatalogBehind?.(error),
  });
  #sequencer: Sequencer | undefined;
  #follower: Follower | undefined;
  #failure: Error | undefined;

  constructor(options: ExchangeOptions, closers: DisposableStack) {
    this.#options = options;
    this.#closers = closers;
    this.#folder = new DataFolder(options);
    closers.defer(() => this.#folder.release());
  }

  async open(): Promise<Exchange> {
    const { worker: journal, opened } = await this.#startJournal();
    const projector = await this.#startProjector(opened.lastSeq);
    const { engine, recovered } = await this.#recover(opened.lastSeq);
    if (this.#failure !== undefined) throw this.#failure;
    const sequencer = new Sequencer({
      ...opened,
      engine,
      now: this.#options.now,
      write: (batch) => journal.post(batch),
      onSealed: (commands) => this.#tellSealed(commands, engine),
      onDurable: (commands) => this.#deliver(commands, projector),
      onFatal: this.#options.onFatal,
      ...observing(this.#options),
    });
    this.#sequencer = sequencer;
    const follower = this.#makeFollower(sequencer, engine, recovered.snapshotSeq);
    const reader = await this.#startReader(projector, sequencer);
    const catalog = await this.#openCatalog();
    const analytics = this.#hostAnalytics(projector, sequencer);
    this.#closers.defer(() => sequencer.drain());
    projector.begin();
    follower.startSoon();
    const reading = { projector, follower, reader, catalog, analytics };
    return this.#exchange({ engine, recovered, sequencer, ...reading });
  }

  async #startJournal() {
    const folder = this.#folder;
    const data: JournalThreadData = {
      path: folder.journal,
      markPath: folder.durableMark,
      funding: this.#options.funding,
      streamId: this.#streamId,
      temporary: folder.temporary,
      delayMs: this.#options.journalDelayMs ?? 0,
      ...(this.#options.journalFault && { fault: this.#options.journalFault }),
    };
    const journal = await startWorker<JournalBatch, JournalEnd, JournalMessage>({
      entry: new URL('./journal/thread.ts', import.meta.url),
      name: "the journal's thread",
      data,
      onMessage: (message) => this.#heard(message),
      onDeath: (error) => this.#fail(new Error(`the journal's thread died: ${error.message}`)),
    });
    this.#closers.defer(() => journal.worker.stop());
    return journal;
  }

  async #startProjector(lastSeq: number): Promise<Projector> {
    const { journal, projection, snapshots, temporary } = this.#folder;
    const data = { journalPath: journal, projectionPath: projection, snapshots, temporary };
    const projector = new Projector({
      data,
      durableSeq: lastSeq,
      onDown: (error) => this.#options.onThreadDown?.("the projector's thread", error),
      onFatal: (error) => this.#fail(error),
    });
    this.#closers.defer(() => projector.stop());
    await projector.start();
    return projector;
  }

  /** From the newest snapshot that can be used, or from nothing. */
  async #recover(lastSeq: number) {
    const startedMs = performance.now();
    const restored = await this.#restore(lastSeq);
    const snapshotSeq = restored?.head.seq ?? 0;
    const engine = restored?.engine ?? new Engine(...engineArguments());
    if (restored !== undefined) this.#tellRestored(restored);
    try {
      await recover({
        journalPath: this.#folder.journal,
        engine,
        fromSeq: snapshotSeq,
        lastSeq,
        onDurable: (commands) => this.#tell(commands),
      });
    } catch (error) {
      throw restored === undefined ? error : beganFrom(restored.path, error);
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
        engineArguments: engineArguments(),
        onUnusable: (path, error) => this.#options.onSnapshotUnusable?.(path, error),
      });
    } finally {
      journal.close();
    }
  }

  #makeFollower(sequencer: Sequencer, engine: Engine, snapshotSeq: number): Follower {
    const { auditGate, onThreadDown, onSnapshot, onSnapshotFailed } = this.#options;
    const { journal, snapshots } = this.#folder;
    const making = this.#making();
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
        this.#options.onAuditFault?.(report);
        this.#checkLive(engine);
      },
      onDown: (error) => onThreadDown?.("the follower's thread", error),
      onSnapshot: (made) => onSnapshot?.(made),
      onSnapshotFailed: (error) => onSnapshotFailed?.(error),
    });
    this.#closers.defer(() => follower.stop({ snapshot: !sequencer.hasFailed }));
    this.#follower = follower;
    return follower;
  }

  /** Of a folder that is removed at the end there is nothing to begin from, unless a test asks. */
  #making(): SnapshotMakerOptions | undefined {
    const { funding, temporary, snapshotGate, snapshotPace = DEFAULT_PACE } = this.#options;
    if (snapshotPace === 'never' || temporary) return undefined;
    const folder = this.#folder.snapshots;
    return { folder, funding, pace: snapshotPace, ...(snapshotGate && { gate: snapshotGate }) };
  }

  #tellRestored({ engine, facts, head }: Restored): void {
    const state = restoredState(engine, facts, head);
    this.#options.onRestored?.(state);
    this.#feed.restore(state);
  }

  /**
   * A broken invariant stops the process (design 5); but what an audit found may be of the
   * follower's state alone, or of the journal's file, and restarting would mend neither. So only
   * now this engine is validated too, though everything waits for that: if it is broken, it never
   * trades on. If not, trading goes on and the operator is told.
   */
  #checkLive(engine: Engine): void {
    try {
      engine.validate();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #startReader(projector: Projector, sequencer: Sequencer): Promise<ThreadReader> {
    const { projection: projectionPath, journal: journalPath } = this.#folder;
    const data = { projectionPath, journalPath };
    const reader = new ThreadReader({
      data,
      projector,
      appliedSeq: () => sequencer.appliedSeq,
      onDown: (error) => this.#options.onThreadDown?.("the reader's thread", error),
    });
    this.#closers.defer(() => reader.stop());
    await reader.start();
    return reader;
  }

  #hostAnalytics(projector: Projector, sequencer: Sequencer): AnalyticsHost {
    const { projection: projectionPath, catalog: catalogPath } = this.#folder;
    const analytics = new AnalyticsHost({
      data: { projectionPath, catalogPath },
      projector,
      appliedSeq: () => sequencer.appliedSeq,
      onDown: (error) => this.#options.onThreadDown?.('the thread of analytics', error),
    });
    this.#closers.defer(() => analytics.stop());
    return analytics;
  }

  /** It is brought to what the engine knows, for the engine's markets outlive it. */
  async #openCatalog(): Promise<CatalogHost> {
    const catalog = new CatalogHost({
      path: this.#folder.catalog,
      onDown: (name, error) => this.#options.onThreadDown?.(name, error),
    });
    this.#closers.defer(() => catalog.stop());
    await catalog.start();
    await this.#feed.open(catalog.write);
    this.#closers.defer(() => this.#feed.close());
    return catalog;
  }

  #tellSealed(commands: readonly DurableCommand[], engine: Engine): void {
    const { onSealed } = this.#options;
    onSealed?.(commands, (account, tokenId) => balanceOf(engine, account, tokenId));
  }

  /** The other threads first: they work while this one tells everyone else. */
  #deliver(commands: readonly DurableCommand[], projector: Projector): void {
    const last = commands.at(-1);
    if (last !== undefined) {
      projector.advance(last.seq);
      this.#follower?.advance(last.seq);
    }
    this.#tell(commands);
  }

  /** The same at recovery and live. */
  #tell(commands: readonly DurableCommand[]): void {
    this.#options.onDurable(commands);
    this.#feed.consume(commands);
  }

  #heard(message: JournalMessage): void {
    if (message.kind === 'committed') this.#sequencer?.committed(message.seq);
    else this.#fail(new Error(`the journal could not be written: ${message.message}`));
  }

  /** Ends the start, or when that is over, the exchange. */
  #fail(error: Error): void {
    if (this.#sequencer === undefined) this.#failure ??= error;
    else this.#sequencer.fail(error);
  }

  #exchange(parts: Parts): Exchange {
    const { engine, recovered, sequencer, projector, follower, reader, catalog } = parts;
    const { analytics } = parts;
    const folder = this.#folder;
    return {
      submit: (command, evidence) => sequencer.submit(command, evidence),
      balance: (account, tokenId) => sequencer.look(() => balanceOf(engine, account, tokenId)),
      balances: (asked) =>
        sequencer.look(() =>
          asked.map(({ account, tokenId }) => balanceOf(engine, account, tokenId)),
        ),
      foresee: (command) => sequencer.look(() => engine.foresee(this.#options.now(), command)),
      ownerState: (owner) => engine.owner(owner),
      delayedOrders: (owner) => sequencer.look(() => engine.delayedOrders(owner)),
      armedSwitches: () => [...engine.armedSwitches()],
      get tradingState() {
        return engine.outline().tradingState;
      },
      get appliedMs() {
        return sequencer.appliedMs;
      },
      get appliedSeq() {
        return sequencer.appliedSeq;
      },
      get durableSeq() {
        return sequencer.durableSeq;
      },
      get projectedSeq() {
        return projector.projectedSeq;
      },
      streamId: this.#streamId,
      health: () => healthOf(parts),
      totals: () => engine.totals(),
      reader,
      masterSecret: () => masterSecret(folder, hasAny(engine.state().apiKeys)),
      secretFile: (name, make) => secretText(folder, name, make),
      get forgottenSeq() {
        return engine.forgottenSeq;
      },
      openOrderIdIndexOptions: () => ({ path: folder.journal }),
      catalog,
      analytics,
      get followedSeq() {
        return follower.isStarted ? follower.followedSeq : undefined;
      },
      recovered,
      get lastSnapshot() {
        return follower.lastSnapshot;
      },
      audit: () => follower.audit(),
      stateHash: () => stateHash(engine.state()),
      close: () => this.#closers.dispose(),
    };
  }
}

/** The seed only spreads entries of a table; replay comes out the same with any. */
function engineArguments(): ConstructorParameters<typeof ImageLoader> {
  return [{}, { reserveOrders: STORE_BOUNDS.reservedOrders, idSeed: randomInt(2 ** 32) }];
}

const DEFAULT_PACE: SnapshotPace = { everyMs: STORE_PACE.snapshotMs };

/** A whole snapshot may still be of a state that went wrong: the journal has the last word. */
function beganFrom(path: string, error: unknown): unknown {
  if (!(error instanceof StoreError && error.code === 'replay_differs')) return error;
  return new StoreError(
    error.code,
    `${error.message}. The replay began from the snapshot ${path}: move the snapshots away to ` +
      'replay the whole journal instead',
  );
}

function observing({ observer }: ExchangeOptions) {
  return observer === undefined ? {} : { observer };
}

function balanceOf(engine: Engine, account: string, tokenId: string): BalanceView {
  const balance = engine.balance(account, tokenId);
  return { isOpen: balance !== undefined, ...(balance ?? { available: 0, held: 0 }) };
}

function healthOf({ sequencer, projector, reader, catalog, ...lazy }: Parts): StoreHealth {
  return {
    isAccepting: sequencer.isOpen,
    waitingCount: sequencer.waitingCount,
    waitingLimit: STORE_BOUNDS.waitingCommands,
    threads: [
      { name: 'journal', isUp: !sequencer.hasFailed },
      { name: 'projector', isUp: projector.isUp },
      { name: 'reader', isUp: reader.isUp },
      { name: 'catalog', isUp: catalog.isWriterUp },
      { name: 'catalog_reader', isUp: catalog.areReadersUp },
      // One that nobody has asked for is not down.
      ...startedOf('follower', lazy.follower),
      ...startedOf('analytics', lazy.analytics),
    ],
  };
}

interface LazyThread {
  readonly isStarted: boolean;
  readonly isUp: boolean;
}

function startedOf(name: ThreadHealth['name'], { isStarted, isUp }: LazyThread): ThreadHealth[] {
  return isStarted ? [{ name, isUp }] : [];
}

function hasAny(values: Iterable<unknown>): boolean {
  return values[Symbol.iterator]().next().done !== true;
}
