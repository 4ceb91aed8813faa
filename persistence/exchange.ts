/**
 * An open exchange: what it is told, what it tells and what it does. Invariant: whoever asks it is
 * answered with what is durable, unless it says otherwise.
 */
import type {
  ArmedSwitch,
  Command,
  OrderPreview,
  OwnerState,
  PlaceOrder,
  Totals,
  TradingState,
  WaitingOrder,
} from '../engine/index.ts';
import type { ExchangeCatalog } from './catalog/index.ts';
import type { Funding, JournalFault, OrderIdIndexOptions } from './journal/index.ts';
import { Opening } from './opening.ts';
import type { ExchangeAnalytics } from './reads/analytics/index.ts';
import type { Reader } from './reads/index.ts';
import type {
  Applied,
  AuditReport,
  BalanceView,
  DurableCommand,
  Recovered,
  RestoredState,
  SnapshotMade,
  StoreHealth,
  StoreObserver,
} from './shared/index.ts';
import { DisposableStack } from './shared/index.ts';
import type { SnapshotPace } from './snapshots/index.ts';

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
  /** How often snapshots are made, which spare a start the journal before them. */
  readonly snapshotPace?: SnapshotPace | 'never';
  /** One is on the disk. */
  readonly onSnapshot?: (made: SnapshotMade) => void;
  /** One could not be made. Nothing is lost by that; it is tried again by itself. */
  readonly onSnapshotFailed?: (error: Error) => void;
  /** At a start: one can't be used, and the one before it is; `error` says what to do. */
  readonly onSnapshotUnusable?: (path: string, error: Error) => void;
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
  /**
   * Test seam: what becomes of each part of a snapshot, as cell 0 says (`GATE`); where the gate is
   * closed, cell 1 is set to 1 and the part waits. Shared memory.
   */
  readonly snapshotGate?: Int32Array;
}

/** What an account has of one asset at this moment; nothing for one that is not open. */
export type BalanceOf = (account: string, tokenId: string) => BalanceView;

export interface AskedBalance {
  readonly account: string;
  /** '' for cash. */
  readonly tokenId: string;
}

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
  /** Several at one moment, in the order asked for. As `balance`. */
  balances(asked: readonly AskedBalance[]): Promise<readonly BalanceView[]>;
  /**
   * What an order would come to if it were placed at this moment; nothing is placed. Answered when
   * everything that it shows is durable. Rejects as `submit`.
   */
  foresee(command: PlaceOrder): Promise<OrderPreview>;
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
  /** Of the exchange, as applied. */
  readonly tradingState: TradingState;
  /** The time of the last command, before which no other will be; 0 before any. */
  readonly appliedMs: number;
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
  /** The engine knows every order accepted after it, and `lookupAll` need not. */
  readonly forgottenSeq: number;
  /** What `openOrderIdIndex` needs; may be posted to other threads. */
  openOrderIdIndexOptions(): OrderIdIndexOptions;
  readonly catalog: ExchangeCatalog;
  readonly analytics: ExchangeAnalytics;
  /** How far the follower has replayed the journal; undefined while it was not started. */
  readonly followedSeq: number | undefined;
  /** What the start began from. */
  readonly recovered: Recovered;
  /** The last one since the start. */
  readonly lastSnapshot: SnapshotMade | undefined;
  /**
   * Adds the whole state up again and checks every invariant, by the journal's replay in a thread
   * of its own: nothing waits for it. What it answers shows all that was applied at the call, and
   * is durable. One soon after a start waits until the follower has caught up. Rejects with
   * StoreError `reader_unavailable` or `overloaded`.
   */
  audit(): Promise<AuditReport>;
  /** SHA-256 of the whole state as applied, in hex. */
  stateHash(): string;
  /**
   * Finishes what was taken, ends the threads and lets the folder go. Throws what failed meanwhile,
   * when all the rest is closed: nothing that was acknowledged is lost by it.
   */
  close(): Promise<void>;
}

/** Throws StoreError when the data folder can't be used, with a message that says what to do. */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const closers = new DisposableStack();
  try {
    return await new Opening(options, closers).open();
  } catch (error) {
    return closers.disposeAfter(error);
  }
}
