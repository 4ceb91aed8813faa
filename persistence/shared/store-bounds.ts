/**
 * The bounds and intervals of persistence, with what happens beyond each bound. The bounds of the
 * trading state are the engine's; those of catalog records are the catalog's.
 */
import { strict as assert } from 'node:assert';
import { SNAPSHOT_PART_BYTES } from '../../engine/model/index.ts';

export const STORE_BOUNDS = {
  /** Commands and reads of the state that are not answered yet. Beyond it: `overloaded`. */
  waitingCommands: 50_000,
  /**
   * Events in a batch, which one transaction of the journal makes durable; then the next one
   * begins. Each batch is delivered in one turn of the event loop. One or two steps of long work
   * have as many. Every command in a batch has an event, so it has no more commands.
   */
  batchEvents: 512,
  /**
   * The same for an entry of a replicated log. It has more, because a core delivers to no listeners
   * and pays for each entry with a request to etcd and a write to each replica.
   */
  entryEvents: 2_048,
  /**
   * The bytes of one entry of a replicated log, as it is stored there; etcd takes up to 1.5 MiB. A
   * batch for it is closed when its payloads have `entryPayloadBytes`, and takes further content up
   * to `entryContentBytes`. What comes on top is the last command and the first part of content: a
   * new event of 500 markets has 63 KB, and a part 96 KiB.
   */
  entryBytes: 512 * 1024,
  entryPayloadBytes: 96 * 1024,
  entryContentBytes: 64 * 1024,
  /** The same entry before it is compressed. */
  rawEntryBytes: 1024 * 1024,
  /** Entries that one read of a replicated log returns; the next read continues. */
  entriesARead: 16,
  /** Bytes of a replicated log that are kept for nodes that have not synced them. */
  logBytes: 1024 ** 3,
  /**
   * The smallest quota of etcd: for the log, its history up to the next compaction, and pages that
   * etcd has not reused yet. The part of it that may be in use at a start.
   */
  etcdQuotaBytes: 2 * 1024 ** 3,
  etcdFullness: 0.9,
  /** Nodes that a replicated log keeps its entries for. Error: `log_refused`. */
  registeredNodes: 256,
  /** Entries that one transaction prunes; more wait for the next one. */
  entriesPruned: 1_000,
  /** Commands and reads that waited for steps and are applied in one turn of the event loop. */
  queuedCommandsPerTurn: 64,
  /** Fills in a step of a replay, after which the next one begins. */
  batchFills: 50_000,
  /**
   * Order ids that wait to enter their index (order-id-intake.ts). `new_order_ids` has up to three
   * times as many, 50 bytes each, and so has the memory of each thread that looks them up, some 150
   * bytes each. Verifiers need not look them up while the engine remembers more closed orders.
   */
  waitingOrderIds: 16_384,
  /** Commands in one step of a replay, after which other tasks may run. */
  replayCommands: 4_096,
  /** Reads that wait for the projection or a reader. Beyond it: `overloaded`. */
  waitingReads: 10_000,
  /** Writes that wait for the catalog's thread. Beyond it: `overloaded`. */
  waitingCatalogWrites: 1_000,
  catalogReaders: 1,
  /** Audits that wait. Beyond it: `overloaded`. */
  waitingAudits: 100,
  /** Rows of one page of a read. Beyond it: an assertion, because routes have smaller bounds. */
  pageRows: 1_000,
  /**
   * Rows that one search of trades looks at, including those of earlier pages: some 25 ms. Beyond
   * it: `search_too_wide`.
   */
  searchedRows: 100_000,
  /**
   * Positions of one account that are sorted without an index: some 70 ms; 20,000 take 15. Beyond
   * it: `search_too_wide`.
   */
  sortedPositions: 100_000,
  /**
   * Holders in one answer, whose names are looked up one by one: some 40 ms. Beyond it: as above.
   */
  listedHolders: 5_000,
  /** Accounts' days in markets that the board of a category adds up. Beyond it: as above. */
  leaderRows: 200_000,
  /** Points of one series of profit, some 2 MB. Beyond it: as above. */
  profitPoints: 2_500,
  /** Accounts of one name that a leaderboard ranks. Beyond it: as above. */
  leadersNamed: 20,
  /** Rows of each kind that a list of activity, sorted by size, reads. Beyond it: as above. */
  sortedActivities: 20_000,
  /** Orders or markets that one read names. Beyond it: an assertion, as above. */
  listedIds: 500,
  /** Steps of one price history. Beyond it: an assertion, as above. */
  historySteps: 20_000,
  /** Hours of volume that are kept for a market, up to its last trade: 366 days. */
  volumeHours: 8_784,
  /**
   * Of price points older than `days`, only the last one in each `minutes` is kept; newer ones are
   * one a minute. A market has 26,112 points for the last 512 days, and two for each day before.
   */
  pricePointAges: [
    { days: 8, minutes: 5 },
    { days: 32, minutes: 30 },
    { days: 128, minutes: 180 },
    { days: 512, minutes: 720 },
  ],
  /**
   * Commands and their fills that one list of the explorer looks at, 50 to 150 ms; the next page
   * continues from there. Ids that the lists in its commands have together, which end a page too.
   */
  exploredCommands: 5_000,
  exploredItems: 5_000,
  /** Effects of a command, and its trades, that the explorer shows; it says how many there are. */
  exploredEffects: 1_000,
  /** Positions of an account that the explorer shows; it says whether there are more. */
  exploredPositions: 500,
  /** Look-ups of points for one history of an account. Beyond it: `search_too_wide`. */
  holdingLookups: 30_000,
  /** Live and recent orders that the engine reserves room for. Beyond it its tables double. */
  reservedOrders: 262_144,
  /** Ended markets in one transaction of the catalog; more wait for the next one. */
  endsAWrite: 100,
  /** Checkpoints that a data folder keeps, and the bytes of all. Error: `checkpoint_limit`. */
  savedStates: 32,
  savedStateBytes: 8_000_000_000,
  /** Backups in the folder of the operator's interface. Error: `backup_limit`. */
  keptBackups: 20,
  /** Usable snapshots that are kept; older ones are removed. */
  keptSnapshots: 3,
  /** Commands after which the next snapshot is made: a start replays about this many at most. */
  snapshotCommands: 40_000,
  /** The same at a node of a cluster. Its start may take longer: other nodes serve meanwhile. */
  nodeSnapshotCommands: 400_000,
  /** Bytes of a snapshot that are written between two syncs. */
  unsyncedSnapshotBytes: 16 * 1024 * 1024,
  /**
   * Bytes of a snapshot in one message from a standby to its core, whose matching thread takes some
   * 0.2 ms for them. Beyond it: `snapshot_refused`.
   */
  sentSnapshotBytes: 256 * 1024,
  /** Entries in one part of a snapshot's shown facts; each takes less than 128 bytes. */
  factsABlock: 65_536,
  /** Trades that an order's record names, the newest ones. */
  tradesPerOrder: 500,
} as const;

