/**
 * What intake tells whoever measures it. Invariant: without an observer nothing is timed.
 */
export interface IntakeObserver {
  /** An order's signature was judged: `durationMs` from the moment when that was asked for. */
  verified(durationMs: number): void;
  /** A write had its turn: `durationMs` from the moment when it was prepared. */
  waited(durationMs: number): void;
}
