/**
 * The EIP-55 checksum spelling of addresses: a letter is upper case where the hash of the
 * lower-case address has a digit of 8 or more. It is here because threads of persistence write
 * addresses into answers. Bound: CACHE_ENTRIES spellings are cached.
 */
import assert from 'node:assert/strict';
import { createKeccak, type IHasher } from 'hash-wasm';

// A full cache is cleared: finding a Map's oldest entry would step over all deleted ones.
const CACHE_ENTRIES = 16_384;
const LETTER_A = 0x61;
const TO_UPPER_CASE = 0x20;
const LOWER_ADDRESS_FORM = /^0x[0-9a-f]{40}$/;

// One hasher suffices, because each synchronous call uses it from start to end.
let keccak: IHasher | undefined;
/**
 * Resolves when addresses can be spelled. An exchange and its threads await it before they open. It
 * is no top-level await: if the process exits while a thread evaluates modules that depend on one,
 * V8 crashes, and the exit code is lost.
 */
export const checksumsReady: Promise<void> = createKeccak(256).then((hasher) => {
  keccak = hasher;
});
const spellings = new Map<string, string>();

function spell(address: string): string {
  assert(keccak !== undefined, 'checksumsReady is awaited first');
  const text = Buffer.from(address, 'latin1');
  const hash = keccak.init().update(text.subarray(2)).digest('binary');
  for (let index = 0; index < 40; index++) {
    const byte = hash[index >> 1] ?? 0;
    const digit = (index & 1) === 0 ? byte >> 4 : byte & 15;
    const letter = text[2 + index] ?? 0;
    if (digit >= 8 && letter >= LETTER_A) text[2 + index] = letter - TO_UPPER_CASE;
  }
  return text.toString('latin1');
}

/** `lowerHex`: 0x and 40 lower-case digits. */
export function toChecksumAddress(lowerHex: string): string {
  const known = spellings.get(lowerHex);
  if (known !== undefined) return known;
  assert(LOWER_ADDRESS_FORM.test(lowerHex), 'only a lower-case address has a checksum spelling');
  const spelling = spell(lowerHex);
  if (spellings.size >= CACHE_ENTRIES) spellings.clear();
  spellings.set(lowerHex, spelling);
  return spelling;
}
