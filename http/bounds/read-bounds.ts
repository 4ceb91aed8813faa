/** The bounds of read routes, each with the error of a request that exceeds it. */
export const READ_BOUNDS = {
  /** Items of a body that lists tokens (token-list.ts). Error: `too_many_items`. */
  tokensPerRequest: 500,
  /** Orders in one POST /orders-scoring. Error: `too_many_items`. */
  scoredOrders: 500,
  /** Orders per page of GET /data/orders (wire 6.1). */
  ordersPerPage: 100,
  /** Trades per page of GET /data/trades (wire 6.1). */
  tradesPerPage: 100,
  /** Trades per page of GET /builder/trades (wire 6.1). */
  builderTradesPerPage: 100,
  /** Orders in one POST /data/orders (wire 1.6). Error: `too_many_items`. */
  listedOrders: 500,
  /** Orders per read when a cancel looks for orders in halted markets. */
  haltedOrdersPerRead: 500,
  /** Markets in one POST /data/volumes (wire 1.6). Error: `too_many_items`. */
  listedVolumes: 100,
  /** Actions per page of GET /actions. Error: `invalid_parameter`. */
  actionsPerPage: 500,
  /** Builder codes per page of GET /builders. Error: `invalid_parameter`. */
  buildersPerPage: 500,
  /** Per page of GET /accounts, /owners and /owners/{address}. Error: `invalid_parameter`. */
  accountsPerPage: 500,
  /** Accounts that one search looks at: some 2 ms. Its `next_offset` is where it goes on. */
  searchedAccounts: 50_000,
  /** Notifications in GET /notifications, which has only the newest. */
  notifications: 100,
  /** Trades in GET /live-activity, which has only the newest. */
  liveTrades: 100,
  /** Markets in one POST /batch-prices-history (wire 6.4). Error: `too_many_items`. */
  historiesPerRequest: 20,
  /** Points in all histories of one reply together, some 500 KB. Error: `too_many_items`. */
  pointsPerReply: 20_000,
  /** The coarsest step of a price history: a week. Error: `invalid_parameter`. */
  historyStepMinutes: 10_080,
  /** Items per page of the rewards' lists, which are empty (wire 6.1). */
  rewardsPerPage: 100,
  /** Markets per page of the order-book lists (wire 1.4: 500 to 1,000). */
  marketsPerPage: 500,
  /** Markets of such a page that are read before other requests get their turn. */
  marketsPerSlice: 50,
  /** Characters after which such a slice ends, whatever the catalog's texts. */
  charactersPerSlice: 500_000,
  /** Bytes after which such a page ends; its cursor continues from there. */
  bytesPerPage: 8_000_000,
  /** Items of a catalog list. Error: `invalid_parameter`, unless settings clamp the limit. */
  catalogItems: 100,
  /** Items of a catalog list without `limit`. */
  defaultCatalogItems: 20,
  /** Balances that are looked up for the positions of one list of comments. */
  positionsLookedUp: 10_000,
  /** Balances that are looked up before other requests get their turn, some 2 ms. */
  balancesPerSlice: 500,
  /** Comments that are searched for authors who hold a position. */
  commentsLookedThrough: 1_000,
  /** Accounts of an author, and tokens of a comment's parent, whose positions are looked up. */
  accountsOfAuthor: 10,
  tokensOfParent: 200,
  /** Markets whose live figures are cached as text, some 400 bytes each. */
  figuresKept: 20_000,
  /** Characters of a search text. Error: `invalid_parameter`. */
  searchCharacters: 200,
  /** Results of each kind of a search, and the default. */
  foundPerType: 500,
  defaultFoundPerType: 25,
  /** Values of one list in a query of the catalog. Error: `invalid_parameter`. */
  valuesPerFilter: 500,
  /** Markets, and events, that one analytics request names. Error: `invalid_parameter`. */
  analyticsMarkets: 100,
  analyticsEvents: 20,
  /** Characters of a title filter. Error: `invalid_parameter`. */
  titleCharacters: 100,
  /** Fills of GET /trades, and activities of GET /activity. Error: `invalid_parameter`. */
  fills: { limit: 10_000, defaultLimit: 100, offset: 10_000 },
  activities: { limit: 500, defaultLimit: 100, offset: 10_000 },
  /** Lists of positions (wire 8.7). Error: `invalid_parameter`. */
  closedPositions: { limit: 50, defaultLimit: 10, offset: 100_000 },
  positions: { limit: 500, defaultLimit: 100, offset: 10_000 },
  /** Positions of each token of a market, as on the public venue. Error: as above. */
  marketPositions: { limit: 500, defaultLimit: 50, offset: 10_000 },
  /** Holders of a token, and in one answer. Errors: `invalid_parameter`, `too_many_items`. */
  holders: { limit: 500, defaultLimit: 100, inAll: 5_000 },
  /** Ranks of builders, as on the public venue. Error: `invalid_parameter`. */
  builderLeaders: { limit: 50, defaultLimit: 25, offset: 1_000 },
  /** Ranks of a leaderboard, as on the public venue. Error: `invalid_parameter`. */
  leaders: { limit: 50, defaultLimit: 25, leastLimit: 1, offset: 1_000 },
  /** Commands in one page of the explorer. Error: `invalid_parameter`. */
  exploredPerPage: 200,
  /** Points of one history of an account. Error: `too_many_items`. */
  balancePoints: 2_000,
  /** Price levels that POST /books writes before other requests get their turn. */
  levelsPerSlice: 4_000,
  /** Price levels of one reply of POST /books, some 4 MB. Error: `too_many_items`. */
  levelsPerReply: 100_000,
} as const;
