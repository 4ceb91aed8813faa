/**
 * Reads of the analytics: positions, activity, holders, leaderboard and market figures.
 */
export { ACTIVITY_SORTS, ACTIVITY_TYPES } from './activity-kinds.ts';
export { AnalyticsHost } from './host.ts';
export { CLOSED_SORTS, OPEN_SORTS } from './position-plans.ts';
export type {
  AnalyticsAnswer,
  AnalyticsKind,
  AnalyticsQuestions,
  ExchangeAnalytics,
} from './questions.ts';
export { LEADERBOARD_ORDERS, LEADERBOARD_PERIODS } from './read-leaderboard.ts';
