/**
 * The bounds of the catalog and of imports into it. A value that exceeds its bound is refused with
 * its field, except where a comment says that the excess is left out.
 */
import type { Database } from 'better-sqlite3';

// Transactions that survive a loss of power once they return, for acknowledged writes of users.
// Imports need none: they can be repeated.

/**
 * Runs `work` in an immediate transaction and syncs the disk. Changes nothing if it throws. Inside
 * another transaction it is a part of that one.
 */
export function durably<Result>(database: Database, work: () => Result): Result {
  if (database.inTransaction) return database.transaction(work)();
  const usual = Number(database.pragma('synchronous', { simple: true }));
  database.pragma('synchronous = FULL');
  try {
    return database.transaction(work).immediate();
  } finally {
    database.pragma(`synchronous = ${usual}`);
  }
}

export const CATALOG_BOUNDS = {
  eventsAnImport: 100_000,
  /** Markets of one event in an import. The operator's new events have the engine's bound. */
  marketsAnEvent: 1_000,
  tagsAnEvent: 100,
  seriesAnEvent: 20,
  /** The largest id of an imported record. Placeholders of lost markets have higher ones. */
  importedId: 999_999_999,
  slugChars: 300,
  /** Titles, questions, tickers, labels, creators and the other one-line texts. */
  lineChars: 1_000,
  outcomeChars: 200,
  addressChars: 2_048,
  descriptionChars: 50_000,
  /** The JSON of the fields of a record that have no column. */
  recordChars: 200_000,
  /** The largest minimum order size, in units of 0.01 token: ten million tokens. */
  minimumLots: 1_000_000_000,
  /** Refusals that an import error lists; the others are counted. */
  refusalsListed: 100,
  /** Markets on one page of the order-book lists. */
  marketsAPage: 1_000,
  /** Records on one page of a list of the catalog. */
  listed: 500,
  /** Characters of one answer, without slots. Excess: `search_too_wide`. */
  answerChars: 32_000_000,
  /** Bytes of a reader's caches of JSON: room for the open events of 100,000 markets. */
  keptEventBytes: 64 * 1024 * 1024,
  keptMarketBytes: 16 * 1024 * 1024,
  /** Bytes of each cache of ids in a reader: event lists, market lists, and searches. */
  keptIdsBytes: 2 * 1024 * 1024,
  /** Events in the JSON of a series: the newest ones; older ones are left out. */
  eventsTold: 200,
  /** Events on one page of a search, and tags on one page. */
  found: 500,
  /** Characters and words of a search; further words are ignored. */
  searchChars: 200,
  searchWords: 8,
  /** Values of one condition, and addresses of one list. */
  values: 500,
  /** In the JSON of a comment; further ones are left out, but its counts include them. */
  repliesTold: 100,
  reactionsTold: 100,
  /** Comments of a conversation in one answer. */
  threadTold: 500,
  commentChars: 5_000,
  reactionChars: 50,
  nameChars: 100,
  bioChars: 1_000,
} as const;

/** The first id of the placeholder of a lost market or event. No import can contain it. */
export const FIRST_PLACEHOLDER_ID = CATALOG_BOUNDS.importedId + 1;

/** The allowed tick sizes as catalogs write them, in units of 0.0001. */
export const TICKS_OF_TICK_SIZE: ReadonlyMap<number, number> = new Map([
  [0.1, 1_000],
  [0.01, 100],
  [0.005, 50],
  [0.0025, 25],
  [0.001, 10],
  [0.0001, 1],
]);

/** For a market whose record gives none: in collateral, and in tokens. */
export const DEFAULT_TICK_SIZE = 0.01;
export const DEFAULT_MINIMUM_SIZE = 5;

/**
 * The bounds of what account holders write into the catalog. Excess is refused with its field.
 * Lengths are in code points after normalisation. Imported content has bounds of its own:
 * CATALOG_BOUNDS.
 */
export const CONTENT_BOUNDS = {
  commentChars: 2_000,
  /** The number of comments above a reply. */
  commentDepth: 8,
  /** How long after posting it an author may edit a comment. */
  commentEditMs: 86_400_000,
  /** A kind of reaction, such as HEART, and its icon. */
  reactionChars: 32,
  /** Kinds of reactions by one user to one comment. */
  reactionsAUser: 10,
  reportChars: 500,
  nameChars: 64,
  bioChars: 500,
  keyChars: 128,
} as const;

/** The first id of a comment or reaction that is written here. No import can contain it. */
export const FIRST_LOCAL_ID = CATALOG_BOUNDS.importedId + 1;
/** One above the last such id. Ids from here on: other exchanges (intake/foreign-comments.ts). */
export const LOCAL_IDS_END = 1_000_000_000_000;
