/**
 * Every bound of the engine, in one place, with the relations between them asserted. Each has a
 * reject code in rejects.ts. They are part of the rules: a journal replays only under the bounds it
 * was written with, so a change here is a new rules version.
 */
import { strict as assert } from 'node:assert';

export interface Bounds {
  /** Accounts that can exist. Reject: `too_many_accounts`. */
  readonly accounts: number;
  /** Markets that can exist. Reject: `too_many_markets`. */
  readonly markets: number;
  /** Markets of one neg-risk event. Reject: `event_malformed`. */
  readonly marketsPerEvent: number;
  /** Live orders of one account. Reject: `too_many_live_orders`. */
  readonly liveOrdersPerAccount: number;
  /** Orders that wait for the end of their delay. Reject: `too_many_delayed_orders`. */
  readonly delayedOrders: number;
  /**
   * Those of one owner, so that nobody takes the place of all others by waiting. Reject:
   * `too_many_delayed_orders`, field `owner`.
   */
  readonly delayedOrdersPerOwner: number;
  /** API keys of one owner that are not revoked. Reject: `too_many_api_keys`, field `owner`. */
  readonly keysPerOwner: number;
  /** The same with those revoked, which stay known. Reject: `too_many_api_keys`, field `nonce`. */
  readonly keysEverPerOwner: number;
  /** Owners that are banned or in closed-only mode. Reject: `too_many_standings`. */
  readonly standings: number;
  /** Builder codes that earn something. Reject: `too_many_builders`. */
  readonly builders: number;
  /** Resting orders that one command may fill or cancel in matching. Reject: `too_many_fills`. */
  readonly fillsPerCommand: number;
  /** Makers in one trade record; the next maker opens the next bucket. */
  readonly makersPerTrade: number;
  /** Accounts paid by one step of automatic redemption; the next step pays the next. */
  readonly redemptionsPerCommand: number;
  /** Order ids in one cancel command. Reject: `too_many_order_ids`. */
  readonly cancelsPerCommand: number;
  /** Ids of closed orders kept in memory; older ones are found in the journal's index. */
  readonly recentOrders: number;
  /** Notifications in one dismissal. Reject: `notification_ids_malformed`. */
  readonly dismissalsPerCommand: number;
  /** Idempotency keys of money commands but redemptions. Reject: `too_many_money_keys`. */
  readonly idempotencyKeys: number;
  /**
   * How many of them there may be when an account holder adds another: the rest is the
   * operator's, so that nobody's splits and merges ever keep it from depositing and paying out.
   * Reject: as above.
   */
  readonly holderIdempotencyKeys: number;
  /** Largest size of one order in lots: 1 billion tokens. Reject: `size_out_of_bounds`. */
  readonly orderLots: number;
  /** Largest budget or deposit in micros. Reject: `amount_out_of_bounds`. */
  readonly amountMicros: number;
  /** All deposits together, in micros: below 2^53. Reject: `deposits_exhausted`. */
  readonly totalMicros: number;
}

export const BOUNDS: Bounds = {
  accounts: 1_000_000,
  markets: 200_000,
  marketsPerEvent: 500,
  liveOrdersPerAccount: 10_000,
  delayedOrders: 10_000,
  delayedOrdersPerOwner: 500,
  keysPerOwner: 100,
  keysEverPerOwner: 10_000,
  standings: 1_000_000,
  builders: 10_000,
  fillsPerCommand: 10_000,
  makersPerTrade: 500,
  redemptionsPerCommand: 1_000,
  cancelsPerCommand: 1_000,
  recentOrders: 65_536,
  dismissalsPerCommand: 100,
  idempotencyKeys: 5_000_000,
  holderIdempotencyKeys: 4_000_000,
  orderLots: 100_000_000_000,
  amountMicros: 1_000_000_000_000_000,
  totalMicros: Number.MAX_SAFE_INTEGER,
};

assert(BOUNDS.orderLots * 9_999 <= Number.MAX_SAFE_INTEGER, 'one order must be payable exactly');
assert(BOUNDS.amountMicros <= BOUNDS.totalMicros, 'one deposit must fit all deposits');
assert(BOUNDS.marketsPerEvent <= BOUNDS.markets, "an event's markets are markets");
assert(
  // Of each market, at most what all deposits can split, and as much again by conversion.
  (BOUNDS.marketsPerEvent * 2 * BOUNDS.totalMicros) / 10_000 <= Number.MAX_SAFE_INTEGER,
  'the sets of an event must be countable exactly',
);
assert(BOUNDS.redemptionsPerCommand >= 1, 'those who wait must come to an end');
assert(BOUNDS.delayedOrdersPerOwner <= BOUNDS.delayedOrders, "an owner's orders are orders");
assert(BOUNDS.recentOrders >= 1, 'a retry must find what has just closed');
assert(BOUNDS.holderIdempotencyKeys < BOUNDS.idempotencyKeys, 'the operator keeps some room');
assert(BOUNDS.keysPerOwner <= BOUNDS.keysEverPerOwner, 'a live key was issued');
assert(BOUNDS.makersPerTrade <= BOUNDS.fillsPerCommand, 'a bucket can not exceed a command');
