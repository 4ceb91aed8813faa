/**
 * Converts the signed amounts of an order to the engine's units: limit price, size and budget
 * (wire 4.2 to 4.5).
 *
 * Invariant: whole numbers only; apart from the slack of wire 4.4, the limit is never worse for the
 * trader than the signed one. GTC and GTD orders lie exactly on the grid; only FOK and FAK orders
 * have slack.
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
import { lotsText, microsText, ticksText } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import type { SignedOrder } from '../signing/order-struct.ts';

export interface Measures {
  readonly priceTicks: Ticks;
  /** 0 for a FOK or FAK BUY. */
  readonly lots: Lots;
  /** The cash of a FOK or FAK BUY; 0 for the others. */
  readonly budgetMicros: Micros;
}

/** Base units that a client's floating point may be off when it makes the limit (wire 4.4). */
const LIMIT_SLACK = 2n;
/** Base units by which the amounts of a FOK or FAK may miss the grid (wire 4.4). */
const MARKET_SLACK = 1000n;

const ONE = BigInt(ONE_TICKS);
const ZERO_LOTS = lots(0);
const ZERO_MICROS = micros(0);

type AmountField = 'makerAmount' | 'takerAmount';
function pathOf(field: AmountField): string {
  return `order.${field}`;
}

/** Base units as a decimal with up to 6 places, of any length. */
function baseUnitsText(digits: string): string {
  const padded = digits.padStart(7, '0');
  return `${padded.slice(0, -6)}.${padded.slice(-6)}`.replace(/\.?0+$/, '');
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

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

/**
 * The limit price of a FOK or FAK order on the market's grid: for a BUY the highest price at which
 * the cash buys the tokens, for a SELL the lowest at which the tokens bring the cash. Cash is
 * compared times 10,000, so that nothing is divided before the last step.
 */
function marketLimit(side: 0 | 1, cash: number, tokens: number, tick: Ticks): Ticks {
  const step = BigInt(tokens) * BigInt(tick);
  const scaled = BigInt(cash) * ONE;
  const slack = LIMIT_SLACK * ONE;
  const steps = side === 0 ? (scaled + slack) / step : (scaled - slack + step - 1n) / step;
  if (distance(scaled, steps * step) > MARKET_SLACK * ONE) throw offTick(cash, tokens, tick);
  return ticks(Number(steps) * tick);
}

/**
 * The price, size and budget of an order for this tick; throws `ApiError` if they are off the grid.
 */
export function measure(order: SignedOrder, type: OrderType, tick: Ticks): Measures {
  const isBuy = order.side === 0;
  const [cashField, tokenField]: [AmountField, AmountField] = isBuy
    ? ['makerAmount', 'takerAmount']
    : ['takerAmount', 'makerAmount'];
  const cash = amountOf(order, cashField, 'cash');
  const tokens = amountOf(order, tokenField, 'tokens');
  if (type === 'FOK' || type === 'FAK') {
    const size = isBuy ? ZERO_LOTS : lotsOf(tokens, tokenField);
    const priceTicks = marketLimit(order.side, cash, tokens, tick);
    return { priceTicks, lots: size, budgetMicros: isBuy ? micros(cash) : ZERO_MICROS };
  }
  const size = lotsOf(tokens, tokenField);
  if (cash % size !== 0) throw offTick(cash, tokens, tick);
  return { priceTicks: ticks(cash / size), lots: size, budgetMicros: ZERO_MICROS };
}
