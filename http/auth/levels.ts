/**
 * L2 authentication: the passphrase of an API key and an HMAC of the request (wire 2.4). A builder
 * key has headers of its own and no address (wire 2.6).
 *
 * The checks, in the order in which they refuse: headers present, key known, not revoked, of a
 * purpose that these headers take, passphrase, address, form of timestamp and signature, freshness,
 * HMAC, and whether the key's purpose allows the request. Invariant: passphrases and HMACs are
 * compared in constant time; only a trading key places orders.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  type AuthHeaders,
  type AuthPart,
  type Caller,
  headerName,
  type SignedRequest,
} from '../api/index.ts';
import { isoTime } from '../codec/index.ts';
import { ApiError, type ErrorCode, type ErrorDetails, echo } from '../errors/index.ts';
import { ADDRESS_IN_WORDS, parseAddress } from '../signing/address.ts';
import type { AuthFault, AuthRefusal, FreshnessWindow } from '../signing/auth-headers.ts';
import { verifyL2 } from '../signing/l2.ts';
import type { KeyHolder, KeyRing } from './key-ring.ts';

// The error for refused auth headers. If the timestamp is outside the window, the error has the
// server's time and the window, so that the user of a wrong clock sees the cause.

/** `recovered`: the signer of a wallet's signature on each chain. */
type Refusal = AuthRefusal & { readonly recovered?: readonly object[] };

export function headerError(
  codes: Readonly<Record<AuthFault, ErrorCode>>,
  { code, actual, expected, recovered, ...refusal }: Refusal,
  headers: AuthHeaders,
  { nowMs, windowMs, wallMs = nowMs }: FreshnessWindow,
): ApiError {
  const field = headerName(headers, refusal.field.toUpperCase());
  const details: ErrorDetails =
    code === 'stale'
      ? {
          limit: `${windowMs / 1000} seconds around the server's time`,
          actual: headers.values.TIMESTAMP,
          serverTimeMs: nowMs,
          ...(wallMs === nowMs ? {} : { wallTimeMs: wallMs }),
          windowMs,
        }
      : { limit: expected, actual: echo(actual) };
  const signers = code === 'signature_mismatch' && recovered !== undefined ? { recovered } : {};
  return new ApiError(codes[code], { field, ...details, ...signers });
}

export interface LevelTwoOptions {
  readonly keyRing: KeyRing;
  /** How far a timestamp may be from the server's clock. */
  readonly windowMs: number;
}

/** In the order in which they are reported missing. */
const REQUIRED = ['ADDRESS', 'API_KEY', 'PASSPHRASE', 'TIMESTAMP', 'SIGNATURE'] as const;
const REQUIRED_OF_BUILDERS = ['API_KEY', 'PASSPHRASE', 'TIMESTAMP', 'SIGNATURE'] as const;

/** The methods of a read-only key. */
const READING_METHODS: readonly string[] = ['GET', 'HEAD'];

const CODES = {
  missing: 'missing_header',
  malformed: 'malformed_header',
  stale: 'stale_timestamp',
  signature_mismatch: 'bad_signature',
} as const satisfies Record<AuthFault, string>;

/** Compares texts of equal length in constant time. */
export function isSameText(expected: string, actual: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The holder of the headers' key, which must be of a purpose that these headers take. */
function holderIn(headers: AuthHeaders, keyRing: KeyRing): KeyHolder {
  const apiKey = headers.values.API_KEY;
  const field = headerName(headers, 'API_KEY');
  const holder = keyRing.holderOf(apiKey);
  if (holder === undefined) {
    const revokedMs = keyRing.revokedMs(apiKey);
    if (revokedMs === undefined) throw new ApiError('unknown_api_key', { field });
    throw new ApiError('api_key_revoked', { field, revokedAt: isoTime(revokedMs) });
  }
  const { purpose } = holder;
  if (headers.isBuilder !== (purpose === 'builder')) {
    const limit = headers.isBuilder ? 'a builder key' : 'a trading or read-only key';
    throw new ApiError('wrong_key_purpose', { field, limit, actual: purpose });
  }
  return holder;
}

function checkAddress(headers: AuthHeaders, owner: string): void {
  const { ADDRESS } = headers.values;
  const field = headerName(headers, 'ADDRESS');
  const parsed = parseAddress(ADDRESS);
  if (!parsed.ok) {
    const limit = ADDRESS_IN_WORDS[parsed.fault];
    throw new ApiError('malformed_header', { field, limit, actual: echo(ADDRESS) });
  }
  if (parsed.address !== owner) {
    // The caller has proved the passphrase, so the error may name the owner.
    const details = { limit: owner, actual: echo(ADDRESS) };
    throw new ApiError('address_mismatch', { field, ...details });
  }
}

/** The holder of the key that the headers name, with its passphrase and address checked. */
function identify(headers: AuthHeaders, keyRing: KeyRing): KeyHolder {
  const { values, isBuilder } = headers;
  const required: readonly AuthPart[] = isBuilder ? REQUIRED_OF_BUILDERS : REQUIRED;
  const absent = required.find((part) => values[part] === '');
  if (absent !== undefined) {
    throw new ApiError('missing_header', { field: headerName(headers, absent) });
  }
  const holder = holderIn(headers, keyRing);
  if (!isSameText(holder.credentials.passphrase, values.PASSPHRASE)) {
    throw new ApiError('wrong_passphrase', { field: headerName(headers, 'PASSPHRASE') });
  }
  if (!isBuilder) checkAddress(headers, holder.owner);
  return holder;
}

/** The caller of a request; throws the `ApiError` of the first check that fails. */
export function authenticateL2(
  headers: AuthHeaders,
  request: SignedRequest,
  options: LevelTwoOptions,
): Caller {
  const holder = identify(headers, options.keyRing);
  const { TIMESTAMP: timestamp, SIGNATURE: signature, API_KEY: apiKey } = headers.values;
  const { method, paths, body, nowMs, wallMs } = request;
  const window = { nowMs, wallMs, windowMs: options.windowMs };
  const signed = { timestamp, signature, method, paths, body };
  const result = verifyL2(holder.credentials.secret, signed, window);
  if (!result.ok) throw headerError(CODES, result, headers, window);
  const { owner, purpose } = holder;
  if (purpose === 'readonly' && !READING_METHODS.includes(method)) {
    const details = { limit: 'GET', actual: method };
    throw new ApiError('read_only_key', { field: 'method', ...details });
  }
  return { owner, apiKey, purpose, nonce: '', hmac: result.hmac };
}
