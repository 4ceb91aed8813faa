/**
 * Finds small integers by texts that are hashes themselves (token ids, addresses): an
 * open-addressing hash table that only grows. A Map hashes every character of a text that it has
 * not seen before; a few characters of these texts are enough. Clients can choose texts that would
 * collide, so the hash takes a secret seed, which changes the slots but never the answers.
 * Invariant: the n-th added text is entry n, from 0. Bound: at most half full.
 */

import { NONE } from './level-index.ts';
import { doubledSlots, freeSlots, MINIMUM_SLOTS, putInSlot } from './order-table.ts';

export class TextTable {
  readonly #seed: number;
  readonly #texts: string[] = [];
  #slots = freeSlots(MINIMUM_SLOTS);

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

  /** Adds a text that is not in the table and returns its entry. */
  add(text: string): number {
    if (this.#texts.length * 4 >= this.#slots.length) this.#slots = doubledSlots(this.#slots);
    const entry = this.#texts.push(text) - 1;
    putInSlot(this.#slots, this.#hash(text), entry);
    return entry;
  }

  /** Hashes seven digits from the third on, after any 0x, and the last seven. */
  #hash(text: string): number {
    const first = Math.imul(digits(text, 2) ^ this.#seed, 0x9e3779b1);
    const last = digits(text, text.length - DIGITS);
    const mixed = Math.imul(first ^ (first >>> 15) ^ last, 0x85ebca6b);
    return mixed ^ (mixed >>> 13);
  }
}

const DIGITS = 7;

/** Seven lower-case hex or decimal digits as a number, without branches. */
function digits(text: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + DIGITS; at += 1) {
    const code = text.charCodeAt(at);
    // Bit 6 tells letters from digits; the low bits count from 1 for letters, from 0 for digits.
    value = (value << 4) | ((code & 15) + 9 * (code >>> 6));
  }
  return value;
}
