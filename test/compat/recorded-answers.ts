/**
 * The expected answer to each recorded request (wire 12.1). The server that was recorded
 * accepted any id, so some have ids that cannot exist: a condition id of two bytes, an order id of
 * one.
 */
import { type RecordedRequest, vectors } from '../http/signing/fixtures.ts';

export interface Expected {
  readonly status: number;
  /** A pattern; of lists and pages, the elements that they must have. */
  readonly body: unknown;
  /** Why the request is refused, if it is. */
  readonly reason?: string;
}

type Answers = Readonly<Record<string, Expected>>;

const SHORT_CONDITION_ID = 'the stub had a condition id of two bytes; one has 32';
const SHORT_ORDER_ID = 'the stub had an order id of one byte; one has 32';
const UNKNOWN_NONCE = 'no key was issued for nonce 5';
const OTHER_EXCHANGE = 'signed for the exchange contract of the other kind of market';

function served(body: unknown): Expected {
  return { status: 200, body };
}
const { key: apiKey, secret, passphrase } = vectors.recordedCreds;
const LIVE = served({ success: true, status: 'live', orderID: /^0x[0-9a-f]{64}$/ });
const refusedOrder: Expected = {
  status: 400,
  body: { code: 'wrong_exchange', success: false, status: 'error' },
  reason: OTHER_EXCHANGE,
};
const BOOK = { asset_id: '1234', tick_size: '0.01', min_order_size: '5', hash: /^[0-9a-f]{40}$/ };

/** By call, method and path; the same in both kinds of market. */
const COMMON: Answers = {
  'getOk GET /ok': served('OK'),
  'getServerTime GET /time': served(Math.floor(vectors.fixedClockMs / 1000)),
  'createApiKey POST /auth/api-key': served({ apiKey, secret, passphrase }),
  'deriveApiKey(nonce 5) GET /auth/derive-api-key': {
    status: 404,
    body: { code: 'api_key_not_found', field: 'nonce', actual: '5' },
    reason: UNKNOWN_NONCE,
  },
  'getApiKeys GET /auth/api-keys': served({ apiKeys: [apiKey] }),
  'limit order GTC GET /tick-size': served({ minimum_tick_size: 0.01 }),
  'limit order GTC GET /version': served({ version: 2 }),
  'market order FOK BUY 100@0.56 GET /markets-by-token/1234': served({
    condition_id: /^0x[0-9a-f]{64}$/,
    primary_token_id: '1234',
    secondary_token_id: '5678',
  }),
  'market order FOK BUY 100@0.56 GET /clob-markets/0xbd31': {
    status: 404,
    body: { code: 'market_not_found', actual: '0xbd31' },
    reason: SHORT_CONDITION_ID,
  },
  'cancelOrder DELETE /order': served({
    canceled: [],
    not_canceled: { [`0x${'2'.repeat(64)}`]: /can't be found/ },
  }),
  'cancelOrders DELETE /orders': served({
    canceled: [],
    not_canceled: { '0xaa': /can't be found/, '0xbb': /can't be found/ },
  }),
  'cancelAll DELETE /cancel-all': served({ canceled: [/^0x[0-9a-f]{64}$/], not_canceled: {} }),
  'cancelMarketOrders DELETE /cancel-market-orders': {
    status: 400,
    body: { code: 'invalid_parameter', field: 'market', actual: '0xbd31' },
    reason: SHORT_CONDITION_ID,
  },
  'getOrder GET /data/order/0x33': {
    status: 400,
    body: { code: 'invalid_order_id', actual: '0x33' },
    reason: SHORT_ORDER_ID,
  },
  'getOpenOrders GET /data/orders': {
    status: 400,
    body: { code: 'invalid_parameter', field: 'market', actual: '0xbd31' },
    reason: SHORT_CONDITION_ID,
  },
  'getTrades GET /data/trades': served({
    next_cursor: 'LTE=',
    data: [{ asset_id: '1234', status: 'CONFIRMED', trader_side: 'TAKER', owner: apiKey }],
  }),
  'getMarkets GET /markets': served({
    next_cursor: 'LTE=',
    data: [{ condition_id: /^0x/, minimum_order_size: Number, tokens: [{ token_id: /^\d+$/ }] }],
  }),
  'getMarket GET /markets/0xbd31': {
    status: 400,
    body: { code: 'invalid_parameter', actual: '0xbd31' },
    reason: SHORT_CONDITION_ID,
  },
  'getOrderBook GET /book': served(BOOK),
  'getOrderBooks POST /books': served([BOOK]),
  'getPrices POST /prices': served({ '1234': {} }),
  'getPrice GET /price': served({ price: '0' }),
  'getPricesHistory GET /prices-history': served({ history: Array }),
  'getBalanceAllowance GET /balance-allowance': served({
    balance: /^\d+$/,
    allowances: { '0xE111180000d2663C0091e4f400237545B87B996B': /^\d+$/ },
  }),
  'postHeartbeat POST /v1/heartbeats': served({ heartbeat_id: /^[0-9a-f-]{36}$/ }),
  'getNotifications GET /notifications': served(Array),
  'dropNotifications DELETE /notifications': served({ deleted: Array }),
  'isOrderScoring GET /order-scoring': served({ scoring: false }),
  'areOrdersScoring POST /orders-scoring': served({ '0x33': false }),
};

const LIMIT = 'limit order GTC POST /order';
const POST_ONLY = 'limit order GTD postOnly SELL POST /order';
const MARKET = 'market order FOK BUY 100@0.56 POST /order';
const BATCH = 'postOrders x1 POST /orders';

/** Answers if the recorded token is in a plain market, for which three orders were signed. */
const PLAIN: Answers = {
  [LIMIT]: LIVE,
  [POST_ONLY]: refusedOrder,
  [MARKET]: served({
    success: true,
    status: 'matched',
    makingAmount: '99.9992',
    takingAmount: '178.57',
    transactionsHashes: [],
    tradeIDs: [/^[0-9a-f-]{36}$/],
  }),
  // It contains the limit order again, which is a duplicate.
  [BATCH]: served([{ success: true, status: 'live', duplicate: true }]),
};

/** Answers if the recorded token is in a neg-risk market, for which one order was signed. */
const NEG_RISK: Answers = {
  [LIMIT]: refusedOrder,
  [POST_ONLY]: LIVE,
  [MARKET]: refusedOrder,
  [BATCH]: { status: 200, body: [refusedOrder.body], reason: OTHER_EXCHANGE },
};

export function expectedAnswers(negRisk: boolean): Answers {
  return {
    ...COMMON,
    ...(negRisk ? NEG_RISK : PLAIN),
  };
}

/** Call, method and path of a recorded request. */
export function nameOf({ call, method, url }: RecordedRequest): string {
  return `${call} ${method} ${url.split('?')[0]}`;
}

/** Why a recorded request is refused in both kinds of market; '' if it is served in either. */
export function reasonOf(name: string): string {
  const reasons = [false, true].map((negRisk) => expectedAnswers(negRisk)[name]?.reason ?? '');
  return reasons.includes('') ? '' : (reasons[0] ?? '');
}
