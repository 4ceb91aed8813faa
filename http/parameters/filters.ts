/**
 * Filters of the account's lists, from the texts of a query (wire 1.6).
 *
 * Invariant: an empty text is no filter, because some clients send empty texts for unset filters.
 * Any other invalid text is refused with its field and value.
 */
import { epochSeconds, TIME_IN_WORDS, timeMsOf } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { parseAddress } from '../signing/address.ts';
import { canonicalTokenId } from './fields.ts';

type Filter<Value> = Value | undefined;

const HASH = /^0[xX][0-9a-fA-F]{64}$/;
const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function refuse(field: string, limit: string, actual: string): never {
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(actual) });
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** A condition id or order id, in lower case. */
export function hashFilter(text: string | undefined, field: string): Filter<string> {
  return isSet(text) ? hashIn(text, field) : undefined;
}

/** Like `hashFilter`, but an empty text is refused too. */
export function hashIn(text: string, field: string): string {
  return isHash(text) ? text.toLowerCase() : refuse(field, '0x and 64 hex digits', text);
}

/** Whether a text has the form of a condition id or order id. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** A trade id. */
export function uuidFilter(text: string | undefined, field: string): Filter<string> {
  return isSet(text) ? uuidIn(text, field) : undefined;
}

/** Like `uuidFilter`, but an empty text is refused too. */
export function uuidIn(text: string, field: string): string {
  return UUID.test(text) ? text.toLowerCase() : refuse(field, 'a UUID', text);
}

/** A token id, in its canonical form. */
export function tokenFilter(text: string | undefined, field: string): Filter<string> {
  return isSet(text) ? canonicalTokenId(text, field) : undefined;
}

/** An account, in lower case. */
export function addressFilter(text: string | undefined, field: string): Filter<string> {
  if (!isSet(text)) return undefined;
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  return refuse(field, 'an address, in lower case or with its EIP-55 checksum', text);
}

/** A user in lower case, from digits in any case. Throws `missing_field` or `invalid_parameter`. */
export function userIn(text: string, field = 'user'): string {
  if (ADDRESS.test(text)) return text.toLowerCase();
  if (text === '') throw new ApiError('missing_field', { field });
  return refuse(field, '0x and 40 hex digits', text);
}

const ADDRESS_PADDING = '0'.repeat(24);

/** A builder code, 0x and 64 lower-case hex digits; an address is padded with zeros on the left. */
export function builderFilter(text: string | undefined, field: string): Filter<string> {
  if (!isSet(text)) return undefined;
  if (HASH.test(text)) return text.toLowerCase();
  const parsed = parseAddress(text);
  if (parsed.ok) return `0x${ADDRESS_PADDING}${parsed.address.slice(2)}`;
  return refuse(field, '0x and 64 hex digits, or an address', text);
}

/** Milliseconds, from a Unix timestamp in either unit. */
export function timeFilter(text: string | undefined, field: string): Filter<number> {
  return isSet(text) ? (timeMsOf(text) ?? refuse(field, TIME_IN_WORDS, text)) : undefined;
}

/** Whole seconds, from a Unix timestamp in either unit. */
export function secondsFilter(time: number | undefined, field: string): Filter<number> {
  const timeMs = time === undefined ? undefined : timeFilter(`${time}`, field);
  return timeMs === undefined ? undefined : epochSeconds(timeMs);
}

/** The filters that are set, without keys for the others. */
export function onlySet<Filters extends Readonly<Record<string, unknown>>>(filters: Filters) {
  // Safe: the entries are those of `filters`, without the keys whose value is undefined.
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Filters]?: Exclude<Filters[Name], undefined>;
  };
}
