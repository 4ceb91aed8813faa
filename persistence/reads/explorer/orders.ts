/**
 * One order with its fills, newest first. Bound: STORE_BOUNDS.tradesPerOrder fills, the newest.
 */

import type { Lots, Ticks } from '../../../engine/index.ts';
import type { OrderRecord, PartyFees } from '../../shared/index.ts';
import { STORE_BOUNDS } from '../../shared/index.ts';
import { hexOf, type RecordReads, uuidOf } from '../records/index.ts';
import type { ReadTables } from '../tables/index.ts';

/** What an order had of one trade, in its own outcome. */
export interface ExploredFill extends PartyFees {
  readonly tradeId: string;
  readonly transactionHash: string;
  readonly seq: number;
  readonly timeMs: number;
  readonly isTaker: boolean;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

export interface ExploredOrder {
  readonly order: OrderRecord;
  readonly fills: readonly ExploredFill[];
  /** Whether it has older fills. */
  readonly more: boolean;
}

interface FillRow extends Omit<ExploredFill, 'tradeId' | 'transactionHash' | 'isTaker'> {
  readonly tradeId: Buffer;
  readonly transactionHash: Buffer;
  readonly ordinal: number;
}

/** A range of an index and look-ups by key; a test checks the query plan. */
export const ORDER_FILLS_SQL =
  'SELECT trade_id AS tradeId, transaction_hash AS transactionHash, seq, time_ms AS timeMs, ' +
  'ordinal, party.price_ticks AS priceTicks, party.lots, fee_micros AS feeMicros, ' +
  'builder_fee_micros AS builderFeeMicros, fee_bps AS feeBps FROM trade_parties AS party ' +
  'JOIN trades ON trades.trade_key = party.trade_key ' +
  'WHERE party.order_key = ? ORDER BY party.trade_key DESC LIMIT ?';

export function exploreOrder(
  tables: ReadTables,
  records: RecordReads,
  orderId: string,
): ExploredOrder | undefined {
  const order = records.order(orderId);
  if (order === undefined) return undefined;
  const limit = STORE_BOUNDS.tradesPerOrder;
  const rows = tables
    .statement<[number, number], FillRow>(ORDER_FILLS_SQL)
    .all(order.acceptedSeq, limit + 1);
  const fills = rows.slice(0, limit).map(
    ({ tradeId, transactionHash, ordinal, ...fill }): ExploredFill => ({
      ...fill,
      tradeId: uuidOf(tradeId),
      transactionHash: hexOf(transactionHash),
      isTaker: ordinal === 0,
    }),
  );
  return { order, fills, more: rows.length > limit };
}
