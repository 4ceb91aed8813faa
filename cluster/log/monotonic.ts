/**
 * Milliseconds since some start of this machine: the same in all threads, and never changed by a
 * clock that is set.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
