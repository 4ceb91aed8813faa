/**
 * L2: an API key proves itself by its passphrase and an HMAC of the request (wire 2.4).
 *
 * The order of the checks is the precedence of the codes: headers present, key known, passphrase,
 * address, form, freshness, HMAC. Invariant: passphrases and HMACs are compared in constant time.
 */
import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { Caller } from '../route.ts';
import { echo } from '../schema-fault.ts';
import { parseAddress } from '../signing/address.ts';
import type { AuthFault, AuthRefusal } from '../signing/auth-headers.ts';
import { verifyL2 } from '../signing/l2.ts';
import { staleDetails } from './freshness.ts';
import type { AuthHeaders, AuthPart } from './header-names.ts';
import type { KeyHolder, KeyRing } from './key-ring.ts';

/** The request that the headers came with, as its sender signed it. */
export interface SignedRequest {
  readonly method: string;
  /** Without the query, the likeliest first: without and with the prefix of a surface. */
  readonly paths: readonly string[];
  readonly body: Uint8Array;
}

export interface LevelTwoOptions {
  readonly keyRing: KeyRing;
  readonly nowMs: number;
  readonly windowMs: number;
}

const REQUIRED: readonly AuthPart[] = [
  'ADDRESS',
  'API_KEY',
  'PASSPHRASE',
  'TIMESTAMP',
  'SIGNATURE',
];

const CODES = {
  missing: 'missing_header',
  malformed: 'malformed_header',
  stale: 'stale_timestamp',
  signature_mismatch: 'bad_signature',
} as const satisfies Record<AuthFault, string>;

const isSameText = (expected: string, actual: string): boolean => {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The holder of the key that the headers name, with its passphrase and address checked. */
const identify = ({ prefix, values }: AuthHeaders, keyRing: KeyRing): KeyHolder => {
  const absent = REQUIRED.find((part) => values[part] === '');
  if (absent !== undefined) throw new ApiError('missing_header', { field: `${prefix}_${absent}` });
  const holder = keyRing.holderOf(values.API_KEY);
  if (holder === undefined) throw new ApiError('unknown_api_key', { field: `${prefix}_API_KEY` });
  if (!isSameText(holder.credentials.passphrase, values.PASSPHRASE)) {
    throw new ApiError('wrong_passphrase', { field: `${prefix}_PASSPHRASE` });
  }
  const field = `${prefix}_ADDRESS`;
  const parsed = parseAddress(values.ADDRESS);
  if (!parsed.ok) {
    const limit =
      parsed.fault === 'checksum'
        ? 'all lower case, or the EIP-55 checksum of these digits'
        : '0x and 40 hex digits';
    throw new ApiError('malformed_header', { field, limit, actual: echo(values.ADDRESS) });
  }
  if (parsed.address !== holder.owner) {
    throw new ApiError('address_mismatch', { field, actual: echo(values.ADDRESS) });
  }
  return holder;
};

const refuse = (
  { code, field, actual, expected }: AuthRefusal,
  { prefix, values }: AuthHeaders,
  { nowMs, windowMs }: LevelTwoOptions,
): ApiError => {
  const header = `${prefix}_${field.toUpperCase()}`;
  return code === 'stale'
    ? new ApiError(CODES.stale, {
        field: header,
        ...staleDetails(values.TIMESTAMP, nowMs, windowMs),
      })
    : new ApiError(CODES[code], { field: header, limit: expected, actual: echo(actual) });
};

/** Whose request this is; throws the `ApiError` of the first thing that is wrong. */
export const authenticateL2 = (
  headers: AuthHeaders,
  request: SignedRequest,
  options: LevelTwoOptions,
): Caller => {
  const holder = identify(headers, options.keyRing);
  const { TIMESTAMP: timestamp, SIGNATURE: signature, API_KEY: apiKey } = headers.values;
  const { nowMs, windowMs } = options;
  const result = verifyL2(
    holder.credentials.secret,
    { timestamp, signature, ...request },
    { nowMs, windowMs },
  );
  if (!result.ok) throw refuse(result, headers, options);
  return { owner: holder.owner, apiKey, purpose: 'trading', nonce: '' };
};
