/** Every endpoint of the public listener, in one table. Plots add theirs. */

import { CONTENT_ROUTES } from '../../catalog/routes/content/index.ts';
import { CATALOG_ROUTES, getImage } from '../../catalog/routes/index.ts';
import type { RouteDefinition } from '../api/index.ts';
import {
  getAsyncApi,
  getDocs,
  getDocsFile,
  getLlmsText,
  openApiRoute,
} from '../documentation/routes.ts';
import { EXPLORER_ROUTES, getBalanceHistory } from '../explorer/index.ts';
import type { Route } from '../services/index.ts';
import {
  deleteNotifications,
  getBalanceAllowance,
  getClosedOnly,
  getNotifications,
  getRateLimitTier,
  putBalanceAllowance,
  REWARD_ROUTES,
  RFQ_ROUTES,
  SET_ROUTES,
  updateBalanceAllowance,
} from './account/index.ts';
import { ANALYTICS_ROUTES, postDataVolumes } from './analytics/index.ts';
import {
  createBuilderApiKey,
  deleteBuilderApiKey,
  getBuilderApiKeys,
} from './builders/builder-keys.ts';
import { getBuilderFees } from './builders/get-builder-fees.ts';
import { getBuilderTrades } from './builders/get-builder-trades.ts';
import { DATA_V2_ROUTES } from './data-v2/index.ts';
import {
  createReadonlyApiKey,
  deleteReadonlyApiKey,
  getReadonlyApiKeys,
  validateReadonlyApiKey,
} from './keys/readonly-keys.ts';
import { createApiKey, deleteApiKey, deriveApiKey, getApiKeys } from './keys/trading-keys.ts';
import {
  getClobMarket,
  getFeeRate,
  getFeeRateByPath,
  getLiveActivity,
  getMarket,
  getMarkets,
  getMarketsByToken,
  getMarketsLiveActivity,
  getNegRisk,
  getNegRiskByPath,
  getSamplingMarkets,
  getSamplingSimplifiedMarkets,
  getSimplifiedMarkets,
  getTickSize,
  getTickSizeByPath,
} from './markets/index.ts';
import {
  cancelMarketOrders,
  deleteAllOrders,
  deleteOrder,
  deleteOrders,
  getDataOrder,
  getDataOrders,
  getDataTrades,
  getOrderScoring,
  getPreMigrationOrders,
  postDataOrders,
  postDebugOrder,
  postHeartbeat,
  postHeartbeatAlias,
  postOrder,
  postOrders,
  postOrdersScoring,
} from './orders/index.ts';
import {
  getBook,
  getBooks,
  getLastTradePrice,
  getLastTradesPrices,
  getMidpoint,
  getMidpoints,
  getPrice,
  getPrices,
  getPricesHistory,
  getSpread,
  postBatchPricesHistory,
  postBooks,
  postLastTradesPrices,
  postMidpoints,
  postPrices,
  postSpreads,
} from './prices/index.ts';
import {
  getHealthz,
  getOk,
  getReadyz,
  getRoot,
  getStatus,
  getTime,
  getVersion,
  limitsRoute,
} from './system/index.ts';

/** Orders, cancels, and moves between cash and tokens. */
const PLACING_ROUTES: readonly Route[] = [
  postOrder,
  postOrders,
  deleteOrder,
  deleteOrders,
  deleteAllOrders,
  cancelMarketOrders,
  ...SET_ROUTES,
];

/** Books and their prices. */
const BOOK_ROUTES: readonly Route[] = [
  getBook,
  getBooks,
  postBooks,
  getPrice,
  getPrices,
  postPrices,
  getMidpoint,
  getMidpoints,
  postMidpoints,
  getSpread,
  postSpreads,
  getLastTradePrice,
  postLastTradesPrices,
  getLastTradesPrices,
];

const OWN_ROUTES: readonly Route[] = [
  getRoot,
  getOk,
  getStatus,
  getHealthz,
  getReadyz,
  getTime,
  getVersion,
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
  putBalanceAllowance,
  updateBalanceAllowance,
  getRateLimitTier,
  getOrderScoring,
  postOrdersScoring,
  postHeartbeat,
  postHeartbeatAlias,
  getBuilderFees,
  ...PLACING_ROUTES,
  ...BOOK_ROUTES,
  getTickSize,
  getTickSizeByPath,
  getNegRisk,
  getNegRiskByPath,
  getFeeRate,
  getFeeRateByPath,
  getClobMarket,
  getMarketsByToken,
  getMarkets,
  getMarket,
  ...CATALOG_ROUTES,
  ...CONTENT_ROUTES,
  ...ANALYTICS_ROUTES,
  ...DATA_V2_ROUTES,
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
  getAsyncApi,
  getDocs,
  getDocsFile,
  getLlmsText,
  getImage,
  postDebugOrder,
  ...REWARD_ROUTES,
  ...RFQ_ROUTES,
  getBalanceHistory,
  ...EXPLORER_ROUTES,
];

/** The routes of the exchange and `further` ones. Two of them describe the whole table. */
export function publicRoutes(further: readonly RouteDefinition[]): readonly RouteDefinition[] {
  const routes: readonly RouteDefinition[] = [
    ...OWN_ROUTES,
    limitsRoute(() => routes),
    openApiRoute('public', () => routes),
    ...further,
  ];
  return routes;
}

/** The routes by which a client reads books and prices, or trades. */
export const TRADING_ROUTES: readonly Route[] = [
  ...BOOK_ROUTES,
  getPricesHistory,
  postBatchPricesHistory,
  ...PLACING_ROUTES,
];
