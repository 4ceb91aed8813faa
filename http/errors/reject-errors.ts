/**
 * The engine's refusals with the fields and units of the wire: ticks, lots and micros become
 * decimals. The error table has their statuses and sentences.
 */
import {
  type EngineEvent,
  type Lots,
  lots,
  type Micros,
  micros,
  type Rejected,
} from '../../engine/model/index.ts';
import { lotsText, microsText } from '../codec/index.ts';
import type { ErrorDetails } from './details.ts';
import { ApiError } from './errors.ts';
import { echo } from './schema-fault.ts';

/** The names of engine fields on the wire, where they differ. */
const ORDER_FIELDS: Readonly<Record<string, string>> = {
  priceTicks: 'price',
  lots: 'size',
  budgetMicros: 'amount',
  expiresAtMs: 'order.expiration',
  account: 'order.maker',
  address: 'order.maker',
  tokenId: 'order.tokenId',
  orderId: 'orderHash',
  type: 'orderType',
};
const OPERATOR_FIELDS: Readonly<Record<string, string>> = {
  amountMicros: 'amount',
  paperMicros: 'paper',
  conditionId: 'condition_id',
  tickTicks: 'tick_size',
  minimumLots: 'minimum_order_size',
  minimumBudgetMicros: 'minimum_budget',
  selfTrade: 'self_trade',
  takerFeeBps: 'taker_fee_bps',
  makerFeeBps: 'maker_fee_bps',
  feeExponent: 'fee_exponent',
  delaySeconds: 'seconds_delay',
  takerDelayMs: 'taker_order_delay_ms',
  finerTickTicks: 'finer_tick_size',
  builder: 'builder_code',
  shareBps: 'fee_share_bps',
  takerRateBps: 'taker_rate_bps',
  makerRateBps: 'maker_rate_bps',
  payoutTicks: 'payout',
  conditionIds: 'markets',
  eventId: 'event_id',
  noneConditionId: 'none',
};
/** When an event is resolved, the named market is the winner. */
const EVENT_FIELDS = { ...OPERATOR_FIELDS, conditionId: 'winner' };
const MOVE_FIELDS: Readonly<Record<string, string>> = {
  conditionId: 'market',
  conditionIds: 'markets',
  eventId: 'event_id',
  lots: 'amount',
};

const OPERATOR_MOVE_FIELDS = { ...MOVE_FIELDS, account: 'address' };

type Value = number | string;
type Translate = (value: number) => Value;

function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

const lotsValue: Translate = (value) => (isAmount(value) ? lotsText(lots(value)) : value);
const microsValue: Translate = (value) => (isAmount(value) ? microsText(micros(value)) : value);
// Prices may be out of bounds here, so this does not use the table of prices. The double nearest to
// a whole number of ten-thousandths prints as that decimal.
const ticksValue: Translate = (value) => String(value / 10_000);
/** Rounded up, so that the limit itself is accepted. */
const secondsValue: Translate = (value) => String(Math.ceil(value / 1000));

const TRANSLATIONS: Readonly<Record<string, Translate>> = {
  priceTicks: ticksValue,
  tickTicks: ticksValue,
  finerTickTicks: ticksValue,
  payoutTicks: ticksValue,
  lots: lotsValue,
  minimumLots: lotsValue,
  minimumBudgetMicros: microsValue,
  budgetMicros: microsValue,
  amountMicros: microsValue,
  paperMicros: microsValue,
  expiresAtMs: secondsValue,
};

const WHOLE = /^\d+$/;
const RANGE = /^(\d+)\.\.(\d+)$/;

/** A number, also as text, or both ends of a range such as `100..9900`. */
function translate(field: string, value: Value): Value {
  const toWire = TRANSLATIONS[field];
  if (toWire === undefined) return value;
  // The terms of a reused order id are texts.
  if (typeof value === 'number' || WHOLE.test(value)) return toWire(Number(value));
  const range = RANGE.exec(value);
  return range === null ? value : `${toWire(Number(range[1]))}..${toWire(Number(range[2]))}`;
}

/** The details of a balance: cash in units of collateral, outcome tokens in tokens. */
function balance({ asset, required, available, held }: Rejected): ErrorDetails {
  if (asset === undefined) return {};
  // Safe: the asset determines the unit.
  const text = (value = 0): string =>
    asset === 'cash' ? microsText(value as Micros) : lotsText(value as Lots);
  return { asset, required: text(required), available: text(available), held: text(held) };
}

function errorOf(
  reject: Rejected,
  fields: Readonly<Record<string, string>>,
  more: ErrorDetails,
): ApiError {
  const { code, field, limit, actual } = reject;
  if (field === undefined) return new ApiError(code, { ...more });
  return new ApiError(code, {
    field: fields[field] ?? field,
    ...(limit === undefined ? {} : { limit: translate(field, limit) }),
    ...(actual === undefined ? {} : { actual: echo(translate(field, actual)) }),
    ...balance(reject),
    ...more,
  });
}

/** A refused order: `orderHash` goes into its sentence and its details. */
export function orderRejectError(
  reject: Rejected,
  { orderHash, isBuy }: { readonly orderHash: string; readonly isBuy: boolean },
): ApiError {
  // The side of the book is part of a sentence that clients parse (wire 5.3).
  const crossed = reject.code === 'post_only_would_cross' ? { crossed: isBuy ? 'ask' : 'bid' } : {};
  return errorOf(reject, ORDER_FIELDS, { ...crossed, orderHash });
}

/** A refused command of the operator, or one about accounts and keys. */
export function commandRejectError(reject: Rejected): ApiError {
  return errorOf(reject, OPERATOR_FIELDS, {});
}

/** The refusal among the events of a command. */
export function rejectIn(events: readonly EngineEvent[]): Rejected | undefined {
  return events.find((event) => event.kind === 'rejected');
}

export function throwReject(events: readonly EngineEvent[], errorOf = commandRejectError): void {
  const rejected = rejectIn(events);
  if (rejected !== undefined) throw errorOf(rejected);
}

/** A refused command about a neg-risk event. */
export function eventRejectError(reject: Rejected): ApiError {
  return errorOf(reject, EVENT_FIELDS, {});
}

/** A refused move between cash and tokens (format/token-moves.ts). */
export function moveRejectError(reject: Rejected): ApiError {
  return errorOf(reject, MOVE_FIELDS, {});
}

/** A refused move by the operator, who names the account in the path. */
export function operatorMoveRejectError(reject: Rejected): ApiError {
  return errorOf(reject, OPERATOR_MOVE_FIELDS, {});
}
