/**
 * Every bound and pace of the store, in one place, with what its excess gets. The bounds of what
 * commands mean are the engine's; those of the catalog are in catalog-bounds.ts.
 */
import { strict as assert } from 'node:assert';
import { SNAPSHOT_PART_BYTES } from '../../engine/model/index.ts';

export const STORE_BOUNDS = {
  /** Commands submitted and not yet answered. Excess: `overloaded`. */
  waitingCommands: 50_000,
  /** Commands in one transaction of the journal; more wait for the next. */
  batchCommands: 4_096,
  /** Fills in one batch, and in one step of a replay, beyond which the next one begins. */
  batchFills: 50_000,
  /**
   * Order ids that wait for their index; beyond that they go into it. Twice as many, three times
   * in the first round, come between two turns of the same pages and are in `new_order_ids`
   * meanwhile, 50 bytes each, and in the memory of each thread that looks new ones up, some 150
   * bytes each. As long as the engine remembers more closed orders than that, those who verify
   * orders need not look them up.
   */
  waitingOrderIds: 16_384,
  /** Commands that replay reads and applies before it lets others run. */
  replayCommands: 4_096,
  /** Reads waiting for the projection or the reader. Excess: `overloaded`. */
  waitingReads: 10_000,
  /** Writes that wait for the catalog's thread. Excess: `overloaded`. */
  waitingCatalogWrites: 1_000,
  /** Threads that answer reads of the catalog. */
  catalogReaders: 1,
  /** Audits that wait for the one that is made, or share it. Excess: `overloaded`. */
  waitingAudits: 100,
  /** Rows of one page of a read. Excess: an assertion, because routes bound it themselves. */
  pageRows: 1_000,
  /**
   * Rows that one search of trades looks at, deep pages included: some 25 ms. Excess:
   * `search_too_wide`.
   */
  searchedRows: 100_000,
  /**
   * Positions of an account that a list looks at which no index sorts: some 70 ms; 20,000 take 15.
   * Excess: `search_too_wide`.
   */
  sortedPositions: 100_000,
  /** Holders of one answer, whose names are looked up one by one: some 40 ms. Excess: as above. */
  listedHolders: 5_000,
  /** Rows of either kind that a list of activity by size looks at. Excess: as above. */
  sortedActivities: 20_000,
  /** Orders, or markets, that one read names. Excess: an assertion, as above. */
  listedIds: 500,
  /** Steps of one price history. Excess: an assertion, as above. */
  historySteps: 20_000,
  /** Hours of a market's volume, up to the last in which it traded: 31 days. */
  volumeHours: 744,
  /**
   * The days after which, of a market's price points, the last one in so many minutes is kept and
   * the others are removed; until the first of them there is one a minute. 26,112 points a market
   * in 512 days, and two a day before that.
   */
  pricePointAges: [
    { days: 8, minutes: 5 },
    { days: 32, minutes: 30 },
    { days: 128, minutes: 180 },
    { days: 512, minutes: 720 },
  ],
  /** Live and recent orders that the engine has room for at once; beyond that its tables double. */
  reservedOrders: 262_144,
  /** Ended markets in one transaction of the catalog; more wait for the next turn. */
  endsAWrite: 100,
  /** Good snapshots that are kept; older ones are removed. */
  keptSnapshots: 3,
  /** Commands since the last snapshot after which the next one is made: a start replays them. */
  snapshotCommands: 40_000,
  /** Bytes of a snapshot that are written before they are synced. */
  unsyncedSnapshotBytes: 16 * 1024 * 1024,
  /** Markets, keys or orders in one part of a snapshot's facts: each takes less than 128 bytes. */
  factsABlock: 65_536,
  /** The newest trades that an order's record names. */
  tradesPerOrder: 500,
} as const;

export const STORE_PACE = {
  /** The longest the clock's timer sleeps, so that a wall clock that jumps is soon noticed. */
  timerMs: 1_000,
  /** How often at most the side file of the durable seq is written. */
  markMs: 1_000,
  /**
   * How long a connection of a thread waits for a lock: one that a foreign tool holds, or another
   * thread that recovers or empties a write-ahead log on a slow disk.
   */
  busyMs: 10_000,
  /**
   * Pages of write-ahead log before the journal's thread moves them into the database, which holds
   * up what is to be committed: 4,000 pages took 20 to 35 ms, each 0.7 s at half load.
   */
  journalCheckpointPages: 400,
  /** The same of the projection's, which has the same pages in many commits. */
  projectionCheckpointPages: 1_000,
  /**
   * Memory for the pages of the journal's writer. It holds the inner pages of the index of order
   * ids and the pages of a large batch; more makes commits dearer: where a batch has split a page
   * of the index, SQLite goes through the whole cache at its end (balancing gives a page a number
   * far beyond the file for a moment). With 64 MiB that was a third of a commit of 35 orders.
   */
  journalCacheKib: 8_192,
  /** The same of a check of the journal, which only reads, at random places. */
  verifyCacheKib: 65_536,
  projectionCacheKib: 65_536,
  /** The same of the catalog's, of its writer and of each reader. */
  catalogCacheKib: 65_536,
  /** A reader makes texts ahead in a tenth of its time; a question waits for 1 ms of it. */
  catalogAhead: { turnMs: 1, pauseMs: 9 },
  /**
   * How often the projector and the follower are told what is durable while much is; whoever waits
   * for one of them has it told at once.
   */
  projectorMs: 100,
  followerMs: 100,
  /** The pause before a dead thread is started again, doubled each time up to the most. */
  restartMs: 100,
  restartMostMs: 10_000,
  /** The pause before what could not be written into the catalog is tried again. */
  catalogRetryMs: 1_000,
  /** The longest a change waits for a snapshot to show it. */
  snapshotMs: 300_000,
  /** The pause before a snapshot that could not be written is tried again. */
  snapshotRetryMs: 60_000,
  /** After a start, before the follower begins: what is ready has better things to do. */
  followerStartMs: 1_000,
  /** How long a stop waits for the last snapshot; without it the next start takes longer. */
  stopSnapshotMs: 20_000,
  /** How much longer it waits until the follower says that it gave the snapshot up. */
  stopMarginMs: 2_000,
  /**
   * How long a compaction keeps the journal's writer out at a time, more or less, and how long it
   * then lets it alone. Each time it takes out as many rows as fit, within these bounds. Turns are
   * a small part of the time, so that a compaction that is suspended is hardly ever within one.
   */
  compactionTurnMs: 0.5,
  compactionRestMs: 10,
  compactionRows: [16, 4_096],
  /** How long a thread may take to end when asked, before it is ended. */
  stopMs: 10_000,
} as const;

assert(STORE_BOUNDS.factsABlock * 128 <= SNAPSHOT_PART_BYTES, 'a block of facts must fit a part');
assert(STORE_BOUNDS.batchCommands <= STORE_BOUNDS.waitingCommands, 'a batch must fit the queue');
