/** The rows of the error table for the engine's reject codes. */
import { BAD_L2, BAD_ORDER, type ErrorEntry, NOT_YOUR_ADDRESS } from './error-entry.ts';

const OFF_TICK = {
  status: 400,
  text: 'order is invalid. Price breaks minimum tick size rules',
  poly: 'order {orderHash} is invalid. Price ({actual}) breaks minimum tick size rule: {limit}',
} as const;
const TOO_SMALL = 'order is invalid. Size lower than the minimum';
const NO_BALANCE = { status: 400, text: 'not enough balance / allowance' } as const;
const BAD_EXPIRATION = { status: 400, text: 'invalid expiration' } as const;

/** Refusals of orders and cancels. */
export const ORDER_REJECTS = {
  order_id_malformed: { ...BAD_ORDER, docs: 'The order id is not 0x and 64 hex digits.' },
  order_id_unchecked: {
    status: 503,
    text: 'service not ready',
    docs: 'The order id could not be compared with all earlier ones in time; send it again.',
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
    docs: 'The account is not open: the operator opens it, or its owner with a first order.',
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
    docs: 'A FOK or FAK order never rests on the book, so it can not be post-only.',
  },
  expiration_not_allowed: { ...BAD_EXPIRATION, docs: 'Only a GTD order has an expiration.' },
  expiration_required: {
    ...BAD_EXPIRATION,
    docs: 'A GTD order needs an expiration in Unix seconds.',
  },
  expiration_too_soon: {
    ...BAD_EXPIRATION,
    docs:
      'The expiration is past or too soon; `limit` is the earliest one, by the time of the ' +
      'exchange, which may be ahead of the wall clock (`GET /readyz`, `clock`).',
  },
  price_out_of_bounds: {
    ...OFF_TICK,
    docs: 'The price is not between one tick and 1 minus one tick.',
  },
  price_off_tick: { ...OFF_TICK, docs: "The price is not a multiple of the market's tick." },
  size_out_of_bounds: {
    status: 400,
    text: 'order is invalid. Size ({actual}) is not in {limit}',
    docs: 'The size is zero or above the largest size of an order.',
  },
  size_below_minimum: {
    status: 400,
    text: TOO_SMALL,
    poly: 'order {orderHash} is invalid. Size ({actual}) lower than the minimum: {limit}',
    docs: "The size is below the market's minimum size of a resting order.",
  },
  amount_out_of_bounds: {
    status: 400,
    text: 'amount ({actual}) must be {limit}',
    docs: 'The amount of cash or tokens is zero, too large, or not a plain decimal.',
  },
  budget_below_minimum: {
    status: 400,
    text: TOO_SMALL,
    poly: 'invalid amount for a marketable BUY order (\u0024{actual}), min size: \u0024{limit}',
    docs: "The cash of a FOK or FAK BUY is below the market's minimum.",
  },
  too_many_live_orders: {
    status: 400,
    text: 'too many open orders: {actual}, max allowed: {limit}',
    docs: 'The account has the most live orders that are allowed.',
  },
  not_enough_cash: {
    ...NO_BALANCE,
    docs: 'The account has less free cash than the order needs; open orders hold the rest.',
  },
  not_enough_tokens: {
    ...NO_BALANCE,
    docs: 'The account has fewer free tokens than the order sells; open orders hold the rest.',
  },
  post_only_would_cross: {
    status: 400,
    text: 'postOnly would cross the best {crossed}',
    poly: 'invalid post-only order: order crosses book',
    docs: 'The post-only order would trade at once; `limit` is the best opposite price.',
  },
  fill_or_kill_unfilled: {
    status: 400,
    text: "order couldn't be fully filled, FOK orders are fully filled/killed",
    poly: "order couldn't be fully filled. FOK orders are fully filled or killed.",
    docs: 'The book has less than the FOK order needs at its price; `limit` is what it has.',
  },
  nothing_to_match: {
    status: 400,
    text:
      'no orders found to match with FAK order. ' +
      'FAK orders are partially filled or killed if no match is found.',
    docs: 'No order in the book crosses the price of the FAK order.',
  },
  too_many_fills: {
    status: 400,
    text: 'could not run the execution',
    docs: 'The order would match too many resting orders at once; make it smaller.',
  },
  too_many_delayed_orders: {
    status: 400,
    text: 'error delaying the order',
    docs: 'Too many orders wait for their delay; send the order again.',
  },
  too_many_order_ids: {
    status: 400,
    text: 'Too many orders in payload: {actual}, max allowed: {limit}',
    docs: 'The cancel names too many orders.',
  },
  exchange_paused: {
    status: 409,
    text: 'system_paused',
    docs:
      'The exchange takes no orders now; cancels work unless it is halted. `GET /readyz` says ' +
      'whether its clock jumped.',
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
    docs: 'The market is closed or resolved.',
  },
  exchange_halted: {
    status: 409,
    text: 'system_paused',
    docs: 'While the exchange is halted, no order is cancelled and no token split, merged or redeemed.',
  },
  market_halted: {
    status: 409,
    text: 'condition_paused',
    docs: 'While the market is halted, its tokens can not be split, merged or redeemed.',
  },
  owner_banned: {
    status: 403,
    text: 'user_banned',
    poly: "'{actual}' address banned",
    docs: 'The wallet is banned: it may only cancel, merge and redeem.',
  },
  owner_closed_only: {
    status: 403,
    text: "'{actual}' address in closed only mode",
    docs: 'The wallet may sell, cancel, merge and redeem, but not buy.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** Refusals of the operator's commands and of accounts and keys. */
export const ACCOUNT_REJECTS = {
  market_exists: {
    status: 409,
    text: 'the market already exists with other terms: {field}',
    docs: 'The condition id or a token id belongs to a market with other terms.',
  },
  market_malformed: {
    status: 400,
    text: 'invalid market: {field}',
    docs: 'A term of the market is out of bounds.',
  },
  market_unknown: { status: 400, text: 'Invalid market', docs: 'No market has this condition id.' },
  too_many_markets: {
    status: 409,
    text: 'too many markets: {actual}, max allowed: {limit}',
    docs: 'The exchange has the most markets that are allowed.',
  },
  account_bound_to_other: {
    status: 403,
    ...NOT_YOUR_ADDRESS,
    docs: 'The wallet is bound to another owner.',
  },
  too_many_accounts: {
    status: 503,
    text: 'too many accounts: {actual}, max allowed: {limit}',
    docs: 'The exchange has the most accounts that are allowed.',
  },
  address_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'Not an address, or an EOA account with another owner.',
  },
  money_key_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'An idempotency key is 1 to 128 printable ASCII characters without spaces.',
  },
  money_key_reused: {
    status: 409,
    text: 'the idempotency key was used for another transfer',
    docs: 'The idempotency key belongs to a transfer with another account or amount.',
  },
  too_many_money_keys: {
    status: 503,
    text: 'too many transfers: {actual}, max allowed: {limit}',
    docs:
      'The exchange has the most idempotency keys that are allowed; the last ones are reserved ' +
      'for the operator. Redemptions are not counted.',
  },
  deposits_exhausted: {
    status: 409,
    text: 'the deposit exceeds the room for all deposits: {limit} are left',
    docs: 'The sum of all deposits is bounded; `limit` is what may still be deposited.',
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
    docs: 'The owner has the most API keys that are allowed.',
  },
  api_key_unknown: {
    status: 404,
    text: 'api key not found',
    docs: 'The wallet has no API key with this id.',
  },
  api_key_revoked: {
    ...BAD_L2,
    docs: 'The API key was revoked at `revokedAt`.',
  },
  heartbeat_malformed: {
    status: 400,
    text: 'Invalid Heartbeat ID',
    docs: 'The heartbeat id is not a lower-case UUID.',
  },
  notification_ids_malformed: {
    status: 400,
    text: 'Invalid notification ids',
    docs: 'The ids are not 1 to 100 whole numbers.',
  },
  market_resolved: {
    status: 409,
    text: 'the market is resolved',
    docs: 'The market is already resolved, with another payout.',
  },
  market_not_resolved: {
    status: 409,
    text: 'the market is not resolved',
    docs: 'Tokens can be redeemed only after their market is resolved.',
  },
  nothing_to_redeem: {
    status: 400,
    text: 'nothing to redeem',
    docs: 'The account has no tokens of the market.',
  },
  payout_out_of_bounds: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'The payout of a YES token is not between 0 and 1.',
  },
  market_of_event: {
    status: 409,
    text: 'the market resolves with its event',
    docs: 'Exactly one market of a neg-risk event resolves to YES: resolve the event instead.',
  },
  event_unknown: {
    status: 404,
    text: 'event not found',
    docs: 'No market belongs to an event with this id.',
  },
  event_malformed: {
    status: 400,
    text: 'invalid event: {field}',
    docs: 'The event has too few, too many or not neg-risk markets, or not the named one.',
  },
  event_sealed: {
    status: 409,
    text: 'the event is already open',
    docs: 'An open event can not get more markets or another market for "none".',
  },
  event_not_sealed: {
    status: 409,
    text: 'the event is not open',
    docs: 'Converting NO and resolving the event need the operator to open it first.',
  },
  event_resolved: {
    status: 409,
    text: 'the event is resolved',
    docs: 'The event is already resolved, with another winner.',
  },
  conversion_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'A conversion names one or more markets of the event, each once.',
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
    docs: 'The exchange has the most banned and closed-only owners that are allowed.',
  },
  builder_malformed: {
    status: 400,
    text: 'Invalid {field}',
    docs: 'A builder is a code of 32 bytes that are not all zero, with rates within their limits.',
  },
  too_many_builders: {
    status: 503,
    text: 'too many builders: {actual}, max allowed: {limit}',
    docs: 'The exchange has the most builder codes with rates that are allowed.',
  },
  address_reserved: {
    status: 403,
    text: 'the address is reserved: {actual}',
    docs: 'The exchange collects its fees at this address.',
  },
} as const satisfies Record<string, ErrorEntry>;
