/**
 * An account's trade (wire 1.6): the taker's view, with each maker's own view in `maker_orders`.
 *
 * Invariant: each side has its own token and price, so that in a mint or merge the two prices add
 * up to one (wire 9.4). Fees are beside the price, never in it. Bound: the engine limits the makers
 * of one trade record.
 */
import { Type } from 'typebox';
import { type Side, type Ticks, ticks } from '../../engine/model/index.ts';
import type { TradeMaker, TradeRecord } from '../../persistence/index.ts';
import {
  type Dialect,
  epochSeconds,
  isoTime,
  lotsText,
  microsText,
  ticksText,
} from '../codec/index.ts';
import { Text } from '../parameters/index.ts';
import { toChecksumAddress } from '../signing/address.ts';
import type { TokenBook } from '../views/index.ts';
import type { OutcomeLabels } from './order.ts';

// The last trade of a token (wire 1.5).
//
// Invariant: price and side are the token's own. A trade whose taker bought NO at 0.3 is, for YES,
// a trade whose taker sold at 0.7.

export const LastTradePrice = Type.Object({
  price: Text('0.5 before the first trade'),
  side: Type.Enum(['BUY', 'SELL', ''], {
    description: "The taker's side; empty before the first trade",
  }),
});

export const LastTradesPrices = Type.Array(
  Type.Object({
    token_id: Type.String(),
    price: Type.String(),
    side: Type.Enum(['BUY', 'SELL'], { description: "The taker's side" }),
  }),
);

/** The public venue's price of a token that was never traded. */
const UNTRADED_TICKS: Ticks = ticks(5_000);

/** The last trade's price and taker side; 0.5 and '' before the first trade. */
export function lastTradeOf(book: TokenBook): { readonly price: string; readonly side: Side | '' } {
  return {
    price: ticksText(book.lastTradeTicks ?? UNTRADED_TICKS),
    side: book.lastTradeSide ?? '',
  };
}

export const MakerOrder = Type.Object({
  order_id: Type.String(),
  owner: Text("The maker's API key"),
  maker_address: Text('Funding account, EIP-55'),
  matched_amount: Text('Outcome tokens'),
  price: Text("Price of the maker's own token"),
  fee_rate_bps: Text("The maker's rate when its order was accepted"),
  fee: Text("The maker's fee, in collateral"),
  asset_id: Text("The maker's own token"),
  outcome: Type.String(),
  side: Type.Enum(['BUY', 'SELL']),
});
type MakerOrder = Type.Static<typeof MakerOrder>;

const Role = Type.Enum(['TAKER', 'MAKER'], { description: "The caller's side" });

/** What a public venue says of a trade while it settles on a chain (wire 5.6). */
export const TRADE_STATUSES = ['MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED'] as const;
export type TradeStatus = (typeof TRADE_STATUSES)[number];

/** What a fault of the sandbox tells of a trade, and since when. */
export interface ToldStatus {
  readonly status: TradeStatus;
  readonly sinceMs: number;
}

/** What reads tell of trades. */
export interface ToldTrades {
  /** undefined for a trade whose true status is told. */
  toldOf(tradeId: string): ToldStatus | undefined;
}

export const AccountTrade = Type.Object({
  id: Text('UUID'),
  taker_order_id: Type.String(),
  market: Text('Condition id'),
  asset_id: Text("The taker's token"),
  side: Type.Enum(['BUY', 'SELL']),
  size: Text('Outcome tokens'),
  fee_rate_bps: Text("The taker's rate when its order was accepted"),
  fee: Text("The taker's fee, in collateral"),
  price: Text("Price of the taker's token"),
  status: Type.Enum(TRADE_STATUSES, {
    description:
      'CONFIRMED: a trade is settled in the commit that matches it. Only a fault of the sandbox ' +
      'shows another status',
  }),
  match_time: Text('Unix seconds in the dialect polymarket, ISO 8601 in the dialect kuest'),
  last_update: Text('When it got its status, in the form of match_time: the time of the match'),
  outcome: Type.String(),
  bucket_index: Type.Integer({ description: 'Index among the trades of the taker order' }),
  owner: Text("The taker's API key"),
  maker_address: Text('Account that funded the taker order, EIP-55'),
  transaction_hash: Text('0x and 64 hex digits'),
  journal_seq: Type.Integer({
    description: 'Sequence number of its command in the journal, from which `id` is derived',
  }),
  maker_orders: Type.Array(MakerOrder),
  type: Role,
  trader_side: Role,
});
export type AccountTrade = Type.Static<typeof AccountTrade>;

export interface TradeReader {
  /** Lower-case address of the caller. */
  readonly owner: string;
  readonly userAgent: string;
  readonly dialect: Dialect;
  /** The false status of a trade; undefined for none. Without this function no trade has one. */
  readonly toldOf?: (tradeId: string) => ToldStatus | undefined;
}

export type ShownMaker = Omit<TradeMaker, 'owner' | 'builder' | 'builderFeeMicros'>;

export function formatMaker(maker: ShownMaker, labels: OutcomeLabels): MakerOrder {
  return {
    order_id: maker.orderId,
    owner: maker.apiKey,
    maker_address: toChecksumAddress(maker.account),
    matched_amount: lotsText(maker.lots),
    price: ticksText(maker.priceTicks),
    fee_rate_bps: `${maker.feeBps}`,
    fee: microsText(maker.feeMicros),
    asset_id: maker.tokenId,
    outcome: labels[maker.outcome],
    side: maker.side,
  };
}

/** Seconds in one dialect; the Rust clients of the other fail on ISO 8601 too (wire 0.14). */
function tradeTime(timeMs: number, { userAgent, dialect }: TradeReader): string {
  const readsSeconds = dialect === 'polymarket' || userAgent.startsWith('rs_clob_client');
  return readsSeconds ? `${epochSeconds(timeMs)}` : isoTime(timeMs);
}

export function formatTrade(
  trade: TradeRecord,
  labels: OutcomeLabels,
  reader: TradeReader,
): AccountTrade {
  const role = trade.takerOwner === reader.owner ? 'TAKER' : 'MAKER';
  const time = tradeTime(trade.timeMs, reader);
  const told = reader.toldOf?.(trade.tradeId);
  return {
    id: trade.tradeId,
    taker_order_id: trade.takerOrderId,
    market: trade.conditionId,
    asset_id: trade.tokenId,
    side: trade.side,
    size: lotsText(trade.lots),
    fee_rate_bps: `${trade.feeBps}`,
    fee: microsText(trade.feeMicros),
    price: ticksText(trade.priceTicks),
    status: told?.status ?? 'CONFIRMED',
    match_time: time,
    last_update: told === undefined ? time : tradeTime(told.sinceMs, reader),
    outcome: labels[trade.outcome],
    bucket_index: trade.bucket,
    owner: trade.takerApiKey,
    maker_address: toChecksumAddress(trade.takerAccount),
    transaction_hash: trade.transactionHash,
    journal_seq: trade.seq,
    maker_orders: trade.makers.map((maker) => formatMaker(maker, labels)),
    type: role,
    trader_side: role,
  };
}
