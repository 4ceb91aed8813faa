/**
 * Reads of analytics: fills, activity, positions, holders, leaderboards and figures of markets and
 * accounts. Each answer is a text of JSON that is sent as it is. Amounts are whole numbers until
 * they are formatted (number-text.ts), so only quotients are rounded.
 */

export { UNKNOWN_AMOUNTS } from './account-days.ts';
export { ACTIVITY_SORTS, ACTIVITY_TYPES } from './activity.ts';
export { AnalyticsReads } from './analytics-reads.ts';
export {
  type AnalyticsAnswer,
  type AnalyticsKind,
  type AnalyticsKinds,
  answerAnalytics,
  type ExchangeAnalytics,
  isAnalyticsKind,
} from './answers.ts';
export { LEADERBOARD_ORDERS, LEADERBOARD_PERIODS } from './board-terms.ts';
export { LEADERBOARD_CATEGORIES } from './category-leaders.ts';
export { MARKET_POSITION_SORTS, MARKET_POSITION_STATUSES } from './market-positions.ts';
export type { RowPlace } from './page-text.ts';
export { CLOSED_SORTS, OPEN_SORTS, PRICE_SQL } from './position-sql.ts';
export { RESOLUTION_STATUSES } from './resolutions.ts';
