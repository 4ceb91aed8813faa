/**
 * The bounds and times of the streams of a page. Those of the exchange are in
 * http/streams/delivery/bounds.ts; a test compares them.
 */
export const PAGE_BOUNDS = {
  /** Markets that the page follows at once: one token each, as many as a socket may have. */
  markets: 2_000,
  /** Subscriptions to live data at once. One to comments counts as four: one for each change. */
  liveSubscriptions: 500,
  /** Markets that one message names, so that it stays below the exchange's `messageBytes`. */
  marketsPerMessage: 500,
  /** Trades that are kept of a market. */
  trades: 200,
  /** Trades of the user that are kept: one page of `GET /data/trades`. */
  ownTrades: 100,
  /** Raw messages that the stream inspector shows. */
  tapMessages: 1_000,
  /** Characters of raw messages that the stream inspector keeps. */
  tapCharacters: 1_048_576,
  /** Characters that are kept of one raw message. */
  tapMessageCharacters: 65_536,
} as const;

export const PAGE_TIMES = {
  /** A quiet market has a heartbeat every ten seconds, so this silence means a dead connection. */
  silenceMs: 15_000,
  /** The time between two PINGs. */
  pingMs: 10_000,
  /** The time between two looks at the silence. */
  watchMs: 2_500,
  /** The first wait before a new connection; each further one is twice as long. */
  firstRetryMs: 500,
  longestRetryMs: 10_000,
  /** A connection that lived this long was no failed attempt. */
  steadyMs: 10_000,
  /** How long a market is followed after its last reader left, for readers that come back. */
  lingerMs: 5_000,
  /** The least time between two checks of a book's hash. */
  hashCheckMs: 1_000,
} as const;
