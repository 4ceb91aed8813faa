/** Measures the intake of orders. Invariant: without an observer nothing is timed. */
export interface IntakeObserver {
  /** An order's signature was checked, `durationMs` after it was queued for the verifiers. */
  verified(durationMs: number): void;
  /** A write was carried out, `durationMs` after it was prepared. */
  waited(durationMs: number): void;
}
