/**
 * keccak256 and the hex spellings of bytes: the ground everything in this folder stands on.
 *
 * Invariant: the state and the input of the hash are this module's own memory and never leave it;
 * each result is a fresh copy.
 * Bound: MAX_KECCAK_BYTES of input (orders, addresses and type strings are below 1,000 bytes).
 */
import assert from 'node:assert/strict';
import {
  INPUT_ADDRESS,
  instantiateKeccak,
  MEMORY_BYTES,
  RATE_BYTES,
  STATE_ADDRESS,
} from './keccak-module.ts';

const HASH_BYTES = 32;

/** The longest input of `keccak256`: what fits its memory with the padding of the last block. */
export const MAX_KECCAK_BYTES = MEMORY_BYTES - INPUT_ADDRESS - RATE_BYTES;

const keccak = instantiateKeccak();
const memory = new Uint8Array(keccak.memory.buffer);
const state = memory.subarray(STATE_ADDRESS, STATE_ADDRESS + 200);

/** The 32 bytes of keccak256 (the original padding, as Ethereum uses it, not SHA3-256's). */
export const keccak256 = (data: Uint8Array): Uint8Array => {
  assert(data.length <= MAX_KECCAK_BYTES, `keccak256 takes ${MAX_KECCAK_BYTES} bytes at most`);
  const end = INPUT_ADDRESS + (Math.floor(data.length / RATE_BYTES) + 1) * RATE_BYTES;
  memory.set(data, INPUT_ADDRESS);
  memory.fill(0, INPUT_ADDRESS + data.length, end);
  memory[INPUT_ADDRESS + data.length] = 0x01;
  memory[end - 1] = (memory[end - 1] ?? 0) | 0x80;
  state.fill(0);
  for (let block = INPUT_ADDRESS; block < end; block += RATE_BYTES) keccak.absorb(block);
  return state.slice(0, HASH_BYTES);
};

/** keccak256 of a text's UTF-8 bytes, as EIP-712 hashes type strings and string values. */
export const keccak256Text = (text: string): Uint8Array => keccak256(Buffer.from(text));

/** `0x` and two lower-case digits a byte. */
export const bytesToHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;

const NOT_HEX = 0xff;
/** The value of a hex digit by its character code. */
const DIGIT_VALUES = new Uint8Array(128).fill(NOT_HEX);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGIT_VALUES[digit.charCodeAt(0)] = value;
  DIGIT_VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

/**
 * Writes exactly `count` bytes of a hex text (0x and two digits a byte, any case); false, with
 * anything in those bytes of the target, when it is not hex or has another length.
 */
export const writeHex = (
  text: string,
  target: Uint8Array,
  offset: number,
  count: number,
): boolean => {
  if (text.length !== 2 + 2 * count || !text.startsWith('0x')) return false;
  let seen = 0;
  // Not Buffer.write: it looks at the low byte of a character only, so it reads U+0130 as a 0.
  for (let index = 0; index < count; index++) {
    const high = DIGIT_VALUES[text.charCodeAt(2 + 2 * index)] ?? NOT_HEX;
    const low = DIGIT_VALUES[text.charCodeAt(3 + 2 * index)] ?? NOT_HEX;
    seen |= high | low;
    target[offset + index] = (high << 4) | low;
  }
  return seen < 16;
};

/** The bytes of a hex text, with or without 0x, any case; undefined when it is not hex. */
export const hexToBytes = (text: string): Uint8Array | undefined => {
  const prefixed = text.startsWith('0x') ? text : `0x${text}`;
  const bytes = new Uint8Array(Math.floor((prefixed.length - 2) / 2));
  return writeHex(prefixed, bytes, 0, bytes.length) ? bytes : undefined;
};
