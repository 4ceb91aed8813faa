/**
 * Converts the signed amounts of an order to the engine's units: limit price, size and budget
 * (wire 4.2 to 4.5).
 *
 * Invariant: whole numbers only; the limit is the tick next to the signed ratio, which misses it by
 * no more than the slack of wire 4.4. Sizes lie exactly on the grid.
 * Bound: amounts up to 2^53 - 1 base units; the engine's own bounds are below that.
 */
import {
  BOUNDS,
  type Lots,
  lots,
  MICRO_TOKENS_PER_LOT,
  type Micros,
  micros,
  ONE_TICKS,
  type OrderType,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { lotsText, MICRO_DECIMALS, microsText, ticksText } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import type { VenueProfile } from '../profiles/profile-schema.ts';
import { decimalsFor } from '../profiles/profiles.ts';
import type { SignedOrder } from '../signing/order-struct.ts';

export interface Measures {
  readonly priceTicks: Ticks;
  /** 0 for a FOK or FAK BUY. */
  readonly lots: Lots;
  /** The cash of a FOK or FAK BUY; 0 for the others. */
  readonly budgetMicros: Micros;
}

/** Base units by which the cash of an order may miss its tick, on either side (wire 4.4). */
const SLACK = { GTC: 2n, GTD: 2n, FOK: 1000n, FAK: 1000n } as const satisfies Record<
  OrderType,
  bigint
>;

const ONE = BigInt(ONE_TICKS);
const ZERO_LOTS = lots(0);
const ZERO_MICROS = micros(0);

type AmountField = 'makerAmount' | 'takerAmount';
function pathOf(field: AmountField): string {
  return `order.${field}`;
}

/** Base units as a decimal with up to 6 places, of any length. */
function baseUnitsText(digits: string): string {
  const padded = digits.padStart(MICRO_DECIMALS + 1, '0');
  return `${padded.slice(0, -MICRO_DECIMALS)}.${padded.slice(-MICRO_DECIMALS)}`.replace(
    /\.?0+$/,
    '',
  );
}

/** An amount as a number; `asset` chooses the error if it is out of bounds. */
function amountOf(order: SignedOrder, field: AmountField, asset: 'cash' | 'tokens'): number {
  const digits = order[field];
  const amount = Number(digits);
  if (amount === 0)
    throw new ApiError('amount_not_positive', { field: pathOf(field), actual: '0' });
  if (Number.isSafeInteger(amount)) return amount;
  const actual = baseUnitsText(digits);
  if (asset === 'cash') {
    const limit = `0.000001..${microsText(micros(BOUNDS.amountMicros))}`;
    throw new ApiError('amount_out_of_bounds', { field: pathOf(field), limit, actual });
  }
  const limit = `0.01..${lotsText(lots(BOUNDS.orderLots))}`;
  throw new ApiError('size_out_of_bounds', { field: pathOf(field), limit, actual });
}

function lotsOf(microTokens: number, field: AmountField): Lots {
  if (microTokens % MICRO_TOKENS_PER_LOT === 0) return lots(microTokens / MICRO_TOKENS_PER_LOT);
  const actual = baseUnitsText(String(microTokens));
  throw new ApiError('size_off_grid', { field: pathOf(field), limit: lotsText(lots(1)), actual });
}

function offTick(cash: number, tokens: number, tick: Ticks): ApiError {
  return new ApiError('price_off_tick', {
    field: 'price',
    limit: ticksText(tick),
    actual: (cash / tokens).toFixed(12).replace(/\.?0+$/, ''),
  });
}

/**
 * The limit price of an order: the tick next to the ratio of its amounts, because clients round an
 * amount up or down. Cash is compared times 10,000, so that nothing is divided before the last
 * step.
 */
function limitPrice(cash: number, tokens: number, type: OrderType, tick: Ticks): Ticks {
  const step = BigInt(tokens) * BigInt(tick);
  const scaled = BigInt(cash) * ONE;
  const steps = (2n * scaled + step) / (2n * step);
  const missed = scaled - steps * step;
  if ((missed < 0n ? -missed : missed) > SLACK[type] * ONE) throw offTick(cash, tokens, tick);
  return ticks(Number(steps) * tick);
}

/**
 * Throws `amounts_too_precise` if an amount has more decimals than the venue takes. Both amounts
 * are safe integers.
 */
function checkDecimals(order: SignedOrder, type: OrderType, tick: Ticks, profile: VenueProfile) {
  const allowed = decimalsFor(profile, { side: order.side, type, tick });
  if (allowed === undefined) return;
  for (const part of ['maker', 'taker'] as const) {
    const digits = order[`${part}Amount`];
    const limit = allowed[part];
    if (Number(digits) % 10 ** (MICRO_DECIMALS - limit) === 0) continue;
    throw new ApiError('amounts_too_precise', {
      field: pathOf(`${part}Amount`),
      limit: `${limit} decimals`,
      actual: baseUnitsText(digits),
      orders: allowed.orders,
      makerDecimals: allowed.maker,
      takerDecimals: allowed.taker,
      profile: profile.name,
    });
  }
}

/**
 * The price, size and budget of an order for this tick; throws `ApiError` if they are off the grid,
 * or have more decimals than the profile allows.
 */
export function measure(
  order: SignedOrder,
  type: OrderType,
  tick: Ticks,
  profile: VenueProfile,
): Measures {
  const isBuy = order.side === 0;
  const [cashField, tokenField]: [AmountField, AmountField] = isBuy
    ? ['makerAmount', 'takerAmount']
    : ['takerAmount', 'makerAmount'];
  const cash = amountOf(order, cashField, 'cash');
  const tokens = amountOf(order, tokenField, 'tokens');
  checkDecimals(order, type, tick, profile);
  const isBudget = isBuy && (type === 'FOK' || type === 'FAK');
  return {
    lots: isBudget ? ZERO_LOTS : lotsOf(tokens, tokenField),
    priceTicks: limitPrice(cash, tokens, type, tick),
    budgetMicros: isBudget ? micros(cash) : ZERO_MICROS,
  };
}
