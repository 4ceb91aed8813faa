/** Parses texts of requests into the engine's units: addresses, markets, decimals. */
import {
  BOUNDS,
  isWhole,
  type Lots,
  lots,
  MICRO_TOKENS_PER_LOT,
  type Micros,
  micros,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { lotsText, microsText } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { parseAddress } from '../signing/address.ts';
import type { MarketEntry, Registry } from './registry.ts';

/** An address in lower case. Throws `address_malformed`. */
export function addressIn(field: string, text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  const limit = 'an address, all lower case or with its EIP-55 checksum';
  throw new ApiError('address_malformed', { field, limit, actual: echo(text) });
}

/** The market of a path. Throws `market_not_found`. */
export function marketIn(registry: Registry, conditionId: string): MarketEntry {
  const market = registry.market(conditionId.toLowerCase());
  if (market !== undefined) return market;
  throw new ApiError('market_not_found', { field: 'condition_id', actual: echo(conditionId) });
}

const DECIMAL = /^(\d{1,10})(?:\.(\d{1,6}))?$/;
const MICRO_DECIMALS = 6;

/** Micros of a decimal text; undefined for another form. */
function microsOf(text: string): number | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole = '0', fraction = ''] = match;
  return Number(whole + fraction.padEnd(MICRO_DECIMALS, '0'));
}

/**
 * Micros of a decimal text with up to 6 places. Throws `amount_out_of_bounds` beyond the engine's
 * bound, within which numbers are exact.
 */
export function amountIn(field: string, text: string): Micros {
  const amount = microsOf(text);
  if (amount === undefined) {
    const limit = 'a decimal with up to 10 digits before and 6 after the point';
    throw new ApiError('amount_out_of_bounds', { field, limit, actual: echo(text) });
  }
  const most = BOUNDS.amountMicros;
  if (!isWhole(amount, 1, most)) {
    const limit = `0.000001..${microsText(micros(most))}`;
    throw new ApiError('amount_out_of_bounds', { field, limit, actual: echo(text) });
  }
  return micros(amount);
}

/**
 * Lots of a decimal text of tokens. Throws `amount_off_grid` for a fraction of a lot, and
 * `amount_out_of_bounds`.
 */
export function tokensIn(field: string, text: string): Lots {
  const amount = microsOf(text);
  const most = BOUNDS.orderLots;
  const limit = `0.01..${lotsText(lots(most))}`;
  const actual = echo(text);
  if (amount === undefined) throw new ApiError('amount_out_of_bounds', { field, limit, actual });
  const size = amount / MICRO_TOKENS_PER_LOT;
  if (!Number.isInteger(size)) {
    throw new ApiError('amount_off_grid', { field, limit: lotsText(lots(1)), actual });
  }
  if (!isWhole(size, 1, most)) throw new ApiError('amount_out_of_bounds', { field, limit, actual });
  return lots(size);
}

const MICROS_PER_TICK = 100;

/** Ticks of a decimal text from 0 to 1 with up to 4 places. Throws `invalid_payload`. */
export function ticksIn(field: string, text: string): Ticks {
  const price = (microsOf(text) ?? Number.NaN) / MICROS_PER_TICK;
  if (isWhole(price, 0, 10_000)) return ticks(price);
  const limit = 'a decimal from 0 to 1 with up to 4 places';
  throw new ApiError('invalid_payload', { field, limit, actual: echo(text) });
}
