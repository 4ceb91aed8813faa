/**
 * Every bound of the engine, with the relations between them asserted. Bounds are part of the
 * rules: a journal replays only under the bounds it was written with, so any change here needs a
 * new version in rules.ts.
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
  /** Delayed orders of the whole exchange. Reject: `too_many_delayed_orders`. */
  readonly delayedOrders: number;
  /**
   * Delayed orders of one owner, so that one owner can't use up the bound of the whole exchange.
   * Reject: `too_many_delayed_orders`, field `owner`.
   */
  readonly delayedOrdersPerOwner: number;
  /** Live API keys of one owner. Reject: `too_many_api_keys`, field `owner`. */
  readonly keysPerOwner: number;
  /** API keys of one owner including revoked ones. Reject: `too_many_api_keys`, field `nonce`. */
  readonly keysEverPerOwner: number;
  /** Owners that are banned or in closed-only mode. Reject: `too_many_standings`. */
  readonly standings: number;
  /** Builder codes that have terms. Reject: `too_many_builders`. */
  readonly builders: number;
  /** Resting orders that one command may fill or cancel in matching. Reject: `too_many_fills`. */
  readonly fillsPerCommand: number;
  /** Makers in one trade record (`Fill.bucket`); the next maker starts the next record. */
  readonly makersPerTrade: number;
  /** Accounts that one `advance_time` command pays in automatic redemption. */
  readonly redemptionsPerCommand: number;
  /** Order ids in one cancel command. Reject: `too_many_order_ids`. */
  readonly cancelsPerCommand: number;
  /** Ids of closed orders kept in memory; the journal's index finds older ones. */
  readonly recentOrders: number;
  /** Notifications in one dismissal. Reject: `notification_ids_malformed`. */
  readonly dismissalsPerCommand: number;
  /** Idempotency keys of money commands except redemptions. Reject: `too_many_money_keys`. */
  readonly idempotencyKeys: number;
  /**
   * The part of `idempotencyKeys` that account holders can use up. The rest is reserved for the
   * operator, so that no number of splits and merges ever blocks deposits and withdrawals. Reject:
   * `too_many_money_keys`.
   */
  readonly holderIdempotencyKeys: number;
  /** Largest size of one order in lots: 1 billion tokens. Reject: `size_out_of_bounds`. */
  readonly orderLots: number;
  /** Largest budget or deposit in micros. Reject: `amount_out_of_bounds`. */
  readonly amountMicros: number;
  /** All deposits together, in micros: below 2^53. Reject: `deposits_exhausted`. */
  readonly totalMicros: number;
}

/** A neg-risk event with fewer markets can't be opened: one market is a plain market. */
export const MINIMUM_EVENT_MARKETS = 2;

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
assert(BOUNDS.amountMicros <= BOUNDS.totalMicros, 'one deposit must fit the limit of all');
assert(BOUNDS.marketsPerEvent <= BOUNDS.markets, 'one event must fit the limit of markets');
assert(BOUNDS.marketsPerEvent >= MINIMUM_EVENT_MARKETS, 'an event can be opened');
assert(
  // A market has at most the sets that all deposits can pay for, and as many from conversions.
  (BOUNDS.marketsPerEvent * 2 * BOUNDS.totalMicros) / 10_000 <= Number.MAX_SAFE_INTEGER,
  'the sets of an event must be countable exactly',
);
assert(BOUNDS.redemptionsPerCommand >= 1, 'automatic redemption must make progress');
assert(
  BOUNDS.delayedOrdersPerOwner <= BOUNDS.delayedOrders,
  "an owner's limit must not exceed that of the exchange",
);
assert(BOUNDS.recentOrders >= 1, 'a retry must find the order that has just closed');
assert(
  BOUNDS.holderIdempotencyKeys < BOUNDS.idempotencyKeys,
  'some keys are reserved for the operator',
);
assert(BOUNDS.keysPerOwner <= BOUNDS.keysEverPerOwner, 'live keys must fit the bound of all keys');
assert(BOUNDS.makersPerTrade <= BOUNDS.fillsPerCommand, 'a trade record fits one command');
