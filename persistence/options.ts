/** How an exchange is opened, what it reports, and what a node of a cluster adds to it. */

import type { EngineMarkets } from '../catalog/engine-markets.ts';
import type { CatalogHost, WriteLog } from '../catalog/host.ts';
import type { Engine } from '../engine/index.ts';
import type { DataFolder } from './folder/data-folder.ts';
import type { Journal, JournalEvents } from './journal/host.ts';
import type { Funding, JournalStart } from './journal/schema.ts';
import type { DiskModule } from './journal/writer.ts';
import type { CommitPath } from './sequencer.ts';
import type {
  AuditReport,
  CommandSource,
  DisposableStack,
  DurableCommand,
  RestoredState,
  SnapshotMade,
  StoreObserver,
} from './shared/index.ts';
import type { Follower } from './snapshots/follower.ts';
import type { SnapshotPace } from './snapshots/maker.ts';
import type { ExchangeReads } from './table-reads.ts';

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
  /** The catalog's file was lost, and a new one is made, because the options ask for that. */
  | { readonly kind: 'catalog_replaced'; readonly path: string }
  /** Other users could read a secret's file, which had this mode; now they can't. */
  | { readonly kind: 'secret_tightened'; readonly path: string; readonly mode: number }
  /** An audit, or the follower's replay, found a fault. */
  | { readonly kind: 'audit_fault'; readonly report: AuditReport }
  | { readonly kind: 'snapshot_made'; readonly snapshot: SnapshotMade }
  /** A snapshot could not be made. Nothing is lost, and it is tried again. */
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
  | 'isLive'
  | 'isMidBatch'
  | 'knowsMoneyKey'
  | 'owner'
  | 'ownerSteps'
  | 'previewOrder'
  | 'summary'
  | 'totals'
>;

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
  /** Makes the exchange a node of a cluster; by default everything runs in this process. */
  readonly node?: NodePart;
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
  /** What the journal is written with; by default SQLite on the disk of the folder. */
  readonly journalDisk?: DiskModule;
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

/**
 * What makes an exchange one of several nodes that share a log of commands (`cluster/`). Without
 * it, the exchange gives commands their order itself and its own journal makes them durable.
 */
export interface NodePart {
  /** What answers reads, if this node keeps no tables of orders, trades and positions. */
  readonly openReads:
    | ((journalPath: string, closers: DisposableStack) => ExchangeReads)
    | undefined;
  /** Whether the node copies a catalog that its folder lacks. */
  readonly copiesCatalog: boolean;
  readonly catalog: NodeCatalog;
  /**
   * Starts the journal, recovers the engine, and joins the log. Resolves with the id of the log
   * when `exchange` has a source of commands.
   */
  open(exchange: NodeHost, closers: DisposableStack): Promise<string>;
  /** This follower makes the snapshots of the folder. */
  useFollower(follower: Follower, closers: DisposableStack): void;
  /** The follower has made a snapshot of the state after `seq`. */
  snapshotMade(seq: number): void;
}

/** The catalog of a node, whose writes go through the log. */
export interface NodeCatalog {
  /** Used from `prepare` on. */
  readonly writeLog: WriteLog;
  /** Call it before the file is opened. */
  prepare(): Promise<void>;
  /** The file is open. Resolves when it has all content of the log. */
  open(catalog: CatalogHost, markets: EngineMarkets): Promise<void>;
}

/** The exchange that a node is the source of, as the node sees it. */
export interface NodeHost extends CommitPath {
  readonly folder: DataFolder;
  readonly options: Pick<FolderlessOptions, 'funding' | 'now' | 'observer'>;
  startJournal(events: JournalEvents): Promise<{ journal: Journal; opened: JournalStart }>;
  /** Recovers the engine, which may be used from then on. */
  recover(opened: JournalStart): Promise<Engine>;
  journaled(seq: number): void;
  /** From now on, commands come from this source, at the same seq as before. */
  useSource(source: CommandSource): void;
  /** Ends the start, or the exchange if it is open. */
  fail(error: Error): void;
}
