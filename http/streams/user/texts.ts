/**
 * The messages of the user channel (wire 7.1). Pure.
 *
 * Invariant: `OWN_KEY` is a placeholder for the receiver's API key. A message is made once, and
 * `withKey` makes the copy for each key.
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
import { epochSeconds, lotsText, microsText, ticksText } from '../../codec/index.ts';
import { formatMaker, type OutcomeLabels, type TradeStatus } from '../../format/index.ts';
import { toChecksumAddress } from '../../signing/address.ts';
import { type Stamp, stamped, stampedWith } from '../delivery/messages.ts';
import type { BalanceFields, EndReason, OrderFields, UserMessages } from './messages.ts';
import { originalLots, type TrackedOrder } from './order.ts';

/** Random, so that no text of the catalog can contain it. */
const OWN_KEY = randomUUID();

/** A message as a client with this key gets it. */
export function withKey(text: string, apiKey: string): string {
  return text.replaceAll(OWN_KEY, apiKey);
}

function seconds(timeMs: number): string {
  return `${epochSeconds(timeMs)}`;
}

export interface OrderStep {
  readonly type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';
  readonly timeMs: number;
  /** The engine's reason for a cancellation; '' for none. */
  readonly reason: EndReason | '';
}

function orderFields(
  order: TrackedOrder,
  labels: OutcomeLabels,
  step: OrderStep,
): OrderFields & { readonly reason?: EndReason } {
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
    timestamp: `${step.timeMs}`,
    created_at: seconds(order.createdMs),
    expiration: seconds(order.expiresAtMs),
    maker_address: toChecksumAddress(order.account),
    order_type: order.type,
    status: order.status,
    ...(step.reason === '' ? {} : { reason: step.reason }),
  };
}

export function orderMessage(
  order: TrackedOrder,
  labels: OutcomeLabels,
  step: OrderStep,
  stamp: Stamp,
): string {
  return stamped<UserMessages['order']>(orderFields(order, labels, step), stamp);
}

export interface TradeStep {
  readonly trade: TradeHead;
  readonly timeMs: number;
  readonly conditionId: string;
  /** YES token, NO token. */
  readonly tokenIds: readonly [string, string];
  readonly status: TradeStatus;
  /** When it got this status. */
  readonly toldMs: number;
  readonly isTaker: boolean;
  readonly keyOf: (orderId: string) => string;
  readonly isOwn: (account: string) => boolean;
}

/** `makers` is `makersText` of the same step. */
export function tradeMessage(
  step: TradeStep & { readonly makers: string },
  labels: OutcomeLabels,
  stamp: Stamp,
): string {
  const { trade, isTaker } = step;
  const [first] = trade.fills;
  if (first === undefined) throw new Error('a trade has a fill');
  return stampedWith<UserMessages['trade'], 'maker_orders'>(
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
      match_time: seconds(step.timeMs),
      last_update: seconds(step.toldMs),
      timestamp: `${step.toldMs}`,
      fee_rate_bps: `${first.fees?.takerFeeBps ?? 0}`,
      fee: microsText(takerFee(trade)),
      bucket_index: trade.bucket,
      maker_address: toChecksumAddress(first.takerAccount),
      transaction_hash: trade.transactionHash,
      trader_side: isTaker ? 'TAKER' : 'MAKER',
    },
    { name: 'maker_orders', json: step.makers },
    stamp,
  );
}

type MakersStep = Pick<TradeStep, 'trade' | 'tokenIds' | 'keyOf' | 'isOwn'>;

/** The makers of a trade, which may be many, written once for the messages of all its statuses. */
export function makersText(step: MakersStep, labels: OutcomeLabels): string {
  return JSON.stringify(step.trade.fills.map((fill) => makerOf(fill, step, labels)));
}

function takerFee({ fills }: TradeHead): Micros {
  return micros(fills.reduce((sum, { fees }) => sum + (fees?.takerMicros ?? 0), 0));
}

function makerOf(fill: Fill, { tokenIds, keyOf, isOwn }: MakersStep, labels: OutcomeLabels) {
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

/** An account's balance of one asset: micros of cash, or lots of a token. */
export interface AssetBalance {
  readonly account: string;
  /** '' for cash, as is `conditionId`. */
  readonly tokenId: string;
  readonly conditionId: string;
  readonly available: Micros | Lots;
  readonly held: Micros | Lots;
}

/** Amounts are base units of 6 decimals, as in GET /balance-allowance. */
function balanceFields({
  account,
  tokenId,
  conditionId,
  available,
  held,
}: AssetBalance): BalanceFields {
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
  const fields = { ...balanceFields(balance), timestamp: `${timeMs}` };
  return stamped<UserMessages['balance']>(fields, stamp);
}

interface SnapshotPart {
  /** From 1. */
  readonly part: number;
  readonly parts: number;
  readonly orders: readonly TrackedOrder[];
  readonly balances: readonly AssetBalance[];
}

/** Orders have the fields of a PLACEMENT, with their current state. */
export function snapshotMessage(
  { part, parts, orders, balances }: SnapshotPart,
  labelsOf: (conditionId: string) => OutcomeLabels,
  stamp: Stamp,
): string {
  return stamped<UserMessages['snapshot']>(
    {
      event_type: 'snapshot',
      part,
      parts,
      orders: orders.map((order) => {
        const step = { type: 'PLACEMENT', timeMs: order.createdMs, reason: '' } as const;
        return orderFields(order, labelsOf(order.conditionId), step);
      }),
      balances: balances.map(balanceFields),
      timestamp: `${stamp.serverMs}`,
    },
    stamp,
  );
}

/** A message that is not a step. Its sequence is that of the last step that was sent or skipped. */
export function ownerSignal<Kind extends 'heartbeat' | 'resumed' | 'snapshot_required' | 'skipped'>(
  kind: Kind,
  stamp: Stamp,
  details: Omit<UserMessages[Kind], keyof UserMessages['heartbeat']>,
): string {
  return stamped({ event_type: kind, ...details, timestamp: `${stamp.serverMs}` }, stamp);
}
