/** The bounds of faults. */
export const FAULT_BOUNDS = {
  /** Faults at once, those that are over included. Error: `too_many_faults`. */
  faults: 64,
  /** Hits that a fault keeps; the oldest goes, and the fault counts how many went. */
  hitsPerFault: 256,
  /** `count` and `skip` of a fault. Error: `invalid_payload`. */
  firings: 1_000_000,
  /** `after_seconds`, `for_seconds` and the lengths of phases. Error: `invalid_payload`. */
  seconds: 86_400,
  /** The longest time that an answer is held back. Error: `invalid_payload`. */
  heldSeconds: 600,
  /** `steps` of a `trade_status`. Error: `invalid_payload`. */
  statusSteps: 8,
  /** Trades that show a false status at once. While there are so many, no `trade_status` fires. */
  toldTrades: 1_000,
  /** Characters of a path in `match`. Error: `invalid_payload`. */
  pathCharacters: 200,
} as const;
