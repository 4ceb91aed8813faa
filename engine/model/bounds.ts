/**
 * Every bound of the engine, with the relations between them asserted. Bounds are part of the
 * rules: a journal replays only under the bounds it was written with, so any change here needs a
 * new RULES_VERSION.
 */
import { strict as assert } from 'node:assert';
import type { Lots, Micros } from './units.ts';

// What an idempotency key stands for: the movement of money or tokens that was asked for with it,
// and its result.

/** The kinds of commands with an idempotency key. Snapshots store a kind as its place here. */
export const MOVEMENT_KINDS = [
  'deposit',
  'withdraw',
  'split',
  'merge',
  'convert',
  'redeem',
] as const;

/** The account's gain or loss of cash by a movement, and the tokens that moved with it. */
export interface Moved {
  readonly amountMicros: Micros;
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** An idempotency key, with the requested movement and its result. */
export interface IdempotencyKeyState extends Moved {
  readonly command: (typeof MOVEMENT_KINDS)[number];
  /** A key is unique within its owner; '' for the operator. */
  readonly owner: string;
  readonly key: string;
  readonly account: string;
  /** The market or the markets of an event; '' for a movement of cash only. */
  readonly subject: string;
  /** The requested micros of cash, or lots; 0 for a redemption, which takes all tokens. */
  readonly amount: number;
  /** The seq that put it into the journal's index; absent before. */
  readonly indexedSeq?: number;
}

/**
 * The version of the engine's rules. A change that an older program would replay differently gets a
 * new number, and a journal is raised to it when this program opens it, because all later commands
 * follow it. Invariant: commands that ran under an older version replay with the same events.
 */
export const RULES_VERSION = 1;

/** How long before its expiration an order may end: over an hour. An order packs it in 22 bits. */
export const MOST_EARLY_END_MS = 2 ** 22 - 1;

/** A neg-risk event with fewer markets can't be opened: one market is a plain market. */
export const MINIMUM_EVENT_MARKETS = 2;

export const BOUNDS = {
  /** Accounts that can exist. Reject: `too_many_accounts`. */
  accounts: 1_000_000,
  /**
   * The part of `accounts` that account holders can use up: by an API key or a first order. The
   * rest is reserved for the operator. Reject: `too_many_accounts`.
   */
  holderAccounts: 900_000,
  /**
   * Accounts of one owner, after which it can't open another itself. Reject: `too_many_accounts`,
   * field `owner`.
   */
  accountsPerOwner: 20,
  /** Markets that can exist. Reject: `too_many_markets`. */
  markets: 200_000,
  /** Markets of one neg-risk event. Reject: `event_malformed`. */
  marketsPerEvent: 500,
  /** Live orders of one account. Reject: `too_many_live_orders`. */
  liveOrdersPerAccount: 10_000,
  /**
   * Live orders of all accounts of one owner: what a cancel, a tripped switch or a ban of this
   * owner closes at most. Reject: `too_many_live_orders`, field `owner`.
   */
  liveOrdersPerOwner: 20_000,
  /** Live orders of the whole exchange. Reject: `too_many_live_orders`, field `orderId`. */
  liveOrders: 5_000_000,
  /**
   * The part of `liveOrders` that owners with `quietLiveOrders` or more live orders can use up. The
   * rest is reserved for owners with fewer. Reject: as above.
   */
  busyLiveOrders: 4_000_000,
  /** See `busyLiveOrders`. */
  quietLiveOrders: 100,
  /** Delayed orders of one market. Reject: `too_many_delayed_orders`, field `conditionId`. */
  delayedOrdersPerMarket: 10_000,
  /**
   * The part of `delayedOrdersPerMarket` that owners with `quietDelayedOrders` or more delayed
   * orders can use up. The rest is reserved for owners with fewer. Reject: as above.
   */
  busyDelayedOrdersPerMarket: 8_000,
  /** See `busyDelayedOrdersPerMarket`. */
  quietDelayedOrders: 20,
  /**
   * Delayed orders of one owner, so that one owner can't use up the bound of a market. Reject:
   * `too_many_delayed_orders`, field `owner`.
   */
  delayedOrdersPerOwner: 500,
  /** Live API keys of one owner. Reject: `too_many_api_keys`, field `owner`. */
  keysPerOwner: 100,
  /** API keys of one owner including revoked ones. Reject: `too_many_api_keys`, field `nonce`. */
  keysEverPerOwner: 10_000,
  /** Owners that are banned or in closed-only mode. Reject: `too_many_standings`. */
  standings: 1_000_000,
  /** Builder codes that have terms. Reject: `too_many_builders`. */
  builders: 10_000,
  /** Resting orders that one order may fill or cancel in matching. Reject: `too_many_fills`. */
  fillsPerCommand: 10_000,
  /**
   * The work of one command: orders that expire, are released or end with their market or owner,
   * and resting orders that an order meets. The command stops when so much is done, and the next
   * `advance_time` continues. Two steps of an order that meets 128 fill a
   * batch of the journal, which is delivered in one turn: 3 to 4 ms if its owner listens.
   */
  workPerCommand: 128,
  /** Accounts that one `advance_time` command pays in automatic redemption. */
  redemptionsPerCommand: 1_000,
  /** Order ids in one cancel command. Reject: `too_many_order_ids`. */
  cancelsPerCommand: 1_000,
  /** Ids of closed orders kept in memory; the journal's index finds older ones. */
  recentOrders: 65_536,
  /** Notifications in one dismissal. Reject: `notification_ids_malformed`. */
  dismissalsPerCommand: 100,
  /**
   * Idempotency keys in memory that are not in the journal's index, and as many that are in it too.
   * A new key makes the oldest leave. Senders look up those that left: `money_key_unchecked`.
   */
  rememberedMoneyKeys: 8_192,
  /** Largest size of one order in lots: 1 billion tokens. Reject: `size_out_of_bounds`. */
  orderLots: 100_000_000_000,
  /** Largest budget or deposit in micros. Reject: `amount_out_of_bounds`. */
  amountMicros: 1_000_000_000_000_000,
  /** All deposits less all withdrawals, in micros: below 2^53. Reject: `deposits_exhausted`. */
  totalMicros: Number.MAX_SAFE_INTEGER,
  /**
   * The part of `totalMicros` up to which accounts that their holders open get play money. The rest
   * is reserved for the operator. Reject: `deposits_exhausted`.
   */
  holderMicros: 8_000_000_000_000_000,
} as const;

export type Bounds = { readonly [Name in keyof typeof BOUNDS]: number };

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
assert(BOUNDS.workPerCommand >= 1, 'what is due must make progress');
assert(
  BOUNDS.quietDelayedOrders < BOUNDS.delayedOrdersPerOwner &&
    BOUNDS.delayedOrdersPerOwner < BOUNDS.busyDelayedOrdersPerMarket &&
    BOUNDS.busyDelayedOrdersPerMarket < BOUNDS.delayedOrdersPerMarket,
  'no owner can fill a market, and busy owners leave room for quiet ones',
);
assert(
  BOUNDS.holderAccounts < BOUNDS.accounts && BOUNDS.holderMicros < BOUNDS.totalMicros,
  'some accounts and some deposits are reserved for the operator',
);
assert(
  BOUNDS.quietLiveOrders < BOUNDS.liveOrdersPerAccount &&
    BOUNDS.liveOrdersPerAccount <= BOUNDS.liveOrdersPerOwner &&
    BOUNDS.liveOrdersPerOwner < BOUNDS.busyLiveOrders &&
    BOUNDS.busyLiveOrders < BOUNDS.liveOrders,
  'no owner can fill the exchange, and busy owners leave room for quiet ones',
);
assert(BOUNDS.recentOrders >= 1, 'a retry must find the order that has just closed');
assert(BOUNDS.keysPerOwner <= BOUNDS.keysEverPerOwner, 'live keys must fit the bound of all keys');
