/** The reads of analytics. */
import type { Route } from '../../services/index.ts';
import { getAccountingSnapshot } from './accounting.ts';
import { getActivity, getTrades } from './fills.ts';
import { getBuilderLeaderboard, getBuilderVolume, getLeaderboard } from './leaderboard.ts';
import { getHolders, getLiveVolume, getMarketPositions, getOpenInterest } from './markets.ts';
import { getClosedPositions, getPositions, getTraded, getValue, getVolume } from './positions.ts';

export const ANALYTICS_ROUTES = [
  getTrades,
  getActivity,
  getPositions,
  getClosedPositions,
  getValue,
  getTraded,
  getVolume,
  getHolders,
  getMarketPositions,
  getOpenInterest,
  getLiveVolume,
  getLeaderboard,
  getBuilderLeaderboard,
  getBuilderVolume,
  getAccountingSnapshot,
] as const satisfies readonly Route[];
