/**
 * The details that the sentence of each code names, but for `orderHash`, which intake adds. Made
 * from errors.json by `npm run documents`.
 */
export interface SentenceDetails {
  readonly invalid_parameter: 'field';
  readonly parameter_not_served: 'field' | 'reason';
  readonly missing_field: 'field';
  readonly route_unknown: 'method' | 'path';
  readonly method_not_allowed: 'path' | 'method';
  readonly event_exists: 'field';
  readonly record_exists: 'field';
  readonly comment_bound: 'field' | 'limit';
  readonly command_not_found: 'limit';
  readonly nonce_revoked: 'actual' | 'nextNonce';
  readonly key_request_spent: 'field';
  readonly operator_role_missing: 'limit';
  readonly foreign_origin: 'actual' | 'limit';
  readonly foreign_host: 'actual';
  readonly too_many_orders: 'actual' | 'limit';
  readonly amount_off_grid: 'actual' | 'limit';
  readonly amounts_too_precise: 'orders' | 'makerDecimals' | 'takerDecimals';
  readonly size_off_grid: 'actual' | 'limit';
  readonly faucet_full: 'limit' | 'actual';
  readonly faucet_spent: 'limit';
  readonly invitation_ended: 'limit';
  readonly wallet_not_derived: 'actual' | 'limit';
  readonly relay_type_unknown: 'actual';
  readonly relay_factory_unknown: 'actual';
  readonly relay_call_unknown: 'actual';
  readonly relay_deadline_past: 'actual';
  readonly relay_nonce_mismatch: 'actual' | 'limit';
  readonly too_many_faults: 'actual' | 'limit';
  readonly checkpoint_limit: 'field' | 'actual' | 'limit';
  readonly checkpoint_unusable: 'field' | 'actual' | 'limit';
  readonly backup_limit: 'actual' | 'limit';
  readonly nothing_kept: 'field';
  readonly snapshot_failed: 'reason';
  readonly expiration_too_soon: 'limit' | 'actual';
  readonly price_out_of_bounds: 'actual' | 'limit';
  readonly price_off_tick: 'actual' | 'limit';
  readonly size_out_of_bounds: 'actual' | 'limit';
  readonly size_below_minimum: 'actual' | 'limit';
  readonly amount_out_of_bounds: 'actual' | 'limit';
  readonly budget_below_minimum: 'actual' | 'limit';
  readonly too_many_live_orders: 'actual' | 'limit';
  readonly post_only_would_cross: 'crossed';
  readonly fill_or_kill_unfilled: 'limit' | 'actual';
  readonly too_many_order_ids: 'actual' | 'limit';
  readonly owner_banned: 'actual';
  readonly owner_closed_only: 'actual';
  readonly market_exists: 'field';
  readonly market_malformed: 'field';
  readonly too_many_markets: 'actual' | 'limit';
  readonly too_many_accounts: 'actual' | 'limit';
  readonly address_malformed: 'field';
  readonly money_key_malformed: 'field';
  readonly deposits_exhausted: 'limit';
  readonly payout_out_of_bounds: 'field';
  readonly event_malformed: 'field';
  readonly conversion_malformed: 'field';
  readonly trading_state_malformed: 'field';
  readonly standing_malformed: 'field';
  readonly too_many_standings: 'actual' | 'limit';
  readonly builder_malformed: 'field';
  readonly too_many_builders: 'actual' | 'limit';
  readonly address_reserved: 'actual';
}
