// Every bound of the catalog and of what may be imported into it. What exceeds one is refused
// by name (CatalogImportError), never cut.

export const CATALOG_BOUNDS = {
  /** Events of one import. */
  eventsAnImport: 100_000,
  /** Markets of one event in an import; what the operator creates has the engine's bound. */
  marketsAnEvent: 1_000,
  tagsAnEvent: 100,
  seriesAnEvent: 20,
  /** The largest id of an imported record; above it are the stand-ins of lost markets. */
  importedId: 999_999_999,
  slugChars: 300,
  /** Titles, questions, tickers, labels, creators and the other one-line texts. */
  lineChars: 1_000,
  outcomeChars: 200,
  addressChars: 2_048,
  descriptionChars: 50_000,
  /** JSON text of the source fields of one record that have no column of their own. */
  recordChars: 200_000,
  /** Smallest order size, in units of 0.01 token: ten million tokens at the most. */
  minimumLots: 1_000_000_000,
  /** Refusals an import error lists; the others are only counted. */
  refusalsListed: 100,
  /** Markets one page of the order-book lists may ask for. */
  marketsAPage: 1_000,
  /** Things one page of a list of the catalog may ask for. */
  listed: 500,
  /** Characters of one answer. Excess: `search_too_wide`. */
  answerChars: 32_000_000,
  /**
   * Bytes of ready texts that a reader keeps: of events as much as the open ones of a venue of
   * 100,000 markets take, and of markets by themselves.
   */
  keptEventBytes: 64 * 1024 * 1024,
  keptMarketBytes: 16 * 1024 * 1024,
  /**
   * Bytes of found ids that it keeps: of searches, and of lists of events and of markets, of those
   * by figures and of all others each.
   */
  keptIdsBytes: 2 * 1024 * 1024,
  /** Events that a series is told with: its newest. */
  eventsTold: 200,
  /** Events, and tags, that one page of a search may ask for. */
  found: 500,
  /** Characters of a search, and words that are looked for; further ones are left out. */
  searchChars: 200,
  searchWords: 8,
  /** Values of one condition, and addresses of one list. */
  values: 500,
  /** Replies, and reactions, that a comment is told with; the counts say how many there are. */
  repliesTold: 100,
  reactionsTold: 100,
  /** Comments of one conversation that are told at once. */
  threadTold: 500,
  commentChars: 5_000,
  reactionChars: 50,
  nameChars: 100,
  bioChars: 1_000,
} as const;

/** The first id of a market or event that `ensureMarket` makes up: no import can hold it. */
export const FIRST_STAND_IN_ID = CATALOG_BOUNDS.importedId + 1;

/** A market's tick as catalogs write it, to units of 0.0001 (design 2). No other is allowed. */
export const TICKS_OF_TICK_SIZE: ReadonlyMap<number, number> = new Map([
  [0.1, 1_000],
  [0.01, 100],
  [0.005, 50],
  [0.0025, 25],
  [0.001, 10],
  [0.0001, 1],
]);

/** What a record that doesn't say gets: a tick of 0.01 and a minimum of 5 tokens. */
export const DEFAULT_TICK_SIZE = 0.01;
export const DEFAULT_MINIMUM_SIZE = 5;
