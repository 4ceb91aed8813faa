/**
 * Puts the store together and takes it apart: data folder, journal's thread, projector, recovery,
 * sequencer, follower, reader, catalog. Invariant: each part is closed after all that use it, also
 * when opening fails half-way; nothing is taken before everything recovered.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import {
  type ArmedSwitch,
  type Command,
  Engine,
  type OwnerState,
  type PlaceOrder,
  type Prospect,
  stateHash,
  type Totals,
  type WaitingOrder,
} from '../engine/index.ts';
import { type Catalog, openCatalog } from './catalog.ts';
import { CatalogFeed } from './catalog-feed.ts';
import { DataFolder } from './data-folder.ts';
import { Follower } from './follower.ts';
import type { JournalBatch } from './journal-batch.ts';
import type { Funding, JournalEnd } from './journal-schema.ts';
import type { JournalFault, JournalMessage, JournalThreadData } from './journal-thread.ts';
import type { OrderIdIndexOptions } from './order-ids.ts';
import { Projector } from './projector.ts';
import { type Reader, ThreadReader } from './reader.ts';
import type { Applied, AuditReport, BalanceView, DurableCommand, StoreHealth } from './records.ts';
import { recover } from './recovery.ts';
import type { RestoredState } from './restored-state.ts';
import { Sequencer } from './sequencer.ts';
import { STORE_BOUNDS } from './store-bounds.ts';
import { StoreError } from './store-error.ts';
import type { StoreObserver } from './store-observer.ts';
import { startThread } from './thread-host.ts';

export interface ExchangeOptions {
  /** Made with mode 0700 when it is missing. */
  readonly dataDir: string;
  /**
   * For `--memory`: everything is in a private folder, in memory if the system has a place for
   * that, without syncs and removed at close; `dataDir` is not touched.
   */
  readonly temporary: boolean;
  /** The wall clock in milliseconds. */
  readonly now: () => number;
  readonly funding: Funding;
  /**
   * What a snapshot says of all commands before, when the start begins from one: at most once,
   * before the first `onDurable`.
   */
  readonly onRestored?: (state: RestoredState) => void;
  /**
   * Every durable command in order of seq: at recovery all of the journal that comes after the
   * snapshot, in batches, then each live batch after its commit and before the promises of its
   * submits resolve.
   */
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
  /**
   * Each live batch when nothing joins it any more, before its commit: the balances are those after
   * it, micros of cash (token id '') or lots. Nothing of this may be shown before `onDurable` has
   * told the same batch.
   */
  readonly onSealed?: (commands: readonly DurableCommand[], balanceOf: BalanceOf) => void;
  /**
   * A failed commit, a broken invariant, a dead journal thread: called once. Nothing that is not
   * answered yet will be, and the process must end.
   */
  readonly onFatal: (error: Error) => void;
  /**
   * A thread that only reads or audits need is down: they are refused until it is back, all else
   * goes on.
   * It is started again by itself; a damaged projection is made again at the next start.
   */
  readonly onThreadDown?: (name: string, error: Error) => void;
  /** What has ended could not be written into the catalog: it is tried again by itself. */
  readonly onCatalogBehind?: (error: unknown) => void;
  /** A secret's file that other users could read was closed to them; it had this mode. */
  readonly onTightened?: (path: string, mode: number) => void;
  /** An audit, or the replay for audits, found what must not be; audits say it too when asked. */
  readonly onAuditFault?: (report: AuditReport) => void;
  /** Told of every command and commit, for metrics. */
  readonly observer?: StoreObserver;
  /** Test seam: slows each commit down. */
  readonly journalDelayMs?: number;
  /** Test seam: what goes wrong at the journal's disk, or with its thread. */
  readonly journalFault?: JournalFault;
  /**
   * Test seam: an audit sets cell 0 to 1 and is made when the test has set it to something else and
   * notified it. Shared memory.
   */
  readonly auditGate?: Int32Array;
}

/** What an account has of one asset at this moment; nothing for one that is not open. */
export type BalanceOf = (account: string, tokenId: string) => BalanceView;

