/** Data API v2 (wire 8.8): the reads of `http/routes/analytics` under the names of version 2. */
import type { Route } from '../../services/index.ts';
import {
  getBiggestWinnersV2,
  getBuildersLeaderboardV2,
  getBuildersVolumeV2,
  getLeaderboardV2,
} from './boards.ts';
import { getActivityV2, getCombosV2, getTradesV2 } from './feeds.ts';
import {
  getHoldersV2,
  getLiveVolumeV2,
  getOpenInterestV2,
  getPricesHistoryV2,
  getResolutionsV2,
} from './markets.ts';
import { getApprovalsV2, getStatusV2 } from './service.ts';
import {
  getComboPositionsV2,
  getPositionsV2,
  getUserPnlV2,
  getUserStatsV2,
  getUserVolumeV2,
  getValueV2,
} from './wallets.ts';

export { DataPagination } from './define-data-route.ts';
export { ProfitPoint } from './wallets.ts';

export const DATA_V2_ROUTES: readonly Route[] = [
  getTradesV2,
  getActivityV2,
  getCombosV2,
  getPositionsV2,
  getComboPositionsV2,
  getValueV2,
  getUserVolumeV2,
  getUserPnlV2,
  getUserStatsV2,
  getOpenInterestV2,
  getLiveVolumeV2,
  getPricesHistoryV2,
  getLeaderboardV2,
  getBuildersLeaderboardV2,
  getBuildersVolumeV2,
  getHoldersV2,
  getResolutionsV2,
  getBiggestWinnersV2,
  getApprovalsV2,
  getStatusV2,
];
