import { strict as assert } from 'node:assert';
import { BOUNDS, type Micros, micros } from '../../engine/model/index.ts';
import { microsText } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { MOST_GIFT_MICROS } from '../../http/settings/settings.ts';
import { amountIn } from '../../http/views/index.ts';

/** The bounds of the faucet, in micros of collateral, each with its error. */
export const FAUCET_BOUNDS = {
  /** One request: 100,000. Error: `amount_out_of_bounds`. */
  requestMicros: MOST_GIFT_MICROS,
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

/** The most that one gift may be. */
export const MOST = microsText(micros(FAUCET_BOUNDS.requestMicros));

/** Throws `amount_out_of_bounds`. */
export function giftIn(amount: string, most = micros(FAUCET_BOUNDS.requestMicros)): Micros {
  const amountMicros = amountIn('amount', amount);
  if (amountMicros <= most) return amountMicros;
  const limit = `0.000001..${microsText(most)}`;
  throw new ApiError('amount_out_of_bounds', { field: 'amount', limit, actual: echo(amount) });
}
