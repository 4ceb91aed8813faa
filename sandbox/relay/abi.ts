/** Calls of contracts as clients encode them: a selector and words of 32 bytes, all as hex. */
import { bytesToHex, keccak256Text } from '../../http/signing/hash.ts';

export interface ContractCall {
  /** 0x and 8 lower-case digits. */
  readonly selector: string;
  /** Each of 64 lower-case digits. */
  readonly words: readonly string[];
}

const CALL = /^0x[0-9a-fA-F]{8}([0-9a-fA-F]{64})*$/;
const WORD_DIGITS = 64;
const SELECTOR_CHARS = 10;

/** The first 4 bytes of the hash of a function's signature. */
function selectorOf(signature: string): string {
  return bytesToHex(keccak256Text(signature)).slice(0, SELECTOR_CHARS);
}

/** A table by the functions' signatures, found by their selectors. */
export function bySelector<Value>(
  table: Readonly<Record<string, Value>>,
): ReadonlyMap<string, Value> {
  return new Map(Object.entries(table).map(([signature, value]) => [selectorOf(signature), value]));
}

/** Splits a call's data; undefined if it is not a selector and whole words. */
export function callOf(data: string): ContractCall | undefined {
  if (!CALL.test(data)) return undefined;
  const words: string[] = [];
  for (let start = SELECTOR_CHARS; start < data.length; start += WORD_DIGITS) {
    words.push(data.slice(start, start + WORD_DIGITS).toLowerCase());
  }
  return { selector: data.slice(0, SELECTOR_CHARS).toLowerCase(), words };
}

export function uintWord(value: number | bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0');
}

export function addressWord(address: string): string {
  return address.slice(2).padStart(WORD_DIGITS, '0');
}

export function uintOf(word: string): bigint {
  return BigInt(`0x${word}`);
}

/** The lower-case address of a word; undefined if the word is larger than an address. */
export function addressOf(word: string | undefined): string | undefined {
  return word !== undefined && /^0{24}/.test(word) ? `0x${word.slice(24)}` : undefined;
}

/** The words of a dynamic array whose place stands at `index`; undefined if they are not there. */
export function arrayOf(words: readonly string[], index: number): readonly string[] | undefined {
  const start = Number(uintOf(words[index] ?? '0')) / 32;
  const length = Number(uintOf(words[start] ?? uintWord(words.length)));
  const items = words.slice(start + 1, start + 1 + length);
  return start >= 1 && items.length === length ? items : undefined;
}
