/**
 * The one table of errors: code to status, sentence and meaning. Codes are stable and never reused
 * for another meaning; sentences follow wire 5.8, where clients of two families expect different
 * words: `text` is for the headers SERVICE and KUEST, `poly` for POLY where it differs. `{name}` in
 * a sentence stands for the detail of that name.
 *
 * Every reject of the engine has an entry under its own name: the type says so.
 */
import type { RejectCode } from '../engine/index.ts';

export interface ErrorEntry {
  readonly status: number;
  readonly text: string;
  readonly poly?: string;
  /** When it happens and what helps, for a person. */
  readonly docs: string;
  /** Sent as `Retry-After` where trying again helps. */
  readonly retryAfterSeconds?: number;
}

const NOT_YOUR_ADDRESS = {
  text: 'owner_address_mismatch',
  poly: 'the order signer address has to be the address of the API KEY',
} as const;
const BAD_ORDER_SIGNATURE = { status: 400, text: 'invalid order signature' } as const;
const BAD_L1 = { status: 401, text: 'Invalid L1 Request headers' } as const;
const BAD_L2 = { status: 401, text: 'invalid_l2', poly: 'Unauthorized/Invalid api key' } as const;
const OFF_TICK = {
  status: 400,
  text: 'order is invalid. Price breaks minimum tick size rules',
  poly: 'order {orderHash} is invalid. Price ({actual}) breaks minimum tick size rule: {limit}',
} as const;
const TOO_SMALL = 'order is invalid. Size lower than the minimum';
const NO_BALANCE = { status: 400, text: 'not enough balance / allowance' } as const;
const BAD_EXPIRATION = { status: 400, text: 'invalid expiration' } as const;
const BAD_ORDER = { status: 400, text: 'Invalid order payload' } as const;

