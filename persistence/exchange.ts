/**
 * An open exchange as the rest of the program sees it, and the events it reports. Invariant: an
 * answer shows only what is durable, unless its description says otherwise. `localExchange` is the
 * implementation that runs engine and journal in this process.
 */

import type { AppliedQuestion, ExchangeCatalog } from '../catalog/index.ts';
import type { Command, Engine, KeyLookup } from '../engine/index.ts';
import type { ClusterNode, NodeState } from './cluster.ts';
import type { MoneyKeyRef } from './journal/index.ts';
import type { ExchangeAnalytics } from './reads/analytics/index.ts';
import type { ExchangeExplorer } from './reads/explorer/index.ts';
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
} from './shared/index.ts';
import type { SnapshotFile } from './snapshots/index.ts';

export type ExchangeEvent =
  /** The sandbox moved the folder's clock before this start: once, before any other event of it. */
  | { readonly kind: 'clock_moved'; readonly offsetMs: number }
  /** The state after the journal's last command, before any `durable`; not of an empty journal. */
  | { readonly kind: 'restored'; readonly state: RestoredState }
  /**
   * A batch of commands became durable. All that this start adds come in order of seq, each batch
   * after its commit and before its submits resolve.
   */
  | { readonly kind: 'durable'; readonly commands: readonly DurableCommand[] }
  /**
   * A batch is complete and goes to the journal. `state` is the one after it, until the listener
   * returns. Show nothing of it before the `durable` event of the same batch.
   */
  | {
      readonly kind: 'sealed';
      readonly commands: readonly DurableCommand[];
      readonly state: SealedState;
    }
  /**
   * A commit failed, the journal's thread died or an invariant broke. Reported once. Requests that
   * are not answered yet never will be, and the process must end.
   */
  | { readonly kind: 'failed'; readonly error: Error }
  /**
   * A thread other than the journal's is down. Requests that need it are refused until it has
   * restarted by itself; a damaged projection is rebuilt only at the next start.
   */
  | { readonly kind: 'thread_down'; readonly name: string; readonly error: Error }
  /** Ended markets could not be written into the catalog. The write is retried. */
  | { readonly kind: 'catalog_behind'; readonly error: unknown }
  /** In a cluster: a write to the catalog that was made at another node was applied here. */
  | { readonly kind: 'content_applied'; readonly applied: AppliedQuestion }
  /** The catalog's file was lost, and a new one is made, because the options ask for that. */
  | { readonly kind: 'catalog_replaced'; readonly path: string }
  /** Other users could read a secret's file, which had this mode; now they can't. */
  | { readonly kind: 'secret_tightened'; readonly path: string; readonly mode: number }
  /**
   * This node of a cluster has another state, which `Exchange.cluster` shows too. `leading`: it has
   * applied all entries before its own, and takes commands. `deposed`: the process must end.
   */
  | { readonly kind: 'node_state'; readonly state: NodeState; readonly epoch: number }
  /** A node of a cluster can't reach another one, or refused it; it tries again. */
  | { readonly kind: 'cluster_trouble'; readonly error: Error }
  /** An audit, or the follower's replay, found a fault. */
  | { readonly kind: 'audit_fault'; readonly report: AuditReport }
  | { readonly kind: 'snapshot_made'; readonly snapshot: SnapshotMade }
  /** In a cluster: this core has a snapshot that a standby made. */
  | {
      readonly kind: 'snapshot_taken';
      readonly seq: number;
      readonly bytes: number;
      readonly from: string;
    }
  /** A snapshot could not be made, or taken. Nothing is lost, and it is tried again. */
  | { readonly kind: 'snapshot_failed'; readonly error: Error }
  /** The start skipped a snapshot that it can't use; `error` says what to do. */
  | { readonly kind: 'snapshot_unusable'; readonly path: string; readonly error: Error };

/** What streams read of the state after a batch. */
export type SealedState = Pick<Engine, 'changedBalances' | 'copyOwner' | 'ownerSteps'>;

/** A read-only view of the engine's state, including changes that are not durable yet. */
export type AppliedState = Pick<
  Engine,
  | 'armedSwitches'
  | 'balance'
  | 'copyOwner'
  | 'delayedOrders'
  | 'forgottenSeq'
  | 'isMidBatch'
  | 'knowsMoneyKey'
  | 'owner'
  | 'ownerSteps'
  | 'previewOrder'
  | 'summary'
  | 'totals'
