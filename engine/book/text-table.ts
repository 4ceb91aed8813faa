/**
 * Finds small integers by text ids that are hashes (token ids, addresses): an open-addressing table
 * that only grows. A Map hashes all of a text that it has not seen before; of these ids a few
 * characters are enough. Whoever makes an id can choose it a little, by trying, so entries are
 * spread by a seed that nobody outside knows: the slots differ, the answers never do. Invariant:
 * the n-th text that was added is entry n, from 0. Bound: at most half full.
 */
import { doubledSlots, freeSlots, LEAST_SLOTS, putInSlot } from './hash-slots.ts';
import { NONE } from './level-index.ts';

export class TextTable {
  readonly #seed: number;
  readonly #texts: string[] = [];
  #slots = freeSlots(LEAST_SLOTS);

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The entry of a text, or NONE. */
  find(text: string): number {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    const hash = this.#hash(text);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot * 2 + 1]!;
      if (entry === NONE) return NONE;
      if (slots[slot * 2] === hash && this.#texts[entry] === text) return entry;
    }
  }

  /** Adds a text that is not there yet; returns its entry. */
  add(text: string): number {
    if (this.#texts.length * 4 >= this.#slots.length) this.#slots = doubledSlots(this.#slots);
    const entry = this.#texts.push(text) - 1;
    putInSlot(this.#slots, this.#hash(text), entry);
    return entry;
  }

  /** Of the first and the last 28 bits: too many to choose, few enough to read quickly. */
  #hash(text: string): number {
    const first = Math.imul(digits(text, 2) ^ this.#seed, 0x9e3779b1);
    const last = digits(text, text.length - DIGITS);
    const mixed = Math.imul(first ^ (first >>> 15) ^ last, 0x85ebca6b);
    return mixed ^ (mixed >>> 13);
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
