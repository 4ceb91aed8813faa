/**
 * The timestamp rule and the refusal that L1 and L2 headers share. Invariant: the time is an
 * argument; nothing here reads a clock.
 */
import { hash } from 'node:crypto';
import { TIME_IN_WORDS, timeMsOf } from '../codec/index.ts';

/**
 * HMAC-SHA256 (RFC 2104) by one-shot hashes. Every authenticated request needs one, and the object
 * that Node's createHmac makes for each costs as much as the hashing itself.
 */
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** Enough for most requests; a larger one gets its own buffer. */
const KEPT_BYTES = 16_384;

const inner = Buffer.alloc(BLOCK_BYTES + KEPT_BYTES);
const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES);

/** The 32-byte HMAC of a text in UTF-8 followed by the body. */
export function hmacSha256(key: Uint8Array, head: string, body: Uint8Array): Buffer {
  const bodyAt = BLOCK_BYTES + Buffer.byteLength(head);
  const bytes = bodyAt + body.length;
  const content = bytes <= inner.length ? inner.subarray(0, bytes) : Buffer.allocUnsafe(bytes);
  const block = key.length <= BLOCK_BYTES ? key : hash('sha256', key, 'buffer');
  putKey(content, block, INNER_PAD);
  content.write(head, BLOCK_BYTES);
  content.set(body, bodyAt);
  putKey(outer, block, OUTER_PAD);
  // As a binary string, which takes half the time of a buffer.
  outer.write(hash('sha256', content, 'binary'), BLOCK_BYTES, 'binary');
  return Buffer.from(hash('sha256', outer, 'binary'), 'binary');
}

function putKey(into: Buffer, key: Uint8Array, pad: number): void {
  for (let at = 0; at < BLOCK_BYTES; at += 1) into[at] = (key[at] ?? 0) ^ pad;
}

/** The server's clock, and how far a timestamp may be from it in either direction. */
export interface FreshnessWindow {
  readonly nowMs: number;
  readonly windowMs: number;
  /**
   * The wall clock, where the sandbox moved the server's clock away from it: clients sign with the
   * clock of their machine or with that of the server, so a timestamp may be near either.
   */
  readonly wallMs?: number;
}

export type AuthFault = 'missing' | 'malformed' | 'stale' | 'signature_mismatch';

export interface AuthRefusal {
  readonly ok: false;
  readonly code: AuthFault;
  /** The header at fault, without its prefix, lower case. */
  readonly field: 'address' | 'timestamp' | 'nonce' | 'signature';
  readonly actual: string;
  readonly expected: string;
}

/** Refuses a timestamp that is not a plain decimal or too far from now. */
export function checkTimestamp(
  timestamp: string,
  { nowMs, windowMs, wallMs = nowMs }: FreshnessWindow,
): AuthRefusal | undefined {
  const field = 'timestamp';
  const timeMs = timeMsOf(timestamp);
  if (timeMs === undefined) {
    return { ok: false, code: 'malformed', field, actual: timestamp, expected: TIME_IN_WORDS };
  }
  if (Math.min(Math.abs(nowMs - timeMs), Math.abs(wallMs - timeMs)) > windowMs) {
    const either = wallMs === nowMs ? '' : ` or ${wallMs} ms`;
    const expected = `within ${windowMs} ms of ${nowMs} ms${either}`;
    return { ok: false, code: 'stale', field, actual: `${timeMs} ms`, expected };
  }
  return undefined;
}

/** The refusal of a request that lacks a header. */
export function missing(field: AuthRefusal['field']): AuthRefusal {
  return {
    ok: false,
    code: 'missing',
    field,
    actual: 'absent',
    expected: 'present',
  };
}
