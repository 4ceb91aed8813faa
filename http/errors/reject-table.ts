/**
 * What the wire says of the engine's refusals: the rows of the table of errors that have the names
 * of reject codes.
 */
import { BAD_L2, BAD_ORDER, type ErrorEntry, NOT_YOUR_ADDRESS } from './error-entry.ts';

const OFF_TICK = {
  status: 400,
  text: 'order is invalid. Price breaks minimum tick size rules',
  poly: 'order {orderHash} is invalid. Price ({actual}) breaks minimum tick size rule: {limit}',
} as const;
const TOO_SMALL = 'order is invalid. Size lower than the minimum';
const NO_BALANCE = { status: 400, text: 'not enough balance / allowance' } as const;
const BAD_EXPIRATION = { status: 400, text: 'invalid expiration' } as const;

/** The engine's refusals of orders and cancels. */
export const ORDER_REJECTS = {
  order_id_malformed: { ...BAD_ORDER, docs: 'The order id is not 0x and 64 hex digits.' },
  order_id_unchecked: {
    status: 503,
    text: 'service not ready',
    docs: 'The order id could not be compared with all old ones in time; send it again.',
    retryAfterSeconds: 1,
  },
  order_id_reused: {
    status: 400,
    text: "order is invalid. Duplicated. Same order has already been placed, can't be placed again",
    poly: 'order {orderHash} is invalid. Duplicated.',
    docs: 'This signed order was accepted before with another `field` that is not signed.',
  },
  account_unknown: {
    status: 400,
    text: 'account not found',
    docs: 'The account is not open: the operator opens it, or its owner by a first order.',
  },
  account_not_yours: {
    status: 403,
    ...NOT_YOUR_ADDRESS,
    docs: 'The account belongs to another owner than the key.',
  },
  token_unknown: {
    status: 400,
    text: 'token is not registered',
    docs: 'No market has this outcome token.',
  },
  post_only_needs_resting_order: {
    status: 400,
    text: 'postOnly requires GTC or GTD',
    poly: 'invalid post-only order: postOnly requires GTC or GTD',
    docs: 'A FOK or FAK order never rests, so it can not be post-only.',
  },
  expiration_not_allowed: { ...BAD_EXPIRATION, docs: 'Only a GTD order has an expiration.' },
  expiration_required: {
    ...BAD_EXPIRATION,
    docs: 'A GTD order needs an expiration in Unix seconds.',
  },
  expiration_too_soon: {
    ...BAD_EXPIRATION,
    docs:
      'The expiration is past, or nearer than the least lead; `limit` is the earliest one, by ' +
      'the time of commands, which may be ahead of the wall clock (`GET /readyz`, `clock`).',
  },
  price_out_of_bounds: {
    ...OFF_TICK,
    docs: 'The price is not between one tick and one less a tick.',
  },
  price_off_tick: { ...OFF_TICK, docs: "The price is not a multiple of the market's tick." },
  size_out_of_bounds: {
    status: 400,
    text: 'order is invalid. Size ({actual}) is not in {limit}',
    docs: 'The size is zero or larger than any order may be.',
  },
  size_below_minimum: {
    status: 400,
    text: TOO_SMALL,
    poly: 'order {orderHash} is invalid. Size ({actual}) lower than the minimum: {limit}',
    docs: "The size is below the market's least size of a resting order.",
  },
  amount_out_of_bounds: {
    status: 400,
    text: 'amount ({actual}) must be {limit}',
    docs: 'The amount of cash or tokens is zero, larger than any may be, or no plain decimal.',
  },
  budget_below_minimum: {
    status: 400,
    text: TOO_SMALL,
    poly: 'invalid amount for a marketable BUY order (\u0024{actual}), min size: \u0024{limit}',
    docs: "The cash of a FOK or FAK BUY is below the market's least amount.",
  },
  too_many_live_orders: {
    status: 400,
    text: 'too many open orders: {actual}, max allowed: {limit}',
    docs: 'The account has as many live orders as one may have.',
  },
  not_enough_cash: {
    ...NO_BALANCE,
    docs: 'The account has less cash than the order needs; the rest may be held by open orders.',
  },
  not_enough_tokens: {
    ...NO_BALANCE,
    docs: 'The account has fewer tokens than the order sells; others may be held by open orders.',
  },
  post_only_would_cross: {
    status: 400,
    text: 'postOnly would cross the best {crossed}',
    poly: 'invalid post-only order: order crosses book',
    docs: 'A post-only order would trade at once; `limit` is the best opposite price.',
  },
  fill_or_kill_unfilled: {
    status: 400,
    text: "order couldn't be fully filled, FOK orders are fully filled/killed",
    poly: "order couldn't be fully filled. FOK orders are fully filled or killed.",
    docs: 'The book holds less than a FOK order wants at its price; `limit` is what it holds.',
  },
  nothing_to_match: {
    status: 400,
    text:
      'no orders found to match with FAK order. ' +
      'FAK orders are partially filled or killed if no match is found.',
    docs: 'Nothing in the book crosses the price of a FAK order.',
  },
  too_many_fills: {
    status: 400,
    text: 'could not run the execution',
    docs: 'The order would match more resting orders than one command may; make it smaller.',
  },
  too_many_delayed_orders: {
    status: 400,
    text: 'error delaying the order',
    docs: 'The order would wait for its delay, and as many orders wait as may; send it again.',
  },
  too_many_order_ids: {
    status: 400,
    text: 'Too many orders in payload: {actual}, max allowed: {limit}',
    docs: 'One cancel names more orders than it may.',
  },
  exchange_paused: {
    status: 409,
    text: 'system_paused',
    docs:
      'The exchange takes no orders now; cancels work unless it is halted. `GET /readyz` says if ' +
      'its clock jumped.',
  },
  market_paused: {
    status: 409,
    text: 'condition_paused',
    docs: 'The market takes no orders now; cancels work unless it is halted.',
  },
  market_closed: {
    status: 400,
    text: 'market not yet accepting orders',
    poly: 'the market is not yet ready to process new orders',
    docs: 'The market is closed or resolved, for good.',
  },
  exchange_halted: {
    status: 409,
    text: 'system_paused',
    docs: 'Nothing is cancelled, split, merged or redeemed while the exchange is halted.',
  },
  market_halted: {
    status: 409,
    text: 'condition_paused',
    docs: 'Nothing is split, merged or redeemed in a market while it is halted.',
  },
  owner_banned: {
    status: 403,
    text: 'user_banned',
    poly: "'{actual}' address banned",
    docs: 'The wallet is banned: it may cancel, merge and redeem, and nothing else.',
  },
  owner_closed_only: {
    status: 403,
    text: "'{actual}' address in closed only mode",
    docs: 'The wallet may sell, cancel, merge and redeem, but not buy.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The engine's refusals of the operator's commands and of accounts and keys. */
export const ACCOUNT_REJECTS = {
  market_exists: {
    status: 409,
    text: 'the market exists with other terms: {field}',
    docs: 'The condition id or a token id belongs to a market with other terms.',
  },
  market_malformed: {
    status: 400,
    text: 'invalid market: {field}',
    docs: 'A term of the market is out of its bounds.',
  },
  market_unknown: { status: 400, text: 'Invalid market', docs: 'No market has this condition id.' },
  too_many_markets: {
    status: 409,
    text: 'too many markets: {actual}, max allowed: {limit}',
    docs: 'The exchange has as many markets as it may have.',
  },
  account_bound_to_other: {
    status: 403,
    ...NOT_YOUR_ADDRESS,
    docs: 'The wallet is bound to another owner, for good.',
  },
  too_many_accounts: {
    status: 503,
    text: 'too many accounts: {actual}, max allowed: {limit}',
    docs: 'The exchange has as many accounts as it may have.',
  },
  address_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'Not an address, or an EOA account whose owner is another address.',
  },
  money_key_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'An idempotency key is 1 to 128 printable ASCII characters without spaces.',
  },
  money_key_reused: {
    status: 409,
    text: 'the key was used for another movement of money',
    docs: 'The idempotency key belongs to a movement with another account or amount.',
  },
  too_many_money_keys: {
    status: 503,
    text: 'too many movements of money: {actual}, max allowed: {limit}',
    docs:
      'The exchange remembers as many idempotency keys as it may; the last are the ' +
      "operator's. Redemptions are not counted.",
  },
  deposits_exhausted: {
    status: 409,
    text: 'all deposits together would exceed what the exchange can count: {limit} are left',
    docs: 'The sum of all deposits is bounded; `limit` is what may still come.',
  },
  api_key_malformed: {
    status: 400,
    text: 'Could not create api key',
    docs: 'The nonce is not a plain decimal uint256.',
  },
  api_key_reused: {
    status: 409,
    text: 'Could not create api key',
    docs: 'The key belongs to another owner or nonce.',
  },
  too_many_api_keys: {
    status: 400,
    text: 'Could not create api key',
    docs: 'The owner has as many API keys as one may have.',
  },
  api_key_unknown: {
    status: 404,
    text: 'api key not found',
    docs: 'The wallet has no API key with this id.',
  },
  api_key_revoked: {
    ...BAD_L2,
    docs: 'The API key was revoked, at `revokedAt`; it is refused from then on.',
  },
  heartbeat_malformed: {
    status: 400,
    text: 'Invalid Heartbeat ID',
    docs: 'The heartbeat id is not a lower-case UUID.',
  },
  notification_ids_malformed: {
    status: 400,
    text: 'Invalid notification ids',
    docs: 'Not 1 to 100 whole numbers.',
  },
  market_resolved: {
    status: 409,
    text: 'the market is resolved',
    docs: 'The market is resolved, for good; a payout other than its own is refused.',
  },
  market_not_resolved: {
    status: 409,
    text: 'the market is not resolved',
    docs: 'Tokens are redeemed only after the resolution of their market.',
  },
  nothing_to_redeem: {
    status: 400,
    text: 'nothing to redeem',
    docs: 'The account has no tokens of the market.',
  },
  payout_out_of_bounds: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'The payout of a YES token is not within 0 and 1.',
  },
  market_of_event: {
    status: 409,
    text: 'the market resolves with its event',
    docs: 'Of the markets of a neg-risk event exactly one resolves to YES: resolve the event.',
  },
  event_unknown: {
    status: 404,
    text: 'event not found',
    docs: 'No market belongs to an event with this id.',
  },
  event_malformed: {
    status: 400,
    text: 'invalid event: {field}',
    docs: 'Its markets are too few, too many or not neg-risk, or the named one is not among them.',
  },
  event_sealed: {
    status: 409,
    text: 'the event is open already',
    docs: 'An opened event gets no more markets and no other market for "none".',
  },
  event_not_sealed: {
    status: 409,
    text: 'the event is not open',
    docs: 'NO is converted, and the event resolved, only after the operator opened it.',
  },
  event_resolved: {
    status: 409,
    text: 'the event is resolved',
    docs: 'The event is resolved, for good; a winner other than its own is refused.',
  },
  conversion_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'The markets of a conversion are one or more of the event, each named once.',
  },
  trading_state_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'A trading state is open, cancel_only or halted.',
  },
  standing_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'A standing is good, closed_only or banned.',
  },
  too_many_standings: {
    status: 503,
    text: 'too many restricted owners: {actual}, max allowed: {limit}',
    docs: 'The exchange has as many owners banned or in closed-only mode as it may have.',
  },
  builder_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'A builder is a code of 32 bytes that are not all zero, with rates within their limits.',
  },
  too_many_builders: {
    status: 503,
    text: 'too many builders: {actual}, max allowed: {limit}',
    docs: 'The exchange has as many builder codes that earn something as it may have.',
  },
  address_reserved: {
    status: 403,
    text: 'the address is reserved: {actual}',
    docs: 'The exchange keeps the address for itself: it is where fees are collected.',
  },
} as const satisfies Record<string, ErrorEntry>;
