/**
 * The slots of an open-addressing table of integers: hash and entry side by side, so that most
 * probes are one look at memory. Invariant: no free slot between an entry's home (the low bits of
 * its hash) and the entry; as many slots as a power of two. Bound: its user doubles them in time.
 */
import { NONE } from './level-index.ts';

export const LEAST_SLOTS = 32;

export function freeSlots(count: number): Int32Array {
  return new Int32Array(count * 2).fill(NONE);
}

/** Puts an entry into the first free slot from its home on. */
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
