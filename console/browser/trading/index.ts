/**
 * What an order will do before it is sent: the typed terms as whole numbers, an estimate from the
 * book, and the explanation of the exchange.
 *
 * Invariant: pure but for the requests, and money is whole numbers: ticks, lots and micros.
 * Bound: `TRADING_BOUNDS`, tighter than what the exchange takes, so that all sums are exact.
 */
export {
  type DraftField,
  isBudget,
  type Order,
  type OrderDraft,
  type ReadDraft,
  readDraft,
} from './draft.ts';
export { type Estimate, estimate, worstPrice } from './estimate.ts';
export { type Explanation, explanationOf, type OrderExplanation } from './explanation.ts';
export { highestFee } from './fees.ts';
export { type Fill, fillsOf, timeMsOf } from './fills.ts';
export { type MarketRules, rulesOf } from './rules.ts';
export { type Means, partOf } from './shares.ts';
export {
  centsText,
  lotsOfTokens,
  microsOf,
  moneyText,
  shortMoney,
  signedMoney,
  tokenCount,
  tokensText,
} from './units.ts';
