/**
 * Reads of orders, trades, prices and notifications from analytics.db.
 */
export {
  type ActionsQuery,
  type LiveOrdersQuery,
  type NotificationsQuery,
  type Page,
  type PriceHistoryQuery,
  type Reader,
  ThreadReader,
  type TradesQuery,
  type VolumesQuery,
} from './reader.ts';
