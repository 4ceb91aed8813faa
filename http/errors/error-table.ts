/**
 * The table of errors: the status, sentence and meaning of each code. Codes are stable and never get
 * another meaning. Sentences follow wire 5.8, where two families of clients expect different words:
 * `text` answers requests with SERVICE and KUEST headers, `poly` those with POLY headers where it
 * differs. `{name}` in a sentence stands for the detail of that name.
 *
 * Every reject code of the engine has an entry of the same name; the type checks it.
 */
import type { RejectCode } from '../../engine/index.ts';
import { BAD_L2, BAD_ORDER, type ErrorEntry, NOT_YOUR_ADDRESS } from './error-entry.ts';
import { ACCOUNT_REJECTS, ORDER_REJECTS } from './reject-table.ts';

export type { ErrorEntry } from './error-entry.ts';

const BAD_ORDER_SIGNATURE = { status: 400, text: 'invalid order signature' } as const;
const BAD_L1 = { status: 401, text: 'Invalid L1 Request headers' } as const;

/** Refusals of orders before the engine: their shape, signature and amounts. */
const ORDER_ERRORS = {
  invalid_order_payload: {
    ...BAD_ORDER,
    docs: 'A field of the order has a wrong type or form; `field`, `limit` and `actual` show it.',
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
  amount_off_grid: {
    status: 400,
    text: 'amount ({actual}) must be a multiple of {limit}',
    docs: 'An amount of tokens or complete sets is a multiple of 0.01 token.',
  },
  size_off_grid: {
    status: 400,
    text: 'order is invalid. Size ({actual}) breaks minimum size step rule: {limit}',
    poly: 'order {orderHash} is invalid. Size ({actual}) breaks minimum size step rule: {limit}',
    docs: 'A size is a multiple of 0.01 token.',
  },
  condition_mismatch: {
    ...BAD_ORDER,
    docs: 'The conditionId does not belong to the tokenId; it may be left out.',
  },
  private_order: {
    ...BAD_ORDER,
    docs: 'The order names a taker. Only orders that anyone may fill (the zero address) are accepted.',
  },
  owner_mismatch: {
    status: 403,
    text: 'owner_mismatch',
    poly: 'the order owner has to be the owner of the API KEY',
    docs: 'The `owner` of the order is not the API key of the request.',
  },
  order_version_mismatch: {
    status: 400,
    text: 'order_version_mismatch',
    docs: 'No signing domain for the struct of this order is configured.',
  },
  malformed_signature: {
    ...BAD_ORDER_SIGNATURE,
    docs: 'The bytes are not a signature: length, v, r or s is wrong.',
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
    docs: 'The maker is not an account of the signer for this signatureType.',
  },
  wallet_not_yours: {
    status: 403,
    text: 'owner_address_mismatch',
    poly: 'the order maker address has to be an account of the API KEY',
    docs: 'The maker is a wallet that belongs to another owner.',
  },
  invalid_order_id: {
    status: 400,
    text: 'Invalid orderID',
    docs: 'The id of the order to cancel is missing or not a string.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** Authentication. */
const AUTH_ERRORS = {
  missing_header: { ...BAD_L2, docs: 'An L2 header is missing; `field` names it.' },
  malformed_header: { ...BAD_L2, docs: 'An L2 header has a wrong form; `field` names it.' },
  unknown_api_key: { ...BAD_L2, docs: 'The API key was never issued.' },
  wrong_key_purpose: {
    ...BAD_L2,
    docs: 'A builder key in the L2 headers, or another key in the builder headers.',
  },
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
  read_only_key: {
    status: 403,
    text: 'a read-only API key may only read',
    docs: 'The key is valid but read-only: it may only call GET routes.',
  },
  l1_missing_header: { ...BAD_L1, docs: 'An L1 header is missing; `field` names it.' },
  l1_malformed_header: { ...BAD_L1, docs: 'An L1 header has a wrong form; `field` names it.' },
  l1_stale_timestamp: { ...BAD_L1, docs: "The timestamp is too far from the server's clock." },
  l1_bad_signature: {
    ...BAD_L1,
    docs: 'The signature recovers to another address on every chain; `recovered` lists them.',
  },
  builder_filter_required: {
    status: 401,
    text: 'builder headers, builder_code or maker_address are required',
    docs: 'Builder trades are listed for a builder or an account: send builder headers or name one.',
  },
  bad_operator_token: {
    status: 401,
    text: 'unauthorized',
    docs: "The operator's listener requires `Authorization: Bearer` and its token.",
  },
} as const satisfies Record<string, ErrorEntry>;

/** Refusals of any request. */
const REQUEST_ERRORS = {
  ambiguous_body_length: {
    status: 400,
    text: 'the length of the body is ambiguous',
    docs: 'Content-Length or Transfer-Encoding is empty or repeated; the connection closes.',
  },
  malformed_json: {
    status: 400,
    text: 'Invalid payload',
    docs: 'The body is not JSON; `position` is the index of the first wrong character.',
  },
  invalid_payload: {
    status: 400,
    text: 'Invalid payload',
    docs: 'A part of the body has a wrong type or form; `field`, `limit` and `actual` show it.',
  },
  invalid_parameter: {
    status: 400,
    text: 'Invalid {name}',
    docs: 'A parameter of the path or query has a wrong type or is out of bounds.',
  },
  missing_field: {
    status: 400,
    text: '{name} is required',
    docs: 'A required field of the body or query is missing.',
  },
  invalid_cursor: {
    status: 400,
    text: 'next item should be greater than or equal to 0',
    docs: 'The next_cursor is not the base64 of an offset; the first page is `MA==`.',
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
    docs: 'No route has this path; `routes` lists all routes.',
  },
  method_not_allowed: {
    status: 405,
    text: '{path} does not allow {method}',
    docs: 'The path has other methods, listed in `allowed` and the header Allow.',
  },
  book_not_found: {
    status: 404,
    text: 'No orderbook exists for the requested token id',
    docs: 'No market has this outcome token.',
  },
  market_not_found: { status: 404, text: 'market not found', docs: 'The market does not exist.' },
  market_not_tradable: {
    status: 409,
    text: 'the catalog does not allow trading in this market',
    docs: 'The catalog says that it is closed, archived, not active or not accepting orders.',
  },
  id_not_found: {
    status: 404,
    text: 'id not found',
    docs: 'The catalog has no record with this id.',
  },
  slug_not_found: {
    status: 404,
    text: 'slug not found',
    docs: 'The catalog has no record with this slug.',
  },
  event_exists: {
    status: 409,
    text: 'already exists with other content: {field}',
    docs: 'The event or market has other content, or another one has its slug or one of its ids.',
  },
  record_exists: {
    status: 409,
    text: 'already exists with other content: {field}',
    docs: 'The key belongs to another comment, or another record has the slug, name or wallet.',
  },
  not_the_author: {
    status: 403,
    text: 'not the author of the comment',
    docs: 'Only the author may change or remove a comment.',
  },
  comment_removed: {
    status: 409,
    text: 'the comment was removed',
    docs: 'A removed comment can not be changed, answered, reported or reacted to.',
  },
  comment_bound: {
    status: 409,
    text: '{name} must be {limit}',
    docs: 'A bound of replies, of the age of a comment or of its reactions is reached.',
  },
  query_parameter_missing: {
    status: 422,
    text: 'required query parameter is missing',
    docs: 'Comments are listed for a parent; `field` names the missing parameter.',
  },
  order_fields_invalid: {
    status: 422,
    text: 'order fields are not valid',
    docs: 'The list can not be sorted by this field; `limit` lists the fields that it can.',
  },
  search_too_wide: {
    status: 400,
    text: 'the search covers too much',
    docs: 'The search would read or skip too many rows; `limit` says how to narrow it.',
  },
  order_not_found: {
    status: 404,
    text: 'order not found',
    docs: 'No order of yours has this id.',
  },
  api_key_not_found: {
    status: 404,
    text: 'api key not found',
    poly: 'Could not derive api key!',
    docs: 'No API key was issued for this nonce; POST /auth/api-key issues one.',
  },
  nonce_revoked: {
    status: 400,
    text: 'the api key of nonce {actual} is revoked, the next free nonce is {nextNonce}',
    docs: 'The key of this nonce was revoked; sign `nextNonce` instead.',
  },
  invalid_heartbeat_id: {
    status: 400,
    text: 'Invalid Heartbeat ID',
    docs: "Not the id of your dead man's switch; send `heartbeat_id` with the next heartbeat.",
  },
  rfq_disabled: {
    status: 404,
    text: 'requests for quotes are disabled',
    docs: 'Quotes are not supported; GET /rfq/config says so too.',
  },
  too_many_requests: {
    status: 429,
    text: 'Too Many Requests',
    docs: 'More than `limit` requests of `scope` in `windowSeconds`. Wait `retryAfterSeconds`.',
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
    docs: 'A queue is full or the wait too long; `field` says which. Nothing was done; try again later.',
    retryAfterSeconds: 1,
  },
  reader_unavailable: {
    status: 503,
    text: 'a part of the service is restarting',
    docs: 'The thread that answers such reads is restarting. Try again.',
    retryAfterSeconds: 1,
  },
  catalog_unavailable: {
    status: 503,
    text: 'a part of the service is restarting',
    docs: 'The thread that writes the catalog is restarting, or its disk failed. Send the request again.',
    retryAfterSeconds: 1,
  },
  verifier_lost: {
    status: 503,
    text: 'a part of the service is restarting',
    docs: 'The thread that checked the signature failed; nothing was done. Try again.',
    retryAfterSeconds: 1,
  },
  internal_error: {
    status: 500,
    text: 'internal_error',
    docs: 'An error of the exchange; the log has it under `requestId`.',
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
