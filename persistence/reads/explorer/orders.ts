/**
 * One order with its fills, newest first. Bound: STORE_BOUNDS.tradesPerOrder fills, the newest.
 */
import type { Lots, Outcome, Ticks } from '../../../engine/index.ts';
import {
  type MarketVolume,
  type OrderRecord,
  type PartyFees,
  STORE_BOUNDS,
} from '../../shared/index.ts';
import { PRICE_SQL } from '../analytics/index.ts';
import { hexOf, type RecordReads, uuidOf } from '../records/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';

/** What the tables have of a market: its tokens in existence, prices, volume and last trade. */
export interface ExploredMarket {
  readonly createdSeq: number;
  /** Tokens in existence. Each complete set is one of each. */
  readonly yesLots: Lots;
  readonly noLots: Lots;
  /** The price of the last trade, in YES; 0 for none. */
  readonly lastTicks: Ticks;
  /** The midpoint of the book in half ticks of YES; 0 while a side is empty. */
  readonly midpoint: number;
  readonly payoutTicks: Ticks | null;
  readonly resolvedMs: number | null;
  readonly volume: MarketVolume;
  /** undefined for none. */
  readonly lastTrade: LastTrade | undefined;
}

interface LastTrade {
  readonly tradeId: string;
  readonly seq: number;
  readonly timeMs: number;
}

/** Look-ups by key; a test checks the query plans. */
export const EXPLORER_MARKET_SQL = {
  state:
    'SELECT created_seq AS createdSeq, yes_lots AS yesLots, no_lots AS noLots, ' +
    'last_ticks AS lastTicks, midpoint, payout_ticks AS payoutTicks, resolved_ms AS resolvedMs ' +
    'FROM markets JOIN market_states AS s ON s.market_key = markets.market_key ' +
    'WHERE markets.market_key = ?',
  lastTrade:
    'SELECT trade_id AS tradeId, seq, time_ms AS timeMs FROM trades ' +
    'WHERE market_key = ? ORDER BY trade_key DESC LIMIT 1',
} as const;

export interface ExploredMarketQuery {
  readonly conditionId: string;
  /** `volume.recentMicros` counts from the first full hour after this time. */
  readonly sinceMs: number;
}

export function exploreMarket(
  tables: ReadTables,
  records: RecordReads,
  { conditionId, sinceMs }: ExploredMarketQuery,
): ExploredMarket | undefined {
  const marketKey = tables.key('market', conditionId);
  if (marketKey === undefined) return undefined;
  type State = Omit<ExploredMarket, 'volume' | 'lastTrade'>;
  type TradeRow = Omit<LastTrade, 'tradeId'> & { readonly tradeId: Buffer };
  const state = tables.statement<[number], State>(EXPLORER_MARKET_SQL.state).get(marketKey);
  const [volume] = records.volumes({ conditionIds: [conditionId], sinceMs });
  if (state === undefined || volume === undefined) throw new Error(`no row of ${conditionId}`);
  const trade = tables.statement<[number], TradeRow>(EXPLORER_MARKET_SQL.lastTrade).get(marketKey);
  const lastTrade = trade && { ...trade, tradeId: uuidOf(trade.tradeId) };
  return { ...state, volume, lastTrade };
}

// What the tables have of an account. Bound: STORE_BOUNDS.exploredPositions positions.

/** Tokens of an account, available and held, also worthless ones that were not redeemed. */
export interface HeldPosition {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly lots: Lots;
  /** The value of one token, as in the value of positions. */
  readonly halfTicks: number;
}

export interface ExploredAccount {
  /** The command that opened it. */
  readonly openedSeq: number;
  /** In the markets' order of creation, then YES before NO. */
  readonly positions: readonly HeldPosition[];
  /** Whether there are further positions. */
  readonly more: boolean;
}

export const EXPLORER_ACCOUNT_SQL = {
  opened: 'SELECT opened_seq FROM accounts WHERE account_key = @accountKey',
  positions:
    'SELECT condition_id AS conditionId, iif(p.outcome = 0, yes_token, no_token) AS tokenId, ' +
    `p.outcome, p.lots, ${PRICE_SQL} AS halfTicks FROM positions AS p ` +
    'JOIN markets ON markets.market_key = p.market_key ' +
    'JOIN market_states AS s ON s.market_key = p.market_key ' +
    'WHERE p.account_key = ? AND p.lots > 0 ORDER BY p.market_key, p.outcome LIMIT ?',
} as const;

export function exploreAccount(tables: ReadTables, address: string): ExploredAccount | undefined {
  const accountKey = tables.key('account', address);
  if (accountKey === undefined) return undefined;
  const limit = STORE_BOUNDS.exploredPositions;
  const [openedSeq = 0] = tables.column<number>(EXPLORER_ACCOUNT_SQL.opened, { accountKey });
  const positions = tables
    .statement<[number, number], HeldPosition>(EXPLORER_ACCOUNT_SQL.positions)
    .all(accountKey, limit + 1);
  return { openedSeq, positions: positions.slice(0, limit), more: positions.length > limit };
}

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