>;

export interface DiskUse {
  readonly freeBytes: number;
  /** By the name of the database. */
  readonly databases: Readonly<Record<'journal' | 'analytics' | 'catalog', number>>;
}

export interface Exchange {
  /**
   * Applies a command at once and answers when all that the answer shows is durable. `evidence` is
   * journaled with the command: anything that JSON can hold. Calls made in one synchronous run are
   * sequenced one after the other. Rejects with StoreError `stopping` or `overloaded`.
   */
  submit(command: Command, evidence?: unknown): Promise<Applied>;
  /**
   * Remembers how far the sandbox moves the clock from the wall clock, also for the next start, and
   * resolves when that is durable. Call it directly before the clock moves, in one synchronous run
   * with the first command of the new time, which becomes durable after it. Throws as `submit`
   * rejects; the clock must not move then.
   */
  keepClockOffset(offsetMs: number): Promise<void>;
  /**
   * Calls `view` at once, with the exchange's time, and answers with its result when everything
   * that it shows is durable. Rejects as `submit`.
   */
  read<Result>(view: (state: AppliedState, nowMs: number) => Result): Promise<Result>;
  /**
   * Looks an idempotency key up that the engine may have forgotten. Submit the command with the
   * answer; if it is refused as `money_key_unchecked`, look the key up again. Rejects with
   * StoreError `reader_unavailable` or `overloaded`.
   */
  lookUpKey(key: MoneyKeyRef): Promise<KeyLookup>;
  /** `read` of one balance. */
  balance(account: string, tokenId: string): Promise<BalanceView>;
  /** The state at `appliedSeq`. Show nothing of it to a client before that seq is durable. */
  readonly state: AppliedState;
  /** The last change that was applied. */
  readonly appliedSeq: number;
  /** The time of the last command; 0 before the first. It never decreases. */
  readonly appliedMs: number;
  /** The last change that is on the disk. */
  readonly durableSeq: number;
  /** The last change that reads show. */
  readonly projectedSeq: number;
  /**
   * A UUID: seqs of two streams can't be compared. In a cluster it is that of the log, the same at
   * all nodes; alone, it is new at each start.
   */
  readonly streamId: string;
  /** undefined if the exchange runs in this process alone. */
  readonly cluster?: ClusterNode;
  readonly reader: Reader;
  readonly catalog: ExchangeCatalog;
  readonly analytics: ExchangeAnalytics;
  /** What the journal has of anything, for everyone who may see it. */
  readonly explorer: ExchangeExplorer;
  /** How the start recovered. */
  readonly recovered: Recovered;
  health(): StoreHealth;
  /** 32 random bytes that stay with the data folder. */
  masterSecret(): Buffer;
  /**
   * The text of a file that only this user may read. The first call creates it with the result of
   * `make`. Throws StoreError `secret_malformed` if it is shorter than 16 characters.
   */
  secretFile(name: string, make: () => string): string;
  /** For `openOrderIdIndex`, also in another thread. */
  readonly journalPath: string;
  /**
   * Checks all sums and invariants of the state in the thread that replays the journal, so that no
   * command waits for it. The report covers all commands applied before the call, when they are
   * durable. Soon after a start it waits until that thread has caught up. Rejects with StoreError
   * `reader_unavailable` or `overloaded`.
   */
  audit(): Promise<AuditReport>;
  /** The snapshots on the disk, the newest first; none where `makeSnapshot` is refused. */
  snapshots(): readonly SnapshotFile[];
  /**
   * Makes a snapshot of all commands applied before the call, in the thread that replays the
   * journal, and returns it, or the one that shows them already. Rejects with StoreError
   * `reader_unavailable`, or SavedStateRefusal `nothing_kept` or `snapshot_failed`.
   */
  makeSnapshot(): Promise<SnapshotFile>;
  /** The bytes of the databases, each with its write-ahead log, and what is free on their disk. */
  disk(): DiskUse;
  /** SHA-256 of the whole state as applied, in hex. */
  stateHash(): string;
  /**
   * Finishes the accepted commands, ends the threads and unlocks the folder. If a part fails to
   * close, the others are still closed before it throws; no acknowledged command is lost.
   */
  close(): Promise<void>;
}
