/**
 * L2 authentication: the HMAC of a request under the secret of an API key (wire 2.4), the same for
 * builder keys (wire 2.6).
 *
 * Invariant: signatures are compared in constant time, and neither a secret nor a correct signature
 * is ever part of an answer.
 * Bound: two HMACs over the body for each candidate path.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  type AuthRefusal,
  checkTimestamp,
  type FreshnessWindow,
  hmacSha256,
  missing,
} from './auth-headers.ts';

export interface L2Request {
  /** The header's text, in seconds or milliseconds; undefined if it is absent. */
  readonly timestamp: string | undefined;
  /** Base64url or base64 with or without padding, or hex in any case. */
  readonly signature: string | undefined;
  /** Upper case. */
  readonly method: string;
  /**
   * The paths that a client may have signed, without the query, the likeliest first: TypeScript and
   * Python clients sign the part after their base URL, Rust clients the whole path (wire 0.3).
   */
  readonly paths: readonly string[];
  /** The raw bytes of the body; empty when there is none. */
  readonly body: Uint8Array;
}

/** `hmac`: the 32 bytes of the good signature, the same in whatever form they were sent. */
export type L2Verification = { readonly ok: true; readonly hmac: Uint8Array } | AuthRefusal;

const NO_BODY = new Uint8Array(0);
const SINGLE_QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;
const HEX_FORM = /^[0-9a-fA-F]{64}$/;
const BASE64_FORM = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Node accepts both base64 alphabets, ignores other characters and needs no padding (wire 2.4). */
function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret, 'base64');
}

/** Base64url with padding, as all clients of wire 2.4 write and read it. */
export function toPaddedBase64Url(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** The signed parts of a request besides its body, exactly as sent. */
export interface SignedHead {
  readonly timestamp: string;
  /** Upper case. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
}

/**
 * The L2 signature of a request as clients make it: the HMAC-SHA256 of timestamp, method, path and
 * body, one after the other, as padded base64url.
 */
export function signL2(secret: string, head: SignedHead, body: Uint8Array = NO_BODY): string {
  return toPaddedBase64Url(
    hmacSha256(decodeSecret(secret), head.timestamp + head.method + head.path, body),
  );
}

/** The 32 bytes of a request's signature; undefined if its form is not accepted. */
function decodeSignature(signature: string): Buffer | undefined {
  if (HEX_FORM.test(signature)) return Buffer.from(signature, 'hex');
  return BASE64_FORM.test(signature) ? Buffer.from(signature, 'base64') : undefined;
}

/** The body as Python and Rust clients sign it: with " in place of every ' (wire 2.4). */
function withDoubleQuotes(body: Uint8Array): Uint8Array {
  return body.map((byte) => (byte === SINGLE_QUOTE ? DOUBLE_QUOTE : byte));
}

/**
 * Verifies the L2 headers of a request, in this order: missing headers (timestamp, then signature),
 * the signature's form, the timestamp's form and freshness, and the HMAC for each path over the
 * body, and again with the quotes replaced if the body has a single quote.
 */
export function verifyL2(
  secret: string,
  request: L2Request,
  window: FreshnessWindow,
): L2Verification {
  const { timestamp, signature, body } = request;
  if (timestamp === undefined) return missing('timestamp');
  if (signature === undefined) return missing('signature');
  const presented = decodeSignature(signature);
  if (presented === undefined) {
    const expected = '32 bytes as base64url, base64 or hex';
    return { ok: false, code: 'malformed', field: 'signature', actual: signature, expected };
  }
  const stale = checkTimestamp(timestamp, window);
  if (stale !== undefined) return stale;
  const key = decodeSecret(secret);
  const heads = request.paths.map((path) => timestamp + request.method + path);
  const isSignatureOf = (content: Uint8Array): boolean =>
    heads.some((head) => timingSafeEqual(hmacSha256(key, head, content), presented));
  if (
    isSignatureOf(body) ||
    (body.includes(SINGLE_QUOTE) && isSignatureOf(withDoubleQuotes(body)))
  ) {
    return { ok: true, hmac: presented };
  }
  return {
    ok: false,
    code: 'signature_mismatch',
    field: 'signature',
    actual: 'another HMAC',
    expected: `the HMAC-SHA256 of ${heads.join(' or ')} and the body's ${body.length} bytes`,
  };
}