export interface Exchange {
  /**
   * Applies at once and answers when what the answer shows is durable. `evidence` is journaled
   * with the command: anything that JSON can hold. Calls made in one synchronous run are
   * sequenced one after the other. Rejects with StoreError `stopping` or `overloaded`.
   */
  submit(command: Command, evidence?: unknown): Promise<Applied>;
  /**
   * What an account has of cash (token id '') or of one outcome token, at this moment: answered
   * when everything that it shows is durable. Rejects as `submit`.
   */
  balance(account: string, tokenId: string): Promise<BalanceView>;
  /**
   * What an order would come to if it were placed at this moment; nothing is placed. Answered when
   * everything that it shows is durable. Rejects as `submit`.
   */
  foresee(command: PlaceOrder): Promise<Prospect>;
  /**
   * An owner's orders that wait for the end of their delay at this moment, in order of acceptance:
   * answered when everything that it shows is durable. Rejects as `submit`.
   */
  delayedOrders(owner: string): Promise<readonly WaitingOrder[]>;
  /**
   * What an owner has and wants as applied, at `appliedSeq`: nothing of it may be shown before that
   * is durable. It walks over all accounts.
   */
  ownerState(owner: string): OwnerState;
  /**
   * The armed dead man's switches as applied, in order of arming: what survived a restart is here
   * before the first command, and gets a fresh window.
   */
  armedSwitches(): readonly ArmedSwitch[];
  /** The last change that was applied. */
  readonly appliedSeq: number;
  /** The last change that is on the disk. */
  readonly durableSeq: number;
  /** The last change that reads show. */
  readonly projectedSeq: number;
  /** A UUID, new at each start: seqs of two streams are not to be compared. */
  readonly streamId: string;
  health(): StoreHealth;
  /** As applied: for whoever watches the exchange, not for answers to its clients. */
  totals(): Totals;
  readonly reader: Reader;
  /** 32 random bytes that stay with the data folder. */
  masterSecret(): Buffer;
  /**
   * The text of a file that only this user may read; `make` says it at the first time. Throws
   * StoreError `secret_malformed` for a file without any.
   */
  secretFile(name: string, make: () => string): string;
  /** What `openOrderIdIndex` needs; may be posted to other threads. */
  openOrderIdIndexOptions(): OrderIdIndexOptions;
  readonly catalog: Catalog;
  /** How far the follower has replayed the journal; undefined before the first audit. */
  readonly followedSeq: number | undefined;
  /**
   * Adds the whole state up again and checks every invariant, by the journal's replay in a thread
   * of its own: nothing waits for it. What it answers shows all that was applied at the call, and
   * is durable. The first one replays the whole journal. Rejects with StoreError
   * `reader_unavailable` or `overloaded`.
   */
  audit(): Promise<AuditReport>;
  /** SHA-256 of the whole state as applied, in hex. */
  stateHash(): string;
  /** Finishes what was taken, ends the threads and lets the folder go. */
  close(): Promise<void>;
}

const SECRET_BYTES = 32;

/** Throws StoreError when the data folder can't be used, with a message that says what to do. */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const closers = new Closers();
  try {
    return await new Opening(options, closers).open();
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** What an open exchange is made of. */
interface Parts {
  readonly sequencer: Sequencer;
  readonly projector: Projector;
  readonly follower: Follower;
  readonly reader: ThreadReader;
  readonly catalog: Catalog;
}

/** What has to be closed, the last opened first. */
class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];
  #closing: Promise<void> | undefined;

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** May be called again: it then waits for the same end. */
  closeAll(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      await close();
    }
  }
}

