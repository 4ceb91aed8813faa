/** Calls of contracts as clients encode them: a selector and words of 32 bytes, all as hex. */
import { bytesToHex, keccak256Text } from '../../http/signing/hash.ts';
import { RELAY_BOUNDS } from './bounds.ts';

/** A call that a wallet makes. */
export interface WalletCall {
  /** The contract that is called, a lower-case address. */
  readonly target: string;
  readonly value: bigint;
  /** 0x and digits. */
  readonly data: string;
}

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

/** The digits of the bytes whose length stands at `start`; undefined if they are not there. */
function bytesAt(words: readonly string[], start: number): string | undefined {
  const length = 2 * Number(uintOf(words[start] ?? uintWord(2 ** 50)));
  const digits = words.slice(start + 1, start + 1 + Math.ceil(length / WORD_DIGITS)).join('');
  return digits.length < length ? undefined : digits.slice(0, length);
}

/** The place that a word names, in words after `start`. */
function placeAt(words: readonly string[], index: number, start: number): number {
  return start + Number(uintOf(words[index] ?? uintWord(2 ** 50))) / 32;
}

/** The call of a tuple (kind, contract, value, bytes); undefined for a broken one. */
function tupleAt(words: readonly string[], start: number): WalletCall | undefined {
  const [target, value] = [addressOf(words[start + 1]), words[start + 2]];
  const data = bytesAt(words, placeAt(words, start + 3, start));
  if (target === undefined || value === undefined || data === undefined) return undefined;
  return { target, value: uintOf(value), data: `0x${data}` };
}

const PROXY = selectorOf('proxy((uint8,address,uint256,bytes)[])');

/** More calls than one transaction may have are not read. */
const MOST_READ = RELAY_BOUNDS.callsPerBatch + 1;

/** The calls that a factory of proxies makes for a wallet; undefined for any other data. */
export function proxyCalls(data: string): readonly WalletCall[] | undefined {
  const { selector, words = [] } = callOf(data) ?? {};
  const places = arrayOf(words, 0);
  if (selector !== PROXY || places === undefined) return undefined;
  const start = placeAt(words, 0, 1);
  const calls = places
    .slice(0, MOST_READ)
    .map((place) => tupleAt(words, start + Number(uintOf(place)) / 32));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

const MULTI_SEND = selectorOf('multiSend(bytes)');
/** Of one packed call: its kind, contract, value and length. */
const PACKED_HEAD = /^00([0-9a-f]{40})([0-9a-f]{64})([0-9a-f]{64})/;

/** The calls that a Safe sends at once; undefined for any other data. */
export function multiSendCalls(data: string): readonly WalletCall[] | undefined {
  const { selector, words = [] } = callOf(data) ?? {};
  if (selector !== MULTI_SEND) return undefined;
  let rest = bytesAt(words, placeAt(words, 0, 0));
  const calls: WalletCall[] = [];
  while (rest !== undefined && rest !== '' && calls.length < MOST_READ) {
    const [head = '', target, value = '', length = ''] = PACKED_HEAD.exec(rest) ?? [];
    const end = head.length + 2 * Number(uintOf(length || '0'));
    if (head === '' || end > rest.length) return undefined;
    const called = rest.slice(head.length, end);
    calls.push({ target: `0x${target}`, value: uintOf(value), data: `0x${called}` });
    rest = rest.slice(end);
  }
  return rest === undefined ? undefined : calls;
}
