import { strict as assert } from 'node:assert';
import { BOUNDS } from '../../engine/model/index.ts';

/** The bounds of the faucet, in micros of collateral, each with its error. */
export const FAUCET_BOUNDS = {
  /** One request: 100,000. Error: `amount_out_of_bounds`. */
  requestMicros: 100_000_000_000,
  /** The cash that an account has after a request: 1,000,000. Error: `faucet_full`. */
  accountMicros: 1_000_000_000_000,
  /**
   * The most that all deposits less all withdrawals may be after a gift: 4 billion. Play money of
   * new accounts counts too, and may go beyond. Error: `deposits_exhausted`.
   */
  allMicros: 4_000_000_000_000_000,
  /** Characters of an idempotency key; the account is added to it. Error: `invalid_payload`. */
  keyChars: 64,
} as const;

assert(
  FAUCET_BOUNDS.requestMicros <= FAUCET_BOUNDS.accountMicros,
  'the largest request fits an empty account',
);
assert(
  FAUCET_BOUNDS.allMicros <= BOUNDS.holderMicros / 2,
  'the faucet leaves half of the play money to new accounts',
);
