/** What the projector and the readers of analytics.db must agree on. */

/** `market_hours` counts in these. */
export const HOUR_MS = 3_600_000;

/** The least size of the fills in the index `large_parties`: 1,000 tokens. */
export const LARGE_LOTS = 100_000;
