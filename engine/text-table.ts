/**
 * Finds small integers by text ids that are hashes (token ids, addresses): an open-addressing table
 * that only grows. A Map hashes all of a text that it has not seen before; of these ids a few
 * characters are enough. Whoever makes an id can choose it a little, by trying, so entries are
 * spread by a seed that nobody outside knows: the slots differ, the answers never do. Invariant:
 * the n-th text that was added is entry n, from 0. Bound: at most half full.
 */
import { NONE } from './level-index.ts';

const LEAST_SLOTS = 32;

export class TextTable {
  readonly #seed: number;
  readonly #texts: string[] = [];
  /** Hash and entry of each slot, side by side: most probes are one look at memory. */
  #slots = new Int32Array(LEAST_SLOTS * 2).fill(NONE);
  #mask = LEAST_SLOTS - 1;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The entry of a text, or NONE. */
  find(text: string): number {
    const slots = this.#slots;
    const mask = this.#mask;
    const hash = this.#hash(text);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot * 2 + 1]!;
      if (entry === NONE) return NONE;
      if (slots[slot * 2] === hash && this.#texts[entry] === text) return entry;
    }
  }

  /** Adds a text that is not there yet; returns its entry. */
  add(text: string): number {
    if (this.#texts.length * 2 >= this.#mask) this.#grow();
    const entry = this.#texts.push(text) - 1;
    this.#insert(this.#hash(text), entry);
    return entry;
  }

  /** Of the first and the last 28 bits: too many to choose, few enough to read quickly. */
  #hash(text: string): number {
    const first = Math.imul(digits(text, 2) ^ this.#seed, 0x9e3779b1);
    const last = digits(text, text.length - DIGITS);
    const mixed = Math.imul(first ^ (first >>> 15) ^ last, 0x85ebca6b);
    return mixed ^ (mixed >>> 13);
  }

  #insert(hash: number, entry: number): void {
    let slot = hash & this.#mask;
    while (this.#slots[slot * 2 + 1] !== NONE) slot = (slot + 1) & this.#mask;
    this.#slots[slot * 2] = hash;
    this.#slots[slot * 2 + 1] = entry;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2).fill(NONE);
    this.#mask = slots.length - 1;
    for (let at = 0; at < slots.length; at += 2) {
      if (slots[at + 1] !== NONE) this.#insert(slots[at]!, slots[at + 1]!);
    }
  }
}

const DIGITS = 7;

/** Seven lower-case hex digits, or decimal ones, as a number; without a branch to guess wrong. */
function digits(text: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + DIGITS; at += 1) {
    const code = text.charCodeAt(at);
    // The codes of letters have bit 6, and begin at 1 where the digits' begin at 0.
    value = (value << 4) | ((code & 15) + 9 * (code >>> 6));
  }
  return value;
}
