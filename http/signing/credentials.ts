/**
 * API credentials. They are derived from the master secret and never stored.
 *
 * Invariant: the same owner, nonce and purpose always give the same credentials, and one credential
 * reveals nothing about another. No secret is logged or put into an error.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { KeyPurpose } from '../../engine/index.ts';
import { toPaddedBase64Url } from './l2.ts';
import { isUint256 } from './uint256.ts';

export interface Credentials {
  /** A UUID of version 4. */
  readonly apiKey: string;
  /** 32 bytes as base64url with its padding (44 characters): Python and Rust need it (wire 2.3). */
  readonly secret: string;
  /** 64 lower-case hex digits. */
  readonly passphrase: string;
}

const MASTER_SECRET_BYTES = 32;

const OWNER_FORM = /^0x[0-9a-f]{40}$/;

/** RFC 9562: version 4 in the seventh byte, variant 10 in the ninth. */
function toUuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
    .join('-');
}

/**
 * The credentials of an owner (lower-case address) for a nonce (plain decimal uint256) and a
 * purpose (wire 2.3). Each part is a separate HMAC-SHA256 under the master secret, over a text that
 * is unique to the part, purpose, nonce and owner.
 */
export function deriveCredentials(
  master: Uint8Array,
  ownerLowerHex: string,
  nonceDecimal: string,
  purpose: KeyPurpose,
): Credentials {
  assert(master.length === MASTER_SECRET_BYTES, 'the master secret has 32 bytes');
  assert(OWNER_FORM.test(ownerLowerHex), 'an owner is a lower-case address');
  assert(isUint256(nonceDecimal), 'a nonce is a plain decimal');
  const derive = (part: 'key' | 'secret' | 'passphrase'): Buffer =>
    createHmac('sha256', master)
      .update(`outcome-exchange/credentials/1|${purpose}|${part}|${ownerLowerHex}|${nonceDecimal}`)
      .digest();
  return {
    apiKey: toUuid(derive('key')),
    secret: toPaddedBase64Url(derive('secret')),
    passphrase: derive('passphrase').toString('hex'),
  };
}