/** The steps of a start, in order; what later steps need of earlier ones. */
class Opening {
  readonly #options: ExchangeOptions;
  readonly #closers: Closers;
  readonly #folder: DataFolder;
  readonly #streamId = randomUUID();
  /** The seed only spreads entries of a table; replay comes out the same with any. */
  readonly #engine = new Engine(
    {},
    { reserveOrders: STORE_BOUNDS.reservedOrders, idSeed: randomInt(2 ** 32) },
  );
  readonly #feed = new CatalogFeed({
    onFailure: (error) => this.#options.onCatalogBehind?.(error),
  });
  #sequencer: Sequencer | undefined;
  #follower: Follower | undefined;
  #failure: Error | undefined;

  constructor(options: ExchangeOptions, closers: Closers) {
    this.#options = options;
    this.#closers = closers;
    this.#folder = new DataFolder(options);
    closers.add(() => this.#folder.release());
  }

  async open(): Promise<Exchange> {
    const { thread, opened } = await this.#startJournal();
    const projector = await this.#startProjector(opened.lastSeq);
    await this.#recover(opened.lastSeq);
    if (this.#failure !== undefined) throw this.#failure;
    const sequencer = new Sequencer({
      ...opened,
      engine: this.#engine,
      now: this.#options.now,
      write: (batch) => thread.post(batch),
      onSealed: (commands) => this.#tellSealed(commands),
      onDurable: (commands) => this.#deliver(commands, projector),
      onFatal: this.#options.onFatal,
      ...observing(this.#options),
    });
    this.#sequencer = sequencer;
    const follower = this.#makeFollower(sequencer);
    const reader = await this.#startReader(projector, sequencer);
    const catalog = this.#openCatalog();
    this.#closers.add(() => sequencer.drain());
    return this.#exchange({ sequencer, projector, follower, reader, catalog });
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
    const journal = await startThread<JournalBatch, JournalEnd, JournalMessage>({
      entry: new URL('./journal-thread.ts', import.meta.url),
      name: "the journal's thread",
      data,
      onMessage: (message) => this.#heard(message),
      onDeath: (error) => this.#fail(new Error(`the journal's thread died: ${error.message}`)),
    });
    this.#closers.add(() => journal.thread.stop());
    return journal;
  }

  async #startProjector(lastSeq: number): Promise<Projector> {
    const { journal, projection, temporary } = this.#folder;
    const data = { journalPath: journal, projectionPath: projection, temporary };
    const projector = new Projector({
      data,
      durableSeq: lastSeq,
      onDown: (error) => this.#options.onThreadDown?.("the projector's thread", error),
      onFatal: (error) => this.#fail(error),
    });
    this.#closers.add(() => projector.stop());
    await projector.start();
    return projector;
  }

  #recover(lastSeq: number): Promise<void> {
    return recover({
      journalPath: this.#folder.journal,
      engine: this.#engine,
      lastSeq,
      onDurable: (commands) => this.#tell(commands),
    });
  }

  /** Started by the first audit. */
  #makeFollower(sequencer: Sequencer): Follower {
    const { auditGate, onThreadDown } = this.#options;
    const follower = new Follower({
      data: { journalPath: this.#folder.journal, ...(auditGate && { auditGate }) },
      durableSeq: sequencer.durableSeq,
      appliedSeq: () => sequencer.appliedSeq,
      live: () => ({ seq: sequencer.appliedSeq, totals: this.#engine.totals() }),
      onFault: (report) => {
        this.#options.onAuditFault?.(report);
        this.#checkLive();
      },
      onDown: (error) => onThreadDown?.("the follower's thread", error),
    });
    this.#closers.add(() => follower.stop());
    this.#follower = follower;
    return follower;
  }

  /**
   * A broken invariant stops the process (design 5); but what an audit found may be of the
   * follower's state alone, or of the journal's file, and restarting would mend neither. So only
   * now this engine is validated too, though everything waits for that: if it is broken, it never
   * trades on. If not, trading goes on and the operator is told.
   */
  #checkLive(): void {
    try {
      this.#engine.validate();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #startReader(projector: Projector, sequencer: Sequencer): Promise<ThreadReader> {
    const data = { projectionPath: this.#folder.projection };
    const reader = new ThreadReader({
      data,
      projector,
      appliedSeq: () => sequencer.appliedSeq,
      onDown: (error) => this.#options.onThreadDown?.("the reader's thread", error),
    });
    this.#closers.add(() => reader.stop());
    await reader.start();
    return reader;
  }

  /** It is brought to what the engine knows, for the engine's markets outlive it. */
  #openCatalog(): Catalog {
    const catalog = openCatalog(this.#folder.catalog);
    this.#closers.add(() => catalog.close());
    this.#feed.open(catalog);
    this.#closers.add(() => this.#feed.close());
    return catalog;
  }

  #tellSealed(commands: readonly DurableCommand[]): void {
    const { onSealed } = this.#options;
    onSealed?.(commands, (account, tokenId) => balanceOf(this.#engine, account, tokenId));
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
    const { sequencer, projector, follower, reader, catalog } = parts;
    const folder = this.#folder;
    const engine = this.#engine;
    return {
      submit: (command, evidence) => sequencer.submit(command, evidence),
      balance: (account, tokenId) => sequencer.look(() => balanceOf(engine, account, tokenId)),
      foresee: (command) => sequencer.look(() => engine.foresee(this.#options.now(), command)),
      ownerState: (owner) => engine.owner(owner),
      delayedOrders: (owner) => sequencer.look(() => engine.delayedOrders(owner)),
      armedSwitches: () => [...engine.armedSwitches()],
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
      openOrderIdIndexOptions: () => ({ path: folder.journal }),
      catalog,
      get followedSeq() {
        return follower.isStarted ? follower.followedSeq : undefined;
      },
      audit: () => follower.audit(),
      stateHash: () => stateHash(engine.state()),
      close: () => this.#closers.closeAll(),
    };
  }
}

const observing = ({ observer }: ExchangeOptions) => (observer === undefined ? {} : { observer });

function balanceOf(engine: Engine, account: string, tokenId: string): BalanceView {
  const balance = engine.balance(account, tokenId);
  return { isOpen: balance !== undefined, ...(balance ?? { available: 0, held: 0 }) };
}

const healthOf = ({ sequencer, projector, follower, reader }: Parts): StoreHealth => ({
  isAccepting: sequencer.isOpen,
  waitingCount: sequencer.waitingCount,
  waitingLimit: STORE_BOUNDS.waitingCommands,
  threads: [
    { name: 'journal', isUp: !sequencer.hasFailed },
    { name: 'projector', isUp: projector.isUp },
    { name: 'reader', isUp: reader.isUp },
    // One that nobody has asked for is not down.
    ...(follower.isStarted ? [{ name: 'follower' as const, isUp: follower.isUp }] : []),
  ],
});

const hasAny = (values: Iterable<unknown>): boolean =>
  values[Symbol.iterator]().next().done !== true;

/** Made at the first start; refused when keys that were derived from another one are out there. */
function masterSecret(folder: DataFolder, keysExist: boolean): Buffer {
  const secret = folder.secret('master.secret', () => {
    if (keysExist) throw secretLost(folder.path);
    return randomBytes(SECRET_BYTES);
  });
  if (secret.length === SECRET_BYTES) return secret;
  throw new StoreError(
    'secret_malformed',
    `${folder.path}/master.secret has ${secret.length} bytes instead of ${SECRET_BYTES}: put it ` +
      'back from a backup; without it, every API key has to be made anew',
  );
}

/** Nothing at all is not a secret: whoever sends nothing would know it. */
function secretText(folder: DataFolder, name: string, make: () => string): string {
  const text = folder
    .secret(name, () => Buffer.from(`${make()}\n`))
    .toString()
    .trimEnd();
  if (text !== '') return text;
  throw new StoreError(
    'secret_malformed',
    `${folder.path}/${name} is empty: put it back from a backup, or remove it to have it made anew`,
  );
}

function secretLost(path: string): StoreError {
  return new StoreError(
    'secret_malformed',
    `${path}/master.secret is missing, and API keys that were derived from it have been issued: ` +
      'put it back from a backup. A new one would refuse every one of those keys',
  );
}
