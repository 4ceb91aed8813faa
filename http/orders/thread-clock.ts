/** A clock that threads share: `performance.now()` counts from the start of its own thread. */

/** The monotonic clock of this machine in milliseconds. */
export function hostMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const START_MS = hostMs() - performance.now();

/** A time of `hostMs`, of whichever thread, as `performance.now()` of this thread. */
export function ownMs(timeMs: number): number {
  return timeMs - START_MS;
}
