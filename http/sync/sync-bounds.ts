/**
 * Every bound and pace of what is read from another catalog. A source is somebody else's program:
 * whatever it does, a run ends, holds little at a time, and asks politely.
 */
export const SYNC_BOUNDS = {
  /** Bytes of one answer, unpacked. Excess: the page is asked for again in halves. */
  bodyBytes: 32 * 1024 * 1024,
  /** Bytes of an answer's head. Excess: the answer is no answer. */
  headBytes: 65_536,
  /** Redirects of one request. */
  redirects: 3,
  /** Tries of one request, the first among them. */
  tries: 6,
  /** Records asked for at once: what the interface allows (1..100). */
  pageRecords: 100,
  /** Records and pages of one list in one run; the next run goes on. */
  recordsAList: 500_000,
  pagesAList: 20_000,
  /** Records whose comments are asked for one by one in a run. */
  commentedRecords: 5_000,
  /** Series of which a page of comments is asked for in a run, and threads that are asked for. */
  commentedSeries: 200,
  longThreads: 1_000,
} as const;

/** Milliseconds. Tests have their own. */
export interface SyncPace {
  /** Between the end of one request and the next. */
  readonly pauseMs: number;
  /** Until the head of an answer. */
  readonly headMs: number;
  /** Until its end. */
  readonly bodyMs: number;
  /** The longest wait before the second try, doubled with each further one up to the most. */
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

/** Who asks, as a source's log shows it. */
export const SYNC_USER_AGENT = 'outcome-exchange (catalog sync)';
