/**
 * Converts the decimal text of a uint256 to the 32 bytes that EIP-712 hashes.
 *
 * Invariant: exact for every value below 2^256. Each value has one text (no sign, leading zero or
 * exponent), so that two texts never have the same hash.
 */

const WORD_BYTES = 32;
const LIMBS = 8;
const LIMB_BASE = 2 ** 32;
/** Six digits at a time: a 32-bit limb times 10^6 stays below 2^53. */
const CHUNK_DIGITS = 6;
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6] as const;
const DIGIT_ZERO = 48;

/** Reused by every call: this runs a dozen times an order. Least significant limb first. */
const limbs = new Uint32Array(LIMBS);

/** The value of the digits from `start` to `end`, or -1 if one is not a digit. */
function chunkValue(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * Reads the text into `limbs`. Returns the number of limbs in use, or -1 if it is not a uint256.
 */
function readLimbs(text: string): number {
  if (text.length === 0) return -1;
  // Without a leading zero, a text of more than 78 digits runs out of limbs.
  if (text.length > 1 && text.charCodeAt(0) === DIGIT_ZERO) return -1;
  let used = 0;
  let start = 0;
  let end = text.length % CHUNK_DIGITS || CHUNK_DIGITS;
  while (start < text.length) {
    let carry = chunkValue(text, start, end);
    if (carry < 0) return -1;
    const factor = POWERS_OF_TEN[end - start] ?? 1;
    for (let index = 0; index < used; index++) {
      const value = (limbs[index] ?? 0) * factor + carry;
      // The array keeps the value modulo 2^32.
      limbs[index] = value;
      carry = Math.floor(value / LIMB_BASE);
    }
    if (carry > 0) {
      if (used === LIMBS) return -1;
      limbs[used++] = carry;
    }
    start = end;
    end += CHUNK_DIGITS;
  }
  return used;
}

/**
 * Writes a decimal uint256 as 32 big-endian bytes at `offset`. Returns false, and writes nothing,
 * if the text is not the plain decimal of a value from 0 to 2^256 - 1.
 */
export function writeUint256(text: string, target: Uint8Array, offset: number): boolean {
  const used = readLimbs(text);
  if (used < 0) return false;
  target.fill(0, offset, offset + WORD_BYTES);
  let position = offset + WORD_BYTES;
  for (let index = 0; index < used; index++) {
    const limb = limbs[index] ?? 0;
    // The array keeps each byte modulo 256.
    target[--position] = limb;
    target[--position] = limb >>> 8;
    target[--position] = limb >>> 16;
    target[--position] = limb >>> 24;
  }
  return true;
}

/** Whether a text is the plain decimal of a value from 0 to 2^256 - 1. */
export function isUint256(text: string): boolean {
  return readLimbs(text) >= 0;
}

/** The number of private keys and 1: the order of secp256k1 (SEC 2, section 2.4.1). */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const PRIVATE_KEY_FORM = /^0x[0-9a-fA-F]{64}$/;

/** Whether a text is 0x and 64 hex digits of a valid private key. Loads no native library. */
export function isPrivateKey(text: string): boolean {
  return PRIVATE_KEY_FORM.test(text) && BigInt(text) > 0n && BigInt(text) < GROUP_ORDER;
}
