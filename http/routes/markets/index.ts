/**
 * Endpoints for markets as the order book sees them.
 *
 * Invariant: fees, price step and status come from the durable registry, texts from the catalog.
 */
export { getClobMarket } from './get-clob-market.ts';
export { getMarket } from './get-market.ts';
export { getMarkets } from './get-markets.ts';
export { getLiveActivity, getMarketsLiveActivity } from './live-activity.ts';
export {
  getSamplingMarkets,
  getSamplingSimplifiedMarkets,
  getSimplifiedMarkets,
  SimplifiedMarketPage,
} from './market-pages.ts';
export {
  getFeeRate,
  getFeeRateByPath,
  getMarketsByToken,
  getNegRisk,
  getNegRiskByPath,
  getTickSize,
  getTickSizeByPath,
} from './token-market.ts';
