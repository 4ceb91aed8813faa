/**
 * Endpoints for markets as the order book sees them.
 */
export { getClobMarket } from './get-clob-market.ts';
export { getFeeRate } from './get-fee-rate.ts';
export { getFeeRateByPath } from './get-fee-rate-by-path.ts';
export { getLiveActivity } from './get-live-activity.ts';
export { getMarket } from './get-market.ts';
export { getMarkets } from './get-markets.ts';
export { getMarketsByToken } from './get-markets-by-token.ts';
export { getMarketsLiveActivity } from './get-markets-live-activity.ts';
export { getNegRisk } from './get-neg-risk.ts';
export { getNegRiskByPath } from './get-neg-risk-by-path.ts';
export { getSamplingMarkets } from './get-sampling-markets.ts';
export { getSamplingSimplifiedMarkets } from './get-sampling-simplified-markets.ts';
export { getSimplifiedMarkets } from './get-simplified-markets.ts';
export { getTickSize } from './get-tick-size.ts';
