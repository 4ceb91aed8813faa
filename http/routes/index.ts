/** Every endpoint of the public listener, in one table. */
import type { RouteDefinition } from '../route.ts';
import { ANALYTICS_ROUTES } from './analytics/index.ts';
import { cancelAll } from './cancel-all.ts';
import { cancelMarketOrders } from './cancel-market-orders.ts';
import { CATALOG_ROUTES } from './catalog/index.ts';
import { createApiKey } from './create-api-key.ts';
import { createBuilderApiKey } from './create-builder-api-key.ts';
import { createReadonlyApiKey } from './create-readonly-api-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { deleteBuilderApiKey } from './delete-builder-api-key.ts';
import { deleteNotifications } from './delete-notifications.ts';
import { deleteOrder } from './delete-order.ts';
import { deleteOrders } from './delete-orders.ts';
import { deleteReadonlyApiKey } from './delete-readonly-api-key.ts';
import { deriveApiKey } from './derive-api-key.ts';
import { getApiKeys } from './get-api-keys.ts';
import { getAsyncApi } from './get-asyncapi.ts';
import { getBalanceAllowance, updateBalanceAllowance } from './get-balance-allowance.ts';
import { getBook } from './get-book.ts';
import { getBuilderApiKeys } from './get-builder-api-keys.ts';
import { getBuilderFees } from './get-builder-fees.ts';
import { getBuilderTrades } from './get-builder-trades.ts';
import { getClobMarket } from './get-clob-market.ts';
import { getClosedOnly } from './get-closed-only.ts';
import { getDataOrder } from './get-data-order.ts';
import { getDataOrders } from './get-data-orders.ts';
import { getDataTrades } from './get-data-trades.ts';
import { getDocs, getDocsFile } from './get-docs.ts';
import { getFeeRate } from './get-fee-rate.ts';
import { getFeeRateByPath } from './get-fee-rate-by-path.ts';
import { getOk, getRoot } from './get-health.ts';
import { getHealthz } from './get-healthz.ts';
import { getImage } from './get-image.ts';
import { getLastTradePrice } from './get-last-trade-price.ts';
import { getLastTradesPrices } from './get-last-trades-prices.ts';
import { limitsRoute } from './get-limits.ts';
import { getLiveActivity } from './get-live-activity.ts';
import { getMarket } from './get-market.ts';
import { getMarkets } from './get-markets.ts';
import { getMarketsByToken } from './get-markets-by-token.ts';
import { getMarketsLiveActivity } from './get-markets-live-activity.ts';
import { getMidpoint } from './get-midpoint.ts';
import { getNegRisk } from './get-neg-risk.ts';
import { getNegRiskByPath } from './get-neg-risk-by-path.ts';
import { getNotifications } from './get-notifications.ts';
import { openApiRoute } from './get-openapi.ts';
import { getOrderScoring } from './get-order-scoring.ts';
import { getPreMigrationOrders } from './get-pre-migration-orders.ts';
import { getPrice } from './get-price.ts';
import { getPricesHistory } from './get-prices-history.ts';
import { getReadonlyApiKeys } from './get-readonly-api-keys.ts';
import { getReadyz } from './get-readyz.ts';
import { getSamplingMarkets } from './get-sampling-markets.ts';
import { getSamplingSimplifiedMarkets } from './get-sampling-simplified-markets.ts';
import { getSimplifiedMarkets } from './get-simplified-markets.ts';
import { getSpread } from './get-spread.ts';
import { getTickSize } from './get-tick-size.ts';
import { getTime } from './get-time.ts';
import { getVersion } from './get-version.ts';
import { postBatchPricesHistory } from './post-batch-prices-history.ts';
import { postBooks } from './post-books.ts';
import { postDataOrders } from './post-data-orders.ts';
import { postDataVolumes } from './post-data-volumes.ts';
import { postDebugOrder } from './post-debug-order.ts';
import { postHeartbeat, postHeartbeatAlias } from './post-heartbeat.ts';
import { postLastTradesPrices } from './post-last-trades-prices.ts';
import { postMidpoints } from './post-midpoints.ts';
import { postOrder } from './post-order.ts';
import { postOrders } from './post-orders.ts';
import { postOrdersScoring } from './post-orders-scoring.ts';
import { postPrices } from './post-prices.ts';
import { postSpreads } from './post-spreads.ts';
import { REWARD_ROUTES } from './rewards.ts';
import { RFQ_ROUTES } from './rfq.ts';
import { convertSets, mergeSets, redeemSets, splitSets } from './sets.ts';
import { validateReadonlyApiKey } from './validate-readonly-api-key.ts';
import { WORD_ROUTES } from './words/index.ts';

export const ROUTES: readonly RouteDefinition[] = [
  getRoot,
  getOk,
  getHealthz,
  getReadyz,
  getTime,
  getVersion,
  limitsRoute(() => ROUTES),
  createApiKey,
  deriveApiKey,
  getApiKeys,
  deleteApiKey,
  getClosedOnly,
  createReadonlyApiKey,
  getReadonlyApiKeys,
  deleteReadonlyApiKey,
  validateReadonlyApiKey,
  createBuilderApiKey,
  getBuilderApiKeys,
  deleteBuilderApiKey,
  getBalanceAllowance,
  updateBalanceAllowance,
  getOrderScoring,
  postOrdersScoring,
  postHeartbeat,
  postHeartbeatAlias,
  getBuilderFees,
  postOrder,
  postOrders,
  deleteOrder,
  deleteOrders,
  cancelAll,
  cancelMarketOrders,
  splitSets,
  mergeSets,
  redeemSets,
  convertSets,
  getBook,
  postBooks,
  getPrice,
  postPrices,
  getMidpoint,
  postMidpoints,
  getSpread,
  postSpreads,
  getLastTradePrice,
  postLastTradesPrices,
  getLastTradesPrices,
  getTickSize,
  getNegRisk,
  getNegRiskByPath,
  getFeeRate,
  getFeeRateByPath,
  getClobMarket,
  getMarketsByToken,
  getMarkets,
  getMarket,
  ...CATALOG_ROUTES,
  ...WORD_ROUTES,
  ...ANALYTICS_ROUTES,
  getSamplingMarkets,
  getSamplingSimplifiedMarkets,
  getSimplifiedMarkets,
  getDataOrder,
  getDataOrders,
  getDataTrades,
  getPreMigrationOrders,
  postDataOrders,
  postDataVolumes,
  getBuilderTrades,
  getPricesHistory,
  postBatchPricesHistory,
  getLiveActivity,
  getMarketsLiveActivity,
  getNotifications,
  deleteNotifications,
  openApiRoute('public', () => ROUTES),
  getAsyncApi,
  getDocs,
  getDocsFile,
  getImage,
  postDebugOrder,
  ...REWARD_ROUTES,
  ...RFQ_ROUTES,
];
