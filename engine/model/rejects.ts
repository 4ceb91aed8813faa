/**
 * The reasons for which a command is refused; clients see them as `code`. A rejected command
 * changes nothing itself: only expirations and delays that were due before it take effect.
 */
export const REJECT_CODES = [
  'order_id_malformed',
  'order_id_unchecked',
  'order_id_reused',
  'account_unknown',
  'account_not_yours',
  'token_unknown',
  'post_only_needs_resting_order',
  'expiration_not_allowed',
  'expiration_required',
  'expiration_too_soon',
  'price_out_of_bounds',
  'price_off_tick',
  'size_out_of_bounds',
  'size_below_minimum',
  'amount_out_of_bounds',
  'budget_below_minimum',
  'too_many_live_orders',
  'not_enough_cash',
  'not_enough_tokens',
  'post_only_would_cross',
  'fill_or_kill_unfilled',
  'nothing_to_match',
  'too_many_fills',
  'too_many_order_ids',
  'market_exists',
  'market_malformed',
  'market_unknown',
  'too_many_markets',
  'account_bound_to_other',
  'too_many_accounts',
  'address_malformed',
  'money_key_malformed',
  'money_key_reused',
  'deposits_exhausted',
  'api_key_malformed',
  'api_key_reused',
  'too_many_api_keys',
  'api_key_unknown',
  'api_key_revoked',
  'heartbeat_malformed',
  'notification_ids_malformed',
  'exchange_paused',
  'market_paused',
  'market_closed',
  'exchange_halted',
  'trading_state_malformed',
  'owner_banned',
  'owner_closed_only',
  'standing_malformed',
  'too_many_standings',
  'market_halted',
  'market_resolved',
  'market_not_resolved',
  'nothing_to_redeem',
  'payout_out_of_bounds',
  'market_of_event',
  'event_unknown',
  'event_malformed',
  'event_sealed',
  'event_not_sealed',
  'event_resolved',
  'conversion_malformed',
  'builder_malformed',
  'too_many_builders',
  'address_reserved',
  'too_many_delayed_orders',
  'money_key_unchecked',
] as const;

export type RejectCode = (typeof REJECT_CODES)[number];

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
