/**
 * The messages of the user channel (wire 7.1), as texts. Pure.
 *
 * Invariant: where the receiver's API key belongs stands `OWN_KEY`, so that a message is made once
 * and each key gets its own copy.
 */
import { randomUUID } from 'node:crypto';
import {
  type Fill,
  type Lots,
  MICRO_TOKENS_PER_LOT,
  type Micros,
  micros,
} from '../../../engine/model/index.ts';
import type { TradeHead } from '../../../persistence/index.ts';
import type { OutcomeLabels } from '../../codec/index.ts';
import { epochSeconds, lotsText, microsText, ticksText } from '../../codec/index.ts';
import { formatMaker } from '../../format/index.ts';
import { toChecksumAddress } from '../../signing/index.ts';
import type { Stamp } from '../market/index.ts';
import { type AccountOrder, originalLots } from './account-order.ts';

/** In the place of the receiver's API key; nobody can know it, so no word of a market is it. */
const OWN_KEY = randomUUID();

/** The message for who has this key. */
export function withKey(text: string, apiKey: string): string {
  return text.replaceAll(OWN_KEY, apiKey);
}

function seconds(timeMs: number): string {
  return `${epochSeconds(timeMs)}`;
}

function stamped(fields: object, { sequence, streamId, serverMs }: Stamp): string {
  return JSON.stringify({ ...fields, sequence, stream_id: streamId, server_ts_ms: serverMs });
}

export interface OrderStep {
  readonly type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';
  readonly timeMs: number;
  /** Why it was cancelled, in the engine's words; '' for none. */
  readonly reason: string;
}

function orderFields(order: AccountOrder, labels: OutcomeLabels, step: OrderStep) {
  return {
    event_type: 'order',
    type: step.type,
    id: order.orderId,
    market: order.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    price: ticksText(order.priceTicks),
    original_size: lotsText(originalLots(order)),
    size_matched: lotsText(order.filledLots),
    outcome: labels[order.outcome],
    owner: OWN_KEY,
    order_owner: OWN_KEY,
    associate_trades: order.tradeIds.length === 0 ? null : order.tradeIds,
    timestamp: seconds(step.timeMs),
    created_at: seconds(order.createdMs),
    expiration: seconds(order.expiresAtMs),
    maker_address: toChecksumAddress(order.account),
    order_type: order.type,
    status: order.status,
    ...(step.reason === '' ? {} : { reason: step.reason }),
  };
}

export function orderMessage(
  order: AccountOrder,
  labels: OutcomeLabels,
  step: OrderStep,
  stamp: Stamp,
): string {
  return stamped(orderFields(order, labels, step), stamp);
}

export interface TradeStep {
  readonly trade: TradeHead;
  readonly timeMs: number;
  readonly conditionId: string;
  /** YES token, NO token. */
  readonly tokenIds: readonly [string, string];
  readonly status: 'MATCHED' | 'MINED' | 'CONFIRMED';
  readonly isTaker: boolean;
  /** The key that a maker order came with. */
  readonly keyOf: (orderId: string) => string;
  readonly isOwn: (account: string) => boolean;
}

export function tradeMessage(step: TradeStep, labels: OutcomeLabels, stamp: Stamp): string {
  const { trade, isTaker } = step;
  const [first] = trade.fills;
  if (first === undefined) throw new Error('a trade has a fill');
  const time = seconds(step.timeMs);
  return stamped(
    {
      event_type: 'trade',
      type: 'TRADE',
      id: trade.tradeId,
      taker_order_id: trade.takerOrderId,
      market: step.conditionId,
      asset_id: step.tokenIds[first.takerOutcome],
      side: first.takerSide,
      size: lotsText(trade.lots),
      price: ticksText(trade.priceTicks),
      status: step.status,
      outcome: labels[first.takerOutcome],
      owner: OWN_KEY,
      trade_owner: OWN_KEY,
      matchtime: time,
      match_time: time,
      last_update: time,
      timestamp: time,
      fee_rate_bps: `${first.fees?.takerFeeBps ?? 0}`,
      fee: microsText(takerFee(trade)),
      bucket_index: trade.bucket,
      maker_address: toChecksumAddress(first.takerAccount),
      transaction_hash: trade.transactionHash,
      trader_side: isTaker ? 'TAKER' : 'MAKER',
      maker_orders: trade.fills.map((fill) => makerOf(fill, step, labels)),
    },
    stamp,
  );
}

function takerFee({ fills }: TradeHead): Micros {
  return micros(fills.reduce((sum, { fees }) => sum + (fees?.takerMicros ?? 0), 0));
}

function makerOf(fill: Fill, { tokenIds, keyOf, isOwn }: TradeStep, labels: OutcomeLabels) {
  return formatMaker(
    {
      orderId: fill.makerOrderId,
      account: fill.makerAccount,
      apiKey: isOwn(fill.makerAccount) ? OWN_KEY : keyOf(fill.makerOrderId),
      tokenId: tokenIds[fill.makerOutcome],
      outcome: fill.makerOutcome,
      side: fill.makerSide,
      priceTicks: fill.makerPriceTicks,
      lots: fill.lots,
      feeMicros: fill.fees?.makerMicros ?? micros(0),
      feeBps: fill.fees?.makerFeeBps ?? 0,
    },
    labels,
  );
}

/** What an account has of one asset: micros of cash, or lots. */
export interface AssetBalance {
  readonly account: string;
  /** '' for cash, as is the market. */
  readonly tokenId: string;
  readonly conditionId: string;
  readonly available: Micros | Lots;
  readonly held: Micros | Lots;
}

/** Amounts are those of GET /balance-allowance: base units of 6 decimals. */
function balanceFields({ account, tokenId, conditionId, available, held }: AssetBalance) {
  const unit = tokenId === '' ? 1 : MICRO_TOKENS_PER_LOT;
  return {
    event_type: 'balance',
    asset_type: tokenId === '' ? 'COLLATERAL' : 'CONDITIONAL',
    asset_id: tokenId,
    market: conditionId,
    address: toChecksumAddress(account),
    balance: `${(available + held) * unit}`,
    available: `${available * unit}`,
    held: `${held * unit}`,
  };
}

export function balanceMessage(balance: AssetBalance, timeMs: number, stamp: Stamp): string {
  return stamped({ ...balanceFields(balance), timestamp: seconds(timeMs) }, stamp);
}

export interface AccountSnapshotPart {
  /** From 1. */
  readonly part: number;
  readonly parts: number;
  readonly orders: readonly AccountOrder[];
  readonly balances: readonly AssetBalance[];
}

/** Orders as a PLACEMENT tells them, as they stand. */
export function snapshotMessage(
  { part, parts, orders, balances }: AccountSnapshotPart,
  labelsOf: (conditionId: string) => OutcomeLabels,
  stamp: Stamp,
): string {
  return stamped(
    {
      event_type: 'snapshot',
      part,
      parts,
      orders: orders.map((order) => {
        const step = { type: 'PLACEMENT', timeMs: order.createdMs, reason: '' } as const;
        return orderFields(order, labelsOf(order.conditionId), step);
      }),
      balances: balances.map(balanceFields),
      timestamp: seconds(stamp.serverMs),
    },
    stamp,
  );
}

/** What the channel says of itself; its sequence is that of the last step, or of one skipped. */
export function accountSignal(
  kind: 'heartbeat' | 'resumed' | 'snapshot_required' | 'skipped',
  stamp: Stamp,
  details: Readonly<Record<string, string | number>> = {},
): string {
  return stamped({ event_type: kind, ...details, timestamp: `${stamp.serverMs}` }, stamp);
}
