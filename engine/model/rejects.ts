/**
 * The reasons for which a command is refused, each with a number that is never reused. Tools and
 * metrics use the numbers; clients see the names as `code`. A rejected command changes nothing
 * itself: only expirations and delays that were due before it take effect.
 */
export const REJECTS = {
  order_id_malformed: 1,
  order_id_unchecked: 2,
  order_id_reused: 3,
  account_unknown: 4,
  account_not_yours: 5,
  token_unknown: 6,
  post_only_needs_resting_order: 7,
  expiration_not_allowed: 8,
  expiration_required: 9,
  expiration_too_soon: 10,
  price_out_of_bounds: 11,
  price_off_tick: 12,
  size_out_of_bounds: 13,
  size_below_minimum: 14,
  amount_out_of_bounds: 15,
  budget_below_minimum: 16,
  too_many_live_orders: 17,
  not_enough_cash: 18,
  not_enough_tokens: 19,
  post_only_would_cross: 20,
  fill_or_kill_unfilled: 21,
  nothing_to_match: 22,
  too_many_fills: 23,
  too_many_order_ids: 24,
  market_exists: 25,
  market_malformed: 26,
  market_unknown: 27,
  too_many_markets: 28,
  account_bound_to_other: 29,
  too_many_accounts: 30,
  address_malformed: 31,
  money_key_malformed: 32,
  money_key_reused: 33,
  too_many_money_keys: 34,
  deposits_exhausted: 35,
  api_key_malformed: 36,
  api_key_reused: 37,
  too_many_api_keys: 38,
  api_key_unknown: 39,
  api_key_revoked: 40,
  heartbeat_malformed: 41,
  notification_ids_malformed: 42,
  exchange_paused: 43,
  market_paused: 44,
  market_closed: 45,
  exchange_halted: 46,
  trading_state_malformed: 47,
  owner_banned: 48,
  owner_closed_only: 49,
  standing_malformed: 50,
  too_many_standings: 51,
  market_halted: 52,
  market_resolved: 53,
  market_not_resolved: 54,
  nothing_to_redeem: 55,
  payout_out_of_bounds: 56,
  market_of_event: 57,
  event_unknown: 58,
  event_malformed: 59,
  event_sealed: 60,
  event_not_sealed: 61,
  event_resolved: 62,
  conversion_malformed: 63,
  builder_malformed: 64,
  too_many_builders: 65,
  address_reserved: 66,
  too_many_delayed_orders: 67,
  money_key_unchecked: 68,
} as const;

export type RejectCode = keyof typeof REJECTS;

/**
 * What a client needs to correct a refused command: the field, its limit and its value, in the
 * engine's units (ticks, lots, micros, milliseconds). A lack of funds adds the balance.
 */
export interface RejectDetails {
  readonly field?: string;
  readonly limit?: number | string;
  readonly actual?: number | string;
  /** The asset that is lacking: 'cash' (in micros) or a token id (in lots). */
  readonly asset?: string;
  readonly required?: number;
  readonly available?: number;
  readonly held?: number;
}
