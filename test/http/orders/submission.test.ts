import t from 'tap';
import { ApiError } from '../../../http/errors/errors.ts';
import { readSubmission } from '../../../http/orders/submission.ts';
import { vectors } from '../signing/fixtures.ts';

const MAKER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const CHECKSUMMED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const ZERO_WORD = `0x${'0'.repeat(64)}`;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

const ORDER = {
  salt: 445112281733,
  maker: CHECKSUMMED,
  signer: MAKER,
  tokenId: '1234',
  makerAmount: '5000000',
  takerAmount: '10000000',
  side: 'BUY',
  signatureType: 0,
  timestamp: '1780449126930',
  signature: '0x12',
};
/** The limit that errors of numeric fields name. */
const DIGITS = '0..9007199254740991, decimal text';
const BODY = { order: ORDER, owner: 'key', orderType: 'GTC' };

type Changes = Readonly<Record<string, unknown>>;
function bodyWith(order: Changes, rest: Changes = {}): object {
  return {
    ...BODY,
    ...rest,
    order: { ...ORDER, ...order },
  };
}
function legacy(changes: Changes = {}): object {
  const { timestamp: _, ...order } = ORDER;
  const rest = { taker: ZERO_ADDRESS, expiration: '0', nonce: '0', feeRateBps: '0' };
  return { ...BODY, order: { ...order, ...rest, ...changes } };
}

/** Reads a payload as it comes from JSON, where keys that are undefined are absent. */
function read(payload: unknown): unknown {
  try {
    return readSubmission(payload === undefined ? payload : JSON.parse(JSON.stringify(payload)));
  } catch (error) {
    return error instanceof ApiError ? { code: error.code, ...error.details } : error;
  }
}

t.test('every spelling that clients use becomes the same order', async (t) => {
  const rows: [what: string, payload: object][] = [
    ['the numbers as text', bodyWith({ salt: '445112281733' })],
    ['the side as a number', bodyWith({ side: 0 })],
    ['the side in lower case', bodyWith({ side: 'buy' })],
    ['the amounts as numbers', bodyWith({ makerAmount: 5_000_000, takerAmount: 10_000_000 })],
    ['the signature type as text', bodyWith({ signatureType: '0' })],
    ['the token id in hex', bodyWith({ tokenId: '0x4d2' })],
    ['the order type in lower case', bodyWith({}, { orderType: 'gtc' })],
    ['an empty taker', bodyWith({ taker: '' })],
    ['the zero taker', bodyWith({ taker: ZERO_ADDRESS })],
    [
      'all that is optional',
      bodyWith({ expiration: '0', metadata: ZERO_WORD, builder: ZERO_WORD }),
    ],
    ['an empty condition', bodyWith({ conditionId: '' })],
    ['flags of null', bodyWith({}, { postOnly: null, deferExec: null })],
    ['texts of null', bodyWith({ taker: null, conditionId: null, metadata: null, builder: null })],
    ['unknown keys', bodyWith({ mood: 1 }, { geo_block_token: 'x' })],
  ];
  const expected = {
    order: {
      ...ORDER,
      struct: 'order11',
      salt: '445112281733',
      maker: MAKER,
      side: 0,
      metadata: ZERO_WORD,
      builder: ZERO_WORD,
    },
    conditionId: '',
    owner: 'key',
    type: 'GTC',
    postOnly: false,
    expiresAtMs: 0,
  };
  t.strictSame(read(BODY), expected);
  for (const [what, payload] of rows) t.strictSame(read(payload), expected, what);
});

t.test('the legacy struct has its own fields, with their defaults', async (t) => {
  t.match(read(legacy()), {
    order: { struct: 'order12', taker: ZERO_ADDRESS, expiration: '0', nonce: '0', feeRateBps: '0' },
  });
  t.match(read(legacy({ expiration: 1_780_460_000, feeRateBps: undefined })), {
    order: { struct: 'order12', expiration: '1780460000', feeRateBps: '0' },
    expiresAtMs: 1_780_460_000_000,
  });
  t.match(read(legacy({ expiration: 1_780_460_000_500 })), { expiresAtMs: 1_780_460_000_500 });
});

