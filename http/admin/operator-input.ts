/**
 * What the operator writes, to the engine's forms: addresses and amounts of collateral.
 */
import { BOUNDS, type EngineEvent, isWhole, type Micros, micros } from '../../engine/index.ts';
import { ApiError } from '../errors.ts';
import { microsText } from '../format/decimal.ts';
import { commandRejectError } from '../reject-errors.ts';
import { echo } from '../schema-fault.ts';
import { parseAddress } from '../signing/address.ts';

const AMOUNT = /^(\d{1,10})(?:\.(\d{1,6}))?$/;

/** Lower case; throws `address_malformed`. */
export const addressIn = (field: string, text: string): string => {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  const limit = 'an address, all lower case or with its EIP-55 checksum';
  throw new ApiError('address_malformed', { field, limit, actual: echo(text) });
};

/**
 * Micros of a decimal text with up to 6 places, within the engine's bound of an amount, which keeps
 * them exact; throws `amount_out_of_bounds`.
 */
export const amountIn = (field: string, text: string): Micros => {
  const match = AMOUNT.exec(text);
  if (match === null) {
    const limit = 'a decimal with up to 10 digits before and 6 after the point';
    throw new ApiError('amount_out_of_bounds', { field, limit, actual: echo(text) });
  }
  const [, whole = '0', fraction = ''] = match;
  const amount = Number(whole + fraction.padEnd(6, '0'));
  const most = BOUNDS.amountMicros;
  if (!isWhole(amount, 1, most)) {
    const limit = `0.000001..${microsText(micros(most))}`;
    throw new ApiError('amount_out_of_bounds', { field, limit, actual: echo(text) });
  }
  return micros(amount);
};

/** Whether a command was done before; throws the `ApiError` of a refused one. */
export const wasKnown = (events: readonly EngineEvent[]): boolean => {
  const rejected = events.find((event) => event.kind === 'rejected');
  if (rejected !== undefined) throw commandRejectError(rejected);
  return events.some(({ kind }) => kind === 'known');
};
