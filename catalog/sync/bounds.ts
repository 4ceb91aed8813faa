/**
 * The bounds and the pace of a sync. A source is another party's program: whatever it answers, a
 * run ends, keeps little in memory, and does not burden the source.
 */
export const SYNC_BOUNDS = {
  /** Bytes of one unpacked answer. Beyond them the page is requested again in halves. */
  bodyBytes: 32 * 1024 * 1024,
  /** Bytes of an answer's head. Beyond them the request fails. */
  headBytes: 65_536,
  redirects: 3,
  /** Tries of one request, including the first. */
  tries: 6,
  /** Records of one page: the largest `limit` that the catalog's HTTP API allows. */
  pageRecords: 100,
  /** Records of one list in one run. The next run continues. */
  recordsAList: 500_000,
  /** Pages of one list in one run. The next run continues. */
  pagesAList: 20_000,
  /** Events whose comments are requested in a run. */
  commentedRecords: 5_000,
  /** Series whose comments are requested in a run. */
  commentedSeries: 200,
  /** Threads with more replies than a list shows that are requested as a whole in a run. */
  longThreads: 1_000,
} as const;

/** Milliseconds. Tests use shorter ones. */
export interface SyncPace {
  /** From the end of one request to the start of the next. */
  readonly pauseMs: number;
  /** The longest wait for the head of an answer. */
  readonly headMs: number;
  /** The longest wait for the end of an answer. */
  readonly bodyMs: number;
  /** The longest wait before the second try. It doubles with each try, up to `backoffMostMs`. */
  readonly backoffMs: number;
  readonly backoffMostMs: number;
  /** A source that asks for a longer wait than this ends the run. */
  readonly retryAfterMostMs: number;
}

export const DEFAULT_PACE: SyncPace = {
  pauseMs: 100,
  headMs: 20_000,
  bodyMs: 60_000,
  backoffMs: 1_000,
  backoffMostMs: 30_000,
  retryAfterMostMs: 120_000,
};

/** The User-Agent that a source's log shows. */
export const SYNC_USER_AGENT = 'outcome-exchange (catalog sync)';
