/**
 * Long work in slices: before each slice its doer waits for a turn.
 *
 * Invariant: one slice a turn of the event loop, whoever asks and however many at once, so that the
 * other requests of that turn wait for one slice and not for one of each.
 */
import { setImmediate } from 'node:timers/promises';

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that is the caller's alone. */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
