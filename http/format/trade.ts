/**
 * An account's trade as the wire tells it (interface.md, wire 1.6): the taker's view on top, each
 * maker's own view in `maker_orders`.
 *
 * Invariant: what both sides paid is told in each side's own token and price, so that in a mint or
 * merge the two prices add up to one (wire 9.4); fees are beside the price, never in it.
 * Bound: the engine's makers a trade record.
 */
import { Type } from 'typebox';
import type { TradeMaker, TradeRecord } from '../../persistence/index.ts';
import type { OutcomeLabels } from '../codec/index.ts';
import { epochSeconds, isoTime, lotsText, microsText, ticksText } from '../codec/index.ts';
import { toChecksumAddress } from '../signing/index.ts';

export const MakerOrder = Type.Object({
  order_id: Type.String(),
  owner: Type.String({ description: "The maker's API key" }),
  maker_address: Type.String({ description: 'Funding account, EIP-55' }),
  matched_amount: Type.String({ description: 'Outcome tokens' }),
  price: Type.String({ description: "Of the maker's own token" }),
  fee_rate_bps: Type.String({ description: "The maker's rate when its order was accepted" }),
  fee: Type.String({ description: 'What it cost the maker besides, in collateral' }),
  asset_id: Type.String({ description: "The maker's own token" }),
  outcome: Type.String(),
  side: Type.Enum(['BUY', 'SELL']),
});
type MakerOrder = Type.Static<typeof MakerOrder>;

const Role = Type.Enum(['TAKER', 'MAKER'], { description: 'What the caller was in it' });

export const AccountTrade = Type.Object({
  id: Type.String({ description: 'UUID' }),
  taker_order_id: Type.String(),
  market: Type.String({ description: 'Condition id' }),
  asset_id: Type.String({ description: "The taker's token" }),
  side: Type.Enum(['BUY', 'SELL']),
  size: Type.String({ description: 'Outcome tokens' }),
  fee_rate_bps: Type.String({ description: "The taker's rate when its order was accepted" }),
  fee: Type.String({ description: 'What it cost the taker besides, in collateral' }),
  price: Type.String({ description: "Of the taker's token" }),
  status: Type.Enum(['CONFIRMED'], {
    description:
      'Settled within the commit that matches it: MATCHED and MINED are over before it is shown',
  }),
  match_time: Type.String({ description: 'ISO 8601; seconds for clients that need them' }),
  last_update: Type.String({ description: 'As match_time' }),
  outcome: Type.String(),
  bucket_index: Type.Integer({ description: 'Place among the trades of the taker order' }),
  owner: Type.String({ description: "The taker's API key" }),
  maker_address: Type.String({ description: 'Account that funded the taker order, EIP-55' }),
  transaction_hash: Type.String({ description: '0x and 64 hex digits' }),
  journal_seq: Type.Integer({
    description: 'The command of the journal that made it, which `id` and `transaction_hash` hash',
  }),
  maker_orders: Type.Array(MakerOrder),
  type: Role,
  trader_side: Role,
});
export type AccountTrade = Type.Static<typeof AccountTrade>;

export interface TradeReader {
  /** Lower-case address of who is asking. */
  readonly owner: string;
  readonly userAgent: string;
}

/** What is shown of a maker. */
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

/** The Rust clients read seconds and fail on ISO 8601 (wire 11.7). */
function tradeTime(timeMs: number, userAgent: string): string {
  return userAgent.startsWith('rs_clob_client') ? `${epochSeconds(timeMs)}` : isoTime(timeMs);
}

export function formatTrade(
  trade: TradeRecord,
  labels: OutcomeLabels,
  reader: TradeReader,
): AccountTrade {
  const role = trade.takerOwner === reader.owner ? 'TAKER' : 'MAKER';
  const time = tradeTime(trade.timeMs, reader.userAgent);
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
    status: 'CONFIRMED',
    match_time: time,
    last_update: time,
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