/** The engine's refusals of orders and cancels. */
const ORDER_REJECTS = {
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
    docs: 'The expiration is past, or nearer than the least lead; `limit` is the earliest one.',
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
    docs: 'The amount of cash is zero or larger than any may be.',
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
  too_many_order_ids: {
    status: 400,
    text: 'Too many orders in payload: {actual}, max allowed: {limit}',
    docs: 'One cancel names more orders than it may.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The engine's refusals of the operator's commands and of accounts and keys. */
const ACCOUNT_REJECTS = {
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
    docs: 'The exchange remembers as many idempotency keys as it may.',
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
} as const satisfies Record<string, ErrorEntry>;

/** What is judged before the engine: the shape, signature and grid of an order. */
const ORDER_ERRORS = {
  invalid_order_payload: {
    ...BAD_ORDER,
    docs: 'A field of the order has a wrong type or form; `field`, `limit` and `actual` say which.',
  },
  too_many_orders: {
    status: 400,
    text: 'Too many orders in payload: {actual}, max allowed: {limit}',
    docs: 'POST /orders takes 1 to 15 orders.',
  },
  amount_not_positive: {
    status: 400,
    text: 'makerAmount and takerAmount must be positive',
    docs: 'One of makerAmount and takerAmount is zero.',
  },
  size_off_grid: {
    status: 400,
    text: 'order is invalid. Size ({actual}) breaks minimum size step rule: {limit}',
    poly: 'order {orderHash} is invalid. Size ({actual}) breaks minimum size step rule: {limit}',
    docs: 'A size is a whole number of steps of 0.01 token.',
  },
  condition_mismatch: {
    ...BAD_ORDER,
    docs: 'The conditionId is not the one of the tokenId; it may be left out.',
  },
  private_order: {
    ...BAD_ORDER,
    docs: 'The order names a taker. Only orders open to everybody (the zero address) are taken.',
  },
  owner_mismatch: {
    status: 403,
    text: 'owner_mismatch',
    poly: 'the order owner has to be the owner of the API KEY',
    docs: 'The `owner` of the order is not the API key that sends it.',
  },
  order_version_mismatch: {
    status: 400,
    text: 'order_version_mismatch',
    docs: 'No signing domain for the struct of this order is configured.',
  },
  malformed_signature: {
    ...BAD_ORDER_SIGNATURE,
    docs: 'The bytes can not be a signature: length, v, r or s.',
  },
  signature_mismatch: {
    ...BAD_ORDER_SIGNATURE,
    docs: 'The signature recovers to another address under every domain; `recovered` lists them.',
  },
  wrong_exchange: {
    status: 400,
    text: 'unsupported verifying contract',
    docs: 'Signed for the contract of the other kind of market (neg-risk or plain).',
  },
  signer_mismatch: {
    status: 403,
    ...NOT_YOUR_ADDRESS,
    docs: "The signer is not the API key's address.",
  },
  maker_mismatch: {
    status: 403,
    text: 'owner_address_mismatch',
    poly: 'the order maker address has to be an account of the API KEY',
    docs: 'The maker is no account of the signer for this signatureType.',
  },
  wallet_not_yours: {
    status: 403,
    text: 'owner_address_mismatch',
    poly: 'the order maker address has to be an account of the API KEY',
    docs: 'The maker is a wallet that is bound to another owner.',
  },
  invalid_order_id: {
    status: 400,
    text: 'Invalid orderID',
    docs: 'The id of the order to cancel is missing, or not a text.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** Who is asking. */
const AUTH_ERRORS = {
  missing_header: { ...BAD_L2, docs: 'An L2 header is missing; `field` names it.' },
  malformed_header: { ...BAD_L2, docs: 'An L2 header has a wrong form; `field` names it.' },
  unknown_api_key: { ...BAD_L2, docs: 'The API key was never issued, or is revoked.' },
  wrong_passphrase: { ...BAD_L2, docs: 'The passphrase is not the one of the API key.' },
  address_mismatch: { ...BAD_L2, docs: 'The address is not the one the API key was issued to.' },
  stale_timestamp: {
    ...BAD_L2,
    docs: "The timestamp is too far from the server's clock; the details say both.",
  },
  bad_signature: {
    ...BAD_L2,
    docs: 'The HMAC is not the one of timestamp, method, path and body under the secret.',
  },
  l1_missing_header: { ...BAD_L1, docs: 'An L1 header is missing; `field` names it.' },
  l1_malformed_header: { ...BAD_L1, docs: 'An L1 header has a wrong form; `field` names it.' },
  l1_stale_timestamp: { ...BAD_L1, docs: "The timestamp is too far from the server's clock." },
  l1_bad_signature: {
    ...BAD_L1,
    docs: 'The signature recovers to another address on every chain; `recovered` lists them.',
  },
  bad_operator_token: {
    status: 401,
    text: 'unauthorized',
    docs: "The operator's listener wants `Authorization: Bearer` and its token.",
  },
} as const satisfies Record<string, ErrorEntry>;

/** Requests in general. */
const REQUEST_ERRORS = {
  malformed_json: {
    status: 400,
    text: 'Invalid payload',
    docs: 'The body is not JSON; `position` is the index of the first wrong character.',
  },
  invalid_payload: {
    status: 400,
    text: 'Invalid payload',
    docs: 'A part of the body has a wrong type or form; `field`, `limit` and `actual` say which.',
  },
  invalid_parameter: {
    status: 400,
    text: 'Invalid {name}',
    docs: 'A parameter of the path or query has a wrong type or is out of its bounds.',
  },
  missing_field: {
    status: 400,
    text: '{name} is required',
    docs: 'A required field of the body or query is missing.',
  },
  invalid_cursor: {
    status: 400,
    text: 'next item should be greater than or equal to 0',
    docs: 'The next_cursor is not one that a page gave; the first page is `MA==`.',
  },
  too_many_items: {
    status: 400,
    text: 'Payload exceeds the limit',
    docs: 'The list in the body, or the reply to it, has more items than `limit`.',
  },
  body_too_large: {
    status: 413,
    text: 'Payload exceeds the limit',
    docs: 'The body has more than `limit` bytes.',
  },
  route_unknown: {
    status: 404,
    text: 'there is no {method} {path}',
    docs: 'Nothing is served at this path; `routes` lists what is.',
  },
  method_not_allowed: {
    status: 405,
    text: '{path} does not take {method}',
    docs: 'The path takes other methods, listed in `allowed` and the header Allow.',
  },
  book_not_found: {
    status: 404,
    text: 'No orderbook exists for the requested token id',
    docs: 'No market has this outcome token.',
  },
  market_not_found: { status: 404, text: 'market not found', docs: 'No such market.' },
  order_not_found: {
    status: 404,
    text: 'order not found',
    docs: 'No order of yours has this id.',
  },
  api_key_not_found: {
    status: 404,
    text: 'api key not found',
    poly: 'Could not derive api key!',
    docs: 'No API key was ever issued for this nonce; POST /auth/api-key issues one.',
  },
  service_not_ready: {
    status: 425,
    text: 'service not ready',
    docs: 'The exchange is starting or stopping.',
    retryAfterSeconds: 1,
  },
  overloaded: {
    status: 503,
    text: 'the service is overloaded',
    docs: 'A queue is full; nothing was done. Try again later.',
    retryAfterSeconds: 1,
  },
  reader_unavailable: {
    status: 503,
    text: 'the service is restarting a part of itself',
    docs: 'The thread that answers such reads is down for a moment. Try again.',
    retryAfterSeconds: 1,
  },
  verifier_lost: {
    status: 503,
    text: 'the service is restarting a part of itself',
    docs: 'The thread that was checking the signature died; nothing was done. Try again.',
    retryAfterSeconds: 1,
  },
  internal_error: {
    status: 500,
    text: 'internal_error',
    docs: 'A mistake of ours; the log has it under `requestId`.',
  },
} as const satisfies Record<string, ErrorEntry>;

export const ERRORS = {
  ...REQUEST_ERRORS,
  ...AUTH_ERRORS,
  ...ORDER_ERRORS,
  ...ORDER_REJECTS,
  ...ACCOUNT_REJECTS,
} as const satisfies Record<RejectCode, ErrorEntry> & Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
