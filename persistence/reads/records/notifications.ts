/** Reads the notifications of an owner, newest first. */
import type {
  NotificationRecord,
  NotifiedFill,
  OrderNotification,
  ResolutionNotification,
} from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import { hexOf, orderAlone, uuidOf } from './rows.ts';

interface OrderRow extends Pick<OrderNotification, 'id' | 'timeMs' | 'filledLots'> {
  readonly orderKey: number;
  /** Both null for a cancellation. */
  readonly tradeKey: number | null;
  readonly ordinal: number | null;
}

/** In this row the columns of order notifications are null, and in those the columns of this. */
interface ResolutionRow extends Omit<ResolutionNotification, 'kind'> {
  readonly orderKey: null;
}

interface FillRow extends Pick<NotifiedFill, 'priceTicks' | 'lots'> {
  readonly tradeId: Buffer;
  readonly transactionHash: Buffer;
  readonly takerOrderId: Buffer;
}

/** A range of one owner's rows, and a look-up by key; a test checks the query plans. */
export const NOTIFICATION_SQL = {
  newest:
    'SELECT notification_key AS id, time_ms AS timeMs, filled_lots AS filledLots, ' +
    'order_key AS orderKey, trade_key AS tradeKey, ordinal, condition_id AS conditionId, ' +
    'payout_ticks AS payoutTicks, yes_lots AS yesLots, no_lots AS noLots FROM notifications ' +
    'LEFT JOIN markets ON markets.market_key = notifications.market_key ' +
    'WHERE owner_key = ? ORDER BY notification_key DESC LIMIT ?',
  fill:
    'SELECT trade_id AS tradeId, transaction_hash AS transactionHash, ' +
    'party.price_ticks AS priceTicks, party.lots, orders.order_id AS takerOrderId ' +
    'FROM trade_parties AS party JOIN trades ON trades.trade_key = party.trade_key ' +
    'JOIN trade_parties AS taker ON taker.trade_key = party.trade_key AND taker.ordinal = 0 ' +
    'JOIN orders ON orders.order_key = taker.order_key ' +
    'WHERE party.trade_key = ? AND party.ordinal = ?',
} as const;

export function newestNotifications(
  tables: ReadTables,
  { ownerKey, limit }: { readonly ownerKey: number; readonly limit: number },
): NotificationRecord[] {
  return tables
    .statement<[number, number], OrderRow | ResolutionRow>(NOTIFICATION_SQL.newest)
    .all(ownerKey, limit)
    .map((row) => (row.orderKey === null ? resolutionOf(row) : ofOrder(tables, row)));
}

function ofOrder(tables: ReadTables, row: OrderRow): OrderNotification {
  const { id, timeMs, filledLots, orderKey, tradeKey, ordinal } = row;
  const order = orderAlone(tables, orderKey);
  const fill = tables
    .statement<[number | null, number | null], FillRow>(NOTIFICATION_SQL.fill)
    .get(tradeKey, ordinal);
  if (fill === undefined) return { id, kind: 'cancellation', timeMs, order, filledLots };
  const trade = {
    ...fill,
    tradeId: uuidOf(fill.tradeId),
    transactionHash: hexOf(fill.transactionHash),
    takerOrderId: hexOf(fill.takerOrderId),
  };
  return { id, kind: 'fill', timeMs, order, filledLots, trade };
}

function resolutionOf(row: ResolutionRow): ResolutionNotification {
  const { id, timeMs, conditionId, payoutTicks, yesLots, noLots } = row;
  return { id, kind: 'resolution', timeMs, conditionId, payoutTicks, yesLots, noLots };
}
