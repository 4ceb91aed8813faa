/**
 * Reads order submissions in all the forms that clients send (wire 3.9).
 *
 * Invariant: a submission has the signed content, with addresses in lower case and the token id in
 * its canonical text, so that no other code handles other spellings. Only the shape is checked
 * here; hashing checks that values are a uint256 or 32 bytes.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { ORDER_TYPES, type OrderType } from '../../engine/model/index.ts';
import { compileCheck } from '../api/index.ts';
import { TIME_IN_WORDS, timeMsOf } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { OrNull, Text } from '../parameters/index.ts';
import { ADDRESS_IN_WORDS, parseAddress } from '../signing/address.ts';
import type { SignedOrder } from '../signing/order-struct.ts';

export interface Submission {
  readonly order: SignedOrder;
  /** The market, which must be the token's; '' if it was left out (wire 3.1). */
  readonly conditionId: string;
  /** The API key that the order names (wire 2.5). */
  readonly owner: string;
  readonly type: OrderType;
  readonly postOnly: boolean;
  /** 0 for none. */
  readonly expiresAtMs: number;
}

/** Clients send numbers as decimal text or, up to 2^53 - 1, as JSON numbers (wire 3.3). */
const Digits = Type.Union([
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `0..${Number.MAX_SAFE_INTEGER}`,
  }),
  Text('decimal text'),
]);
function optional<S extends TSchema>(schema: S) {
  return Type.Optional(schema);
}
/** Clients send null for a text that they leave out. */
const TextOrNull = OrNull(Type.String());

const OrderObject = Type.Object({
  salt: Digits,
  maker: Text('Account that trades'),
  signer: Text('Address that signs'),
  taker: optional(OrNull(Type.String(), 'The zero address: anyone may fill an order')),
  conditionId: optional(TextOrNull),
  tokenId: Text('Decimal uint256'),
  makerAmount: Digits,
  takerAmount: Digits,
  side: Type.Union([Type.String(), Type.Integer()], { description: 'BUY or SELL, 0 or 1' }),
  signatureType: Type.Union([Type.Integer(), Type.String()], {
    description: '0 EOA, 1 proxy wallet, 2 Safe, 3 deposit wallet',
  }),
  timestamp: optional(Digits),
  metadata: optional(TextOrNull),
  builder: optional(TextOrNull),
  expiration: optional(Digits),
  nonce: optional(Digits),
  feeRateBps: optional(Digits),
  signature: Type.String(),
});

/** The body of POST /order, and an element of the body of POST /orders. */
export const SubmissionBody = Type.Object({
  order: OrderObject,
  owner: Text('The API key'),
  orderType: Text('GTC, GTD, FOK or FAK'),
  postOnly: optional(OrNull(Type.Boolean())),
  deferExec: optional(OrNull(Type.Boolean())),
});

type Body = Static<typeof SubmissionBody>;
type OrderBody = Body['order'];

const check = compileCheck(SubmissionBody, 'invalid_order_payload');

/** The taker of an order that anyone may fill. */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
/** The signed value of an absent builder or metadata. */
export const ZERO_WORD = `0x${'0'.repeat(64)}`;
const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]{1,64}$/;

const SIDES = new Map<string, 0 | 1>([
  ['BUY', 0],
  ['SELL', 1],
  ['0', 0],
  ['1', 1],
]);
const SIGNATURE_TYPES = byName([0, 1, 2, 3]);
const TYPES = byName(ORDER_TYPES);

function byName<const Value extends string | number>(
  values: readonly Value[],
): ReadonlyMap<string, Value> {
  return new Map(values.map((value) => [String(value), value]));
}

function refuse(field: string, limit: string, actual: unknown): ApiError {
  return new ApiError('invalid_order_payload', { field, limit, actual: echo(actual) });
}

function chosen<Value>(
  table: ReadonlyMap<string, Value>,
  field: string,
  actual: string | number,
): Value {
  const value = table.get(String(actual).toUpperCase());
  if (value === undefined) throw refuse(field, [...table.keys()].join(', '), actual);
  return value;
}

function addressOf(field: string, text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  throw refuse(field, ADDRESS_IN_WORDS[parsed.fault], text);
}

function tokenIdOf(text: string): string {
  if (DECIMAL.test(text)) return text;
  if (HEXADECIMAL.test(text)) return BigInt(text).toString();
  throw refuse('order.tokenId', 'a decimal uint256', text);
}

function digitsOf(field: string, value: string | number): string {
  const text = String(value);
  if (DECIMAL.test(text)) return text;
  throw refuse(field, 'a decimal uint256', value);
}

function expirationOf(value: string | number): number {
  const timeMs = timeMsOf(String(value));
  if (timeMs !== undefined) return timeMs;
  throw refuse('order.expiration', `0 for none, or ${TIME_IN_WORDS}`, value);
}

/** The fields that both structs have. */
function sharedFields(order: OrderBody) {
  return {
    salt: String(order.salt),
    maker: addressOf('order.maker', order.maker),
    signer: addressOf('order.signer', order.signer),
    tokenId: tokenIdOf(order.tokenId),
    makerAmount: digitsOf('order.makerAmount', order.makerAmount),
    takerAmount: digitsOf('order.takerAmount', order.takerAmount),
    side: chosen(SIDES, 'order.side', order.side),
    signatureType: chosen(SIGNATURE_TYPES, 'order.signatureType', order.signatureType),
    signature: order.signature,
  };
}

/** Refuses an order that names a taker: any order in a book may be filled by anyone. */
function refusePrivate(taker: string): void {
  if (taker === '' || taker.toLowerCase() === ZERO_ADDRESS) return;
  throw new ApiError('private_order', {
    field: 'order.taker',
    limit: ZERO_ADDRESS,
    actual: echo(taker),
  });
}

/**
 * An order with a timestamp has the current struct; one with a nonce or fee rate the legacy one.
 */
function signedOrder(order: OrderBody): SignedOrder {
  refusePrivate(order.taker ?? '');
  const shared = sharedFields(order);
  if (order.timestamp !== undefined) {
    return {
      struct: 'order11',
      ...shared,
      timestamp: String(order.timestamp),
      metadata: order.metadata ?? ZERO_WORD,
      builder: order.builder ?? ZERO_WORD,
    };
  }
  if (order.nonce === undefined && order.feeRateBps === undefined) {
    throw new ApiError('missing_field', { field: 'order.timestamp' });
  }
  return {
    struct: 'order12',
    ...shared,
    taker: ZERO_ADDRESS,
    expiration: String(order.expiration ?? '0'),
    nonce: String(order.nonce ?? '0'),
    feeRateBps: String(order.feeRateBps ?? '0'),
  };
}

/** Throws the `ApiError` of the first field that is missing or malformed. */
export function readSubmission(payload: unknown): Submission {
  const body = check(payload);
  return {
    order: signedOrder(body.order),
    conditionId: (body.order.conditionId ?? '').toLowerCase(),
    owner: body.owner,
    type: chosen(TYPES, 'orderType', body.orderType),
    postOnly: body.postOnly === true,
    expiresAtMs: expirationOf(body.order.expiration ?? 0),
  };
}
