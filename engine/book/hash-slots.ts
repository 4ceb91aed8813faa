/**
 * The slots of an open-addressing hash table of integers. Hash and entry lie side by side, so that
 * most probes read memory once. Invariants: the number of slots is a power of two; no slot between
 * an entry's home (the low bits of its hash) and the entry is free. Bound: the table that uses the
 * slots doubles them before they are full.
 */
import { NONE } from './level-index.ts';

export const MINIMUM_SLOTS = 32;

export function freeSlots(count: number): Int32Array {
  return new Int32Array(count * 2).fill(NONE);
}

/** Puts an entry into the first free slot at or after its home. */
export function putInSlot(slots: Int32Array, hash: number, entry: number): void {
  const mask = (slots.length >>> 1) - 1;
  let slot = hash & mask;
  while (slots[slot * 2 + 1] !== NONE) slot = (slot + 1) & mask;
  slots[slot * 2] = hash;
  slots[slot * 2 + 1] = entry;
}

/** The same entries in twice as many slots. */
export function doubledSlots(slots: Int32Array): Int32Array {
  const doubled = freeSlots(slots.length);
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] !== NONE) putInSlot(doubled, slots[at]!, slots[at + 1]!);
  }
  return doubled;
}