export const STORE_PACE = {
  /** The interval at which a node of a cluster reads the files of its certificates again. */
  certificatesMs: 10_000,
  /** The longest sleep of the timer for due events, so that a jump of the wall clock is noticed. */
  timerMs: 1_000,
  /** The shortest interval between two writes of `durable.seq`. */
  markMs: 1_000,
  /**
   * How long a connection waits for a lock. Its holder may be another tool, or a thread that
   * recovers or truncates a write-ahead log on a slow disk.
   */
  busyMs: 10_000,
  /**
   * Pages in the journal's write-ahead log before a checkpoint, which delays commits: 4,000 pages
   * took 20 to 35 ms, every 0.7 s at half load.
   */
  journalCheckpointPages: 400,
  /** The same for the projection, whose commits write the same pages again. */
  projectionCheckpointPages: 1_000,
  /**
   * The page cache of the journal's writer: enough for the inner pages of the index of order ids
   * and a large batch. A larger one makes commits slower: after a commit that split a page of the
   * index, SQLite walks over the whole cache. With 64 MiB that took a third of the time of a commit
   * of 35 orders.
   */
  journalCacheKib: 8_192,
  /** The page cache of a check of the journal, which reads at random places. */
  verifyCacheKib: 65_536,
  projectionCacheKib: 65_536,
  /** The page cache of the catalog's writer and of each of its readers. */
  catalogCacheKib: 65_536,
  /** An idle reader pre-warms its cache in turns of 1 ms, each followed by a pause of 9 ms. */
  catalogAhead: { turnMs: 1, pauseMs: 9 },
  /**
   * The interval at which a busy exchange sends the durable seq to the projector and the follower.
   * It is sent at once if a request waits for that seq. The projector's steps are twice as large,
   * because the commands of a step change the same pages: at 7,000 commands a second it writes 0.87
   * pages for each, and every 100 ms 1.28. A first read waits some 40 ms for such a step.
   */
  projectorMs: 200,
  followerMs: 100,
  /** The pause before a dead thread is restarted. It doubles each time up to `restartMostMs`. */
  restartMs: 100,
  restartMostMs: 10_000,
  /** The pause before a failed write of ended markets into the catalog is tried again. */
  catalogRetryMs: 1_000,
  snapshotMs: 300_000,
  /** The pause before a failed snapshot is tried again. */
  snapshotRetryMs: 60_000,
  /** How long after the exchange the follower starts. Both need processors at their start. */
  followerStartMs: 1_000,
  /** How long a stop waits for the last snapshot. Without it the next start takes longer. */
  stopSnapshotMs: 20_000,
  /** How much longer a stop waits for the follower to report that it gave up. */
  stopMarginMs: 2_000,
  /**
   * The target duration of one transaction of a compaction, during which the journal's writer
   * waits; the pause after it; and the minimum and maximum number of rows that it deletes.
   */
  compactionTurnMs: 0.5,
  compactionRestMs: 10,
  compactionRows: [16, 4_096],
  /** A replicated log that is idle for so long gets an entry without commands. */
  beatMs: 250,
  /** A core whose main thread gave no sign for so long beats no more: a standby takes over. */
  hangMs: 5_000,
  /**
   * The pause before a transaction that etcd did not answer is tried again. It doubles each time up
   * to `etcdRetryMostMs`.
   */
  etcdRetryMs: 20,
  etcdRetryMostMs: 500,
  /**
   * How long etcd may take for an answer. It doubles after each time-out up to `etcdAnswerMostMs`,
   * because a slow etcd would otherwise never be heard.
   */
  etcdAnswerMs: 1_000,
  etcdAnswerMostMs: 8_000,
  /** How long the checks at a start wait for each etcd node. */
  etcdCheckMs: 3_000,
  /** The interval at which entries are pruned that nobody needs. */
  pruneMs: 10_000,
  /** How long a thread may take to close before it is terminated. */
  stopMs: 10_000,
} as const;

assert(STORE_BOUNDS.factsABlock * 128 <= SNAPSHOT_PART_BYTES, 'a block of facts must fit a part');
assert(STORE_BOUNDS.batchEvents <= STORE_BOUNDS.waitingCommands, 'a batch must fit the queue');
