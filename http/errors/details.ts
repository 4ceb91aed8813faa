/** The details of refusals. */
import { Type } from 'typebox';

function text(description: string) {
  return Type.Optional(Type.String({ description }));
}
function whole(description: string) {
  return Type.Optional(Type.Integer({ description }));
}
function other(description: string) {
  return Type.Optional(Type.Unknown({ description }));
}

/** Each detail with its meaning, for the documentation. */
export const FAILURE_DETAILS = {
  field: text('The part at fault: a path into the body, a parameter or a header'),
  limit: other('The required value: a number, a range, or words'),
  actual: other('The given value; long values are cut'),
  asset: text('`cash` or the token id'),
  required: text('The amount that the order needs, a decimal'),
  available: text('The free amount of the account, a decimal'),
  held: text('The amount that open orders hold, a decimal'),
  position: whole('The index of the first character of a body that is not JSON'),
  reason: text('Why the value is refused'),
  recovered: other('Each domain or chain that was tried, with the signer recovered there'),
  serverTimeMs: whole("The server's clock"),
  windowMs: whole("How far a timestamp may be from the server's clock"),
  scope: text('The requests that count together'),
  row: text('The name of the limit in GET /limits'),
  windowSeconds: Type.Optional(Type.Number({ description: 'The length of the window' })),
  retryAfterSeconds: whole('How long to wait'),
  retry_after_seconds: whole('As Retry-After, under the name that the public venue uses'),
  profile: text('The profile whose rule the order breaks (docs/profiles.md)'),
  orders: text('What the venue calls such orders'),
  makerDecimals: whole('The most decimals of `makerAmount`'),
  takerDecimals: whole('The most decimals of `takerAmount`'),
  crossed: text('The side of the book that a post-only order would cross'),
  orderHash: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "The order's id, once its signature is checked",
    }),
  ),
  revokedAt: text('When the key was revoked, ISO 8601'),
  nextNonce: text('The first nonce without a revoked key'),
  heartbeat_id: text('The id that the next heartbeat must carry'),
  error_msg: text('The sentence of a wrong heartbeat, which the official SDK reads'),
  method: text('The method of the request'),
  path: text('The path of the request'),
  routes: other('The routes whose paths begin most like this one'),
  allowed: other('The methods of the path'),
  type: text('The kind of failure, as catalog clients name it'),
  requestId: text('The id of the request in the log'),
} as const;

export type DetailName = keyof typeof FAILURE_DETAILS;

/**
 * The usual keys are `field`, `limit` and `actual`, and for balances `asset`, `required`,
 * `available` and `held`. Amounts are decimal texts.
 */
export type ErrorDetails = { readonly [Name in DetailName]?: unknown };
