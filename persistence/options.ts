/** How an exchange is opened. */
import type { ClusterOptions } from './cluster.ts';
import type { ExchangeEvent } from './exchange.ts';
import type { Funding, JournalFault } from './journal/index.ts';
import type { ReplicatedLog, ReplicatedLogOptions } from './log/index.ts';
import type { StoreObserver } from './shared/index.ts';
import type { SnapshotPace } from './snapshots/index.ts';

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
  readonly cluster?: ClusterOptions;
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
  /** Test seam: opens another log than the one in etcd. */
  readonly openLog?: (options: ReplicatedLogOptions) => Promise<ReplicatedLog>;
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
