/** What the projector and the readers of analytics.db must agree on. */

/** The asset of `holding_points` that is cash, in micros. */
export const CASH = 0;

/** The asset of `holding_points` that is the token of an outcome, in lots. */
export function assetOf(marketKey: number, outcome: number): number {
  return 2 * marketKey + outcome;
}

/** The minimum size of fills in the index `large_parties`: 1,000 tokens. */
export const LARGE_LOTS = 100_000;
