/** How much of a portfolio a page asks for and shows. The exchange bounds each answer too. */
export const PORTFOLIO_BOUNDS = {
  /** Positions in one answer: the most that `GET /positions` gives. */
  positionsPerAnswer: 500,
  /** Answers with positions that are added up. */
  positionAnswers: 20,
  /** Pages of a list that grows by a button. */
  listPages: 10,
  /** Orders that are shown before the button for more. */
  ordersPerPage: 100,
  /** Ids in one `DELETE /orders`. */
  idsPerCancel: 1_000,
  /** Markets whose names one request asks for. */
  namesPerRequest: 100,
} as const;

export const PORTFOLIO_TIMES = {
  /** Prices move without the account: how often its positions are asked for. */
  pricesMs: 5_000,
  /** The least time between two loads because of what happened to the account. */
  reloadMs: 1_000,
  historyMs: 60_000,
} as const;
