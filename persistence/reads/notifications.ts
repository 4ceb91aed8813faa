/**
 * Puts the notifications of an owner together. Owned by the reader's thread. Bound: what its caller
 * asks for.
 */
import type { Database, Statement } from 'better-sqlite3';
import type {
  NotificationRecord,
  NotifiedFill,
  OrderNotification,
  ResolutionNotification,
} from '../shared/index.ts';
import { hexOf, type RecordReader, uuidOf } from './records.ts';

interface OrderRow extends Pick<OrderNotification, 'id' | 'timeMs' | 'filledLots'> {
  readonly orderKey: number;
  /** Both null for a cancellation. */
  readonly tradeKey: number | null;
  readonly ordinal: number | null;
}

/** What is of an order alone is null, and of the other kind what is of a resolution alone. */
interface ResolutionRow extends Omit<ResolutionNotification, 'kind'> {
  readonly orderKey: null;
}

interface FillRow extends Pick<NotifiedFill, 'priceTicks' | 'lots'> {
  readonly tradeId: Buffer;
  readonly transactionHash: Buffer;
  readonly takerOrderId: Buffer;
}

/** A range of one owner's rows, and look-ups by key; a test reads the plans. */
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

export class NotificationReader {
  readonly #records: RecordReader;
  readonly #newest: Statement<[number, number], OrderRow | ResolutionRow>;
  readonly #fill: Statement<[number | null, number | null], FillRow>;

  constructor(database: Database, records: RecordReader) {
    this.#records = records;
    this.#newest = database.prepare(NOTIFICATION_SQL.newest);
    this.#fill = database.prepare(NOTIFICATION_SQL.fill);
  }

  newest(ownerKey: number, limit: number): NotificationRecord[] {
    return this.#newest
      .all(ownerKey, limit)
      .map((row) => (row.orderKey === null ? resolutionOf(row) : this.#ofOrder(row)));
  }

  #ofOrder({ id, timeMs, filledLots, orderKey, tradeKey, ordinal }: OrderRow): OrderNotification {
    const order = this.#records.orderAlone(orderKey);
    const fill = this.#fill.get(tradeKey, ordinal);
    if (fill === undefined) return { id, kind: 'cancellation', timeMs, order, filledLots };
    const trade = {
      ...fill,
      tradeId: uuidOf(fill.tradeId),
      transactionHash: hexOf(fill.transactionHash),
      takerOrderId: hexOf(fill.takerOrderId),
    };
    return { id, kind: 'fill', timeMs, order, filledLots, trade };
  }
}

function resolutionOf(row: ResolutionRow): ResolutionNotification {
  const { id, timeMs, conditionId, payoutTicks, yesLots, noLots } = row;
  return { id, kind: 'resolution', timeMs, conditionId, payoutTicks, yesLots, noLots };
}
