/**
 * Slices long work: the caller awaits `nextTurn` before each slice.
 *
 * Invariant: at most one slice in each turn of the event loop, however many callers, so that
 * other requests wait for one slice at the most.
 */
import { setImmediate } from 'node:timers/promises';

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other caller has. */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
