/** Work that continues in a later turn of the event loop. */
import { setImmediate } from 'node:timers';

/** Returns a function that calls `work` in a later turn: once, even if it is called repeatedly. */
export function inLaterTurn(work: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setImmediate(() => {
      isWaiting = false;
      work();
    });
  };
}
