/**
 * Puts the records of orders and trades together. Bound: an order names its newest
 * STORE_BOUNDS.tradesPerOrder trades; a trade has as many makers as the engine matched.
 */
import { strict as assert } from 'node:assert';
import {
  type OrderRecord,
  STORE_BOUNDS,
  type TradeMaker,
  type TradeRecord,
} from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';

interface OrderRow
  extends Omit<OrderRecord, 'orderId' | 'builder' | 'postOnly' | 'tradeIds' | 'transactionHashes'> {
  readonly orderId: Buffer;
  readonly builder: Buffer | null;
  readonly postOnly: number;
}

interface OrderTradeRow {
  readonly tradeId: Buffer;
  readonly transactionHash: Buffer;
  readonly ordinal: number;
}

interface TradeRow
  extends Pick<TradeRecord, 'seq' | 'timeMs' | 'bucket' | 'conditionId' | 'priceTicks' | 'lots'> {
  readonly tradeId: Buffer;
  readonly transactionHash: Buffer;
}

interface PartyRow extends Omit<TradeMaker, 'orderId' | 'builder'> {
  readonly orderId: Buffer;
  readonly builder: Buffer | null;
}

const NAMES =
  'JOIN accounts ON accounts.account_key = orders.account_key ' +
  'JOIN owners ON owners.owner_key = orders.owner_key ' +
  'JOIN markets ON markets.market_key = orders.market_key';

/** Look-ups by key; a test checks the query plans. */
export const RECORD_SQL = {
  order:
    'SELECT order_id AS orderId, order_key AS acceptedSeq, accounts.address AS account, ' +
    'owners.address AS owner, api_key AS apiKey, builder, condition_id AS conditionId, ' +
    'iif(outcome = 0, yes_token, no_token) AS tokenId, outcome, side, type, ' +
    'post_only AS postOnly, price_ticks AS priceTicks, lots, budget_micros AS budgetMicros, ' +
    'filled_lots AS filledLots, filled_micros AS filledMicros, fee_micros AS feeMicros, status, ' +
    'close_reason AS closeReason, created_ms AS createdMs, updated_ms AS updatedMs, ' +
    'expires_ms AS expiresAtMs, release_ms AS releaseMs, ' +
    `closed_seq AS closedSeq FROM orders ${NAMES} WHERE order_key = ?`,
  orderTrades:
    'SELECT trade_id AS tradeId, transaction_hash AS transactionHash, ordinal ' +
    'FROM trade_parties AS party JOIN trades ON trades.trade_key = party.trade_key ' +
    'WHERE party.order_key = ? ORDER BY party.trade_key DESC LIMIT ?',
  trade:
    'SELECT trade_id AS tradeId, transaction_hash AS transactionHash, seq, time_ms AS timeMs, ' +
    'bucket, condition_id AS conditionId, price_ticks AS priceTicks, lots FROM trades ' +
    'JOIN markets ON markets.market_key = trades.market_key WHERE trade_key = ?',
  parties:
    'SELECT order_id AS orderId, accounts.address AS account, owners.address AS owner, ' +
    'api_key AS apiKey, party.builder, iif(party.outcome = 0, yes_token, no_token) AS tokenId, ' +
    'party.outcome, party.side, party.price_ticks AS priceTicks, party.lots, ' +
    'party.fee_micros AS feeMicros, builder_fee_micros AS builderFeeMicros, fee_bps AS feeBps ' +
    'FROM trade_parties AS party ' +
    `JOIN orders ON orders.order_key = party.order_key ${NAMES} ` +
    'WHERE trade_key = ? ORDER BY ordinal LIMIT ?',
} as const;

export function orderWithTrades(tables: ReadTables, orderKey: number): OrderRecord {
  const trades = tables
    .statement<[number, number], OrderTradeRow>(RECORD_SQL.orderTrades)
    .all(orderKey, STORE_BOUNDS.tradesPerOrder)
    .reverse();
  const taken = trades.filter(({ ordinal }) => ordinal === 0);
  return {
    ...orderAlone(tables, orderKey),
    tradeIds: trades.map(({ tradeId }) => uuidOf(tradeId)),
    transactionHashes: taken.map(({ transactionHash }) => hexOf(transactionHash)),
  };
}

/** Reads an order without its trades. */
export function orderAlone(tables: ReadTables, orderKey: number): OrderRecord {
  const row = tables.statement<[number], OrderRow>(RECORD_SQL.order).get(orderKey);
  assert(row !== undefined, 'every order key has its row in orders');
  return {
    ...row,
    orderId: hexOf(row.orderId),
    builder: builderOf(row.builder),
    postOnly: row.postOnly === 1,
    tradeIds: [],
    transactionHashes: [],
  };
}

export function tradeOf(tables: ReadTables, tradeKey: number, takersOnly = false): TradeRecord {
  const row = tables.statement<[number], TradeRow>(RECORD_SQL.trade).get(tradeKey);
  const parties = tables
    .statement<[number, number], PartyRow>(RECORD_SQL.parties)
    .all(tradeKey, takersOnly ? 1 : NO_LIMIT);
  const [taker, ...makers] = parties.map(partyOf);
  assert(row !== undefined && taker !== undefined, 'every trade key has its rows');
  return {
    ...row,
    tradeId: uuidOf(row.tradeId),
    transactionHash: hexOf(row.transactionHash),
    takerOrderId: taker.orderId,
    takerAccount: taker.account,
    takerOwner: taker.owner,
    takerApiKey: taker.apiKey,
    takerBuilder: taker.builder,
    tokenId: taker.tokenId,
    outcome: taker.outcome,
    side: taker.side,
    feeMicros: taker.feeMicros,
    builderFeeMicros: taker.builderFeeMicros,
    feeBps: taker.feeBps,
    makers,
  };
}

/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;

function partyOf(row: PartyRow): TradeMaker {
  return {
    ...row,
    orderId: hexOf(row.orderId),
    builder: builderOf(row.builder),
  };
}

function builderOf(bytes: Buffer | null): string {
  return bytes === null ? '' : hexOf(bytes);
}

export function hexOf(bytes: Buffer): string {
  return `0x${bytes.toString('hex')}`;
}

export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-` +
    `${hex.slice(16, 20)}-${hex.slice(20)}`
  );
}