t.test('what the published clients sent is read', async (t) => {
  for (const [client, requests] of Object.entries(vectors.recorded)) {
    for (const { call, url, body } of requests) {
      if (body === null || !/^\/orders?$/.test(url) || !body.includes('makerAmount')) continue;
      const payload = JSON.parse(body);
      for (const one of Array.isArray(payload) ? payload : [payload]) {
        t.match(read(one), { order: { maker: String }, owner: String }, `${client}: ${call}`);
      }
    }
  }
});

t.test('each malformed field is named, with the required and the given value', async (t) => {
  const payload = 'invalid_order_payload';
  const rows: [payload: unknown, fault: object][] = [
    [undefined, { code: payload, field: 'body' }],
    [[], { code: payload, field: 'body' }],
    [{}, { code: 'missing_field', field: 'order' }],
    [
      { ...BODY, order: 1 },
      { code: payload, field: 'order', limit: 'object' },
    ],
    [
      { order: ORDER, orderType: 'GTC' },
      { code: 'missing_field', field: 'owner' },
    ],
    [
      { order: ORDER, owner: 'key' },
      { code: 'missing_field', field: 'orderType' },
    ],
    [bodyWith({ tokenId: undefined }), { code: 'missing_field', field: 'order.tokenId' }],
    [bodyWith({ signature: undefined }), { code: 'missing_field', field: 'order.signature' }],
    [bodyWith({ timestamp: undefined }), { code: 'missing_field', field: 'order.timestamp' }],
    [bodyWith({ salt: 2 ** 53 }), { code: payload, field: 'order.salt', limit: DIGITS }],
    [
      bodyWith({ salt: -1 }),
      { field: 'order.salt', reason: /^must be one of /, limit: DIGITS, actual: -1 },
    ],
    [bodyWith({ salt: {} }), { code: payload, field: 'order.salt', limit: DIGITS }],
    [bodyWith({ maker: 5 }), { code: payload, field: 'order.maker', limit: 'string', actual: 5 }],
    [bodyWith({ maker: '0x12' }), { code: payload, field: 'order.maker', actual: '0x12' }],
    [
      bodyWith({ signer: CHECKSUMMED.replace('F6F4', 'f6F4') }),
      { code: payload, field: 'order.signer', limit: /EIP-55/ },
    ],
    [bodyWith({ tokenId: 'yes' }), { code: payload, field: 'order.tokenId', actual: 'yes' }],
    [bodyWith({ tokenId: '01' }), { code: payload, field: 'order.tokenId' }],
    [bodyWith({ makerAmount: '5e6' }), { code: payload, field: 'order.makerAmount' }],
    [bodyWith({ takerAmount: '-5' }), { code: payload, field: 'order.takerAmount', actual: '-5' }],
    [bodyWith({ takerAmount: 0.5 }), { code: payload, field: 'order.takerAmount' }],
    [bodyWith({ side: 'HOLD' }), { code: payload, field: 'order.side', actual: 'HOLD' }],
    [bodyWith({ side: 2 }), { code: payload, field: 'order.side', limit: 'BUY, SELL, 0, 1' }],
    [bodyWith({ signatureType: 4 }), { code: payload, field: 'order.signatureType', actual: 4 }],
    [bodyWith({ expiration: 'soon' }), { code: payload, field: 'order.expiration' }],
    [
      bodyWith({ expiration: 253_402_300_800_000 }),
      { code: payload, field: 'order.expiration', limit: /up to the year 9999$/ },
    ],
    [bodyWith({}, { orderType: 'IOC' }), { code: payload, field: 'orderType', actual: 'IOC' }],
    [bodyWith({}, { postOnly: 'yes' }), { code: payload, field: 'postOnly' }],
    [bodyWith({ taker: MAKER }), { code: 'private_order', field: 'order.taker', actual: MAKER }],
  ];
  for (const [given, fault] of rows) t.match(read(given), fault, JSON.stringify(fault));
});
