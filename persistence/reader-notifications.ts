/**
 * Puts the notifications of an owner together. Owned by the reader's thread. Bound: what its caller
 * asks for.
 */
import type { Database, Statement } from 'better-sqlite3';
import { hexOf, type RecordReader, uuidOf } from './reader-records.ts';
import type { NotificationRecord, NotifiedFill } from './records.ts';

interface NotificationRow extends Pick<NotificationRecord, 'id' | 'timeMs' | 'filledLots'> {
  readonly orderKey: number;
  /** Both null for a cancellation. */
  readonly tradeKey: number | null;
  readonly ordinal: number | null;
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
    'order_key AS orderKey, trade_key AS tradeKey, ordinal FROM notifications ' +
    'WHERE owner_key = ? ORDER BY notification_key DESC LIMIT ?',
  fill:
    'SELECT trade_id AS tradeId, transaction_hash AS transactionHash, ' +
    'maker.price_ticks AS priceTicks, maker.lots, orders.order_id AS takerOrderId ' +
    'FROM trade_parties AS maker JOIN trades ON trades.trade_key = maker.trade_key ' +
    'JOIN trade_parties AS taker ON taker.trade_key = maker.trade_key AND taker.ordinal = 0 ' +
    'JOIN orders ON orders.order_key = taker.order_key ' +
    'WHERE maker.trade_key = ? AND maker.ordinal = ?',
} as const;

export class NotificationReader {
  readonly #records: RecordReader;
  readonly #newest: Statement<[number, number], NotificationRow>;
  readonly #fill: Statement<[number | null, number | null], FillRow>;

  constructor(database: Database, records: RecordReader) {
    this.#records = records;
    this.#newest = database.prepare(NOTIFICATION_SQL.newest);
    this.#fill = database.prepare(NOTIFICATION_SQL.fill);
  }

  newest(ownerKey: number, limit: number): NotificationRecord[] {
    return this.#newest.all(ownerKey, limit).map((row) => this.#record(row));
  }

  #record({ id, timeMs, filledLots, orderKey, tradeKey, ordinal }: NotificationRow) {
    const order = this.#records.orderAlone(orderKey);
    const fill = this.#fill.get(tradeKey, ordinal);
    if (fill === undefined) return { id, kind: 'cancellation', timeMs, order, filledLots } as const;
    const trade = {
      ...fill,
      tradeId: uuidOf(fill.tradeId),
      transactionHash: hexOf(fill.transactionHash),
      takerOrderId: hexOf(fill.takerOrderId),
    };
    return { id, kind: 'fill', timeMs, order, filledLots, trade } as const;
  }
}
