import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { type EngineEvent, type Fill, ticks } from '../../../../engine/index.ts';
import {
  getLastTradePrice,
  getLastTradesPrices,
  getMidpoint,
  getSpread,
  postLastTradesPrices,
  postMidpoints,
  postSpreads,
} from '../../../../http/routes/prices/prices.ts';
import {
  createMarket,
  fill,
  happened,
  level,
  marketCreated,
  NO_TOKEN,
  YES_TOKEN,
} from '../../durable-commands.ts';
import { type Answer, type ReadServer, startReadServer } from '../read-server.ts';

const ROUTES = [
  getMidpoint,
  postMidpoints,
  getSpread,
  postSpreads,
  getLastTradePrice,
  postLastTradesPrices,
  getLastTradesPrices,
];
/** Tokens of a second market, where nothing ever happens, and of no market. */
const EMPTY_TOKEN = '77';
const UNKNOWN_TOKEN = '99';

/** A server with two markets; `events` happen in the first. */
async function serverWith(test: Test, events: EngineEvent[] = []): Promise<ReadServer> {
  const server = await startReadServer(test, ROUTES);
  const other = { conditionId: `0x${'cd'.repeat(32)}`, tokenIds: [EMPTY_TOKEN, '78'] } as const;
  server.consume([marketCreated(), marketCreated(createMarket(other), 2)]);
  server.consume([happened(3, 3, events)]);
  return server;
}

/** GET with a body, as the Rust clients send it and `fetch` will not; optionally in chunks. */
function getWithBody(url: string, body: string, chunked = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = chunked
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': Buffer.byteLength(body) };
    const headers = { 'content-type': 'application/json', ...length };
    const sent = request(url, { method: 'GET', headers, agent: false }, (response) => {
      textOf(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, text, body: JSON.parse(text) });
      }, reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function listOf(...tokens: readonly string[]) {
  return tokens.map((id) => ({ token_id: id }));
}
const bid = level('bid', 4_000, 100);
const ask = level('ask', 6_000, 100);
const trade = fill({ takerPriceTicks: ticks(4_300) });

type Prices = readonly [
  name: string,
  events: EngineEvent[],
  spread: string,
  midpoints: readonly [yes: string, no: string],
];
const prices: readonly Prices[] = [
  ['nothing', [], '1', ['0.5', '0.5']],
  ['a trade alone', [trade], '1', ['0.5', '0.5']],
  ['a bid alone', [bid], '0.6', ['0.7', '0.3']],
  ['an ask alone', [trade, ask], '0.6', ['0.3', '0.7']],
  ['both sides', [bid, ask], '0.2', ['0.5', '0.5']],
  ['one tick apart', [bid, level('ask', 4_001, 1)], '0.0001', ['0.40005', '0.59995']],
];
t.test('spreads and midpoints of one and of several tokens are the same', async (t) => {
  for (const [name, events, spread, mids] of prices) {
    const server = await serverWith(t, events);
    const tokens = listOf(NO_TOKEN, UNKNOWN_TOKEN, YES_TOKEN);
    for (const token of [YES_TOKEN, NO_TOKEN]) {
      const single = await server.get(`/spread?token_id=${token}`);
      t.equal(single.status, 200);
      t.same(single.body, { spread }, `${name}: missing bids are 0, missing asks 1`);
      t.ok(Compile(getSpread.response).Check(single.body), 'as documented');
    }
    const spreads = await server.post('/spreads', tokens);
    t.equal(spreads.status, 200);
    t.same(spreads.body, { [YES_TOKEN]: spread, [NO_TOKEN]: spread }, name);
    t.ok(Compile(postSpreads.response).Check(spreads.body), 'as documented');
    const midpoints = await server.post('/midpoints', tokens);
    t.equal(midpoints.status, 200);
    const [yes, no] = mids;
    t.same(midpoints.body, { [YES_TOKEN]: yes, [NO_TOKEN]: no }, name);
    t.ok(Compile(postMidpoints.response).Check(midpoints.body), 'as documented');
    const single = await server.get(`/midpoint?token_id=${YES_TOKEN}`);
    t.same([single.status, single.body], [200, { mid: yes }], name);
  }
});

t.test("a token keeps the client's spelling, and a side is ignored", async (t) => {
  const server = await serverWith(t, [bid, ask, at(5_000, {})]);
  const tokens = [
    { token_id: '0x145b', side: 'BUY' },
    { token_id: YES_TOKEN, side: 'SELL' },
    { token_id: YES_TOKEN, side: 'BUY' },
  ];
  const spreads = await server.post('/spreads', tokens);
  t.same(spreads.body, { '0x145b': '0.2', [YES_TOKEN]: '0.2' });
  const midpoints = await server.post('/midpoints', tokens);
  t.same(midpoints.body, { '0x145b': '0.5', [YES_TOKEN]: '0.5' });
  const trades = await server.post('/last-trades-prices', tokens);
  t.match(trades.body, [{ token_id: '0x145b' }, { token_id: YES_TOKEN }, { token_id: YES_TOKEN }]);
});

const NEVER = { price: '0.5', side: '' };
function at(takerPriceTicks: number, changes: Partial<Fill>): Fill {
  return fill({ ...changes, takerPriceTicks: ticks(takerPriceTicks) });
}
type LastTrade = readonly [name: string, events: EngineEvent[], yes: object, no: object];
const lastTrades: readonly LastTrade[] = [
  ['no trade', [bid, ask], NEVER, NEVER],
  [
    'a buy of YES',
    [at(4_560, {})],
    { price: '0.456', side: 'BUY' },
    { price: '0.544', side: 'SELL' },
  ],
  [
    'a sale of YES',
    [at(4_560, { takerSide: 'SELL', makerSide: 'BUY' })],
    { price: '0.456', side: 'SELL' },
    { price: '0.544', side: 'BUY' },
  ],
  [
    'a buy of NO that mints',
    [at(3_000, { takerOutcome: 1, makerSide: 'BUY', match: 'mint' })],
    { price: '0.7', side: 'SELL' },
    { price: '0.3', side: 'BUY' },
  ],
  [
    'a sale of NO that merges, after a buy of it',
    [at(2_000, { takerOutcome: 1 }), at(3_000, { takerOutcome: 1, takerSide: 'SELL' })],
    { price: '0.7', side: 'BUY' },
    { price: '0.3', side: 'SELL' },
  ],
];
t.test("the last trade's price and side are the token's own, on every route", async (t) => {
  const body = listOf(NO_TOKEN, UNKNOWN_TOKEN, EMPTY_TOKEN, YES_TOKEN, NO_TOKEN);
  for (const [name, events, yes, no] of lastTrades) {
    const server = await serverWith(t, events);
    const single = await server.get(`/last-trade-price?token_id=${YES_TOKEN}`);
    t.equal(single.status, 200);
    t.same(single.body, yes, `${name}, YES`);
    t.ok(Compile(getLastTradePrice.response).Check(single.body), 'as documented');
    const other = await server.get(`/last-trade-price?token_id=${NO_TOKEN}`);
    t.same(other.body, no, `${name}, NO`);
    const posted = await server.post('/last-trades-prices', body);
    t.equal(posted.status, 200);
    const rows = [
      { token_id: NO_TOKEN, ...no },
      { token_id: YES_TOKEN, ...yes },
      { token_id: NO_TOKEN, ...no },
    ];
    t.same(posted.body, yes === NEVER ? [] : rows, 'without tokens that were never traded');
    t.ok(Compile(postLastTradesPrices.response).Check(posted.body), 'as documented');
    for (const chunked of [false, true]) {
      const path = `${server.url}/last-trades-prices`;
      const got = await getWithBody(path, JSON.stringify(body), chunked);
      t.equal(got.status, 200, chunked ? 'in chunks' : 'whole');
      t.equal(got.text, posted.text, 'the same with GET');
    }
  }
});

const NO_BOOK = 'No orderbook exists for the requested token id';
const refused: readonly (readonly [string, number, string, string])[] = [
  ['', 400, 'missing_field', 'token id is required'],
  ['?token_id=', 400, 'invalid_parameter', 'Invalid token id'],
  ['?token_id=yes', 400, 'invalid_parameter', 'Invalid token id'],
  ['?token_id=-1', 400, 'invalid_parameter', 'Invalid token id'],
  [`?token_id=${'1'.repeat(79)}`, 400, 'invalid_parameter', 'Invalid token id'],
  [`?token_id=${UNKNOWN_TOKEN}`, 404, 'book_not_found', NO_BOOK],
];
t.test('a wrong token gets its status, code and text', async (t) => {
  const server = await serverWith(t);
  for (const path of ['/spread', '/last-trade-price']) {
    for (const [query, status, code, error] of refused) {
      const answer = await server.get(path + query);
      t.equal(answer.status, status, path + query);
      t.match(answer.body, { code, error, field: 'token_id' });
    }
  }
});

const many = Array.from({ length: 501 }, () => ({ token_id: YES_TOKEN }));
const tooMany = { field: 'body', limit: 500, actual: 501, error: 'Payload exceeds the limit' };
const badToken = { field: '1.token_id', actual: 'no', error: 'Invalid token id' };
/** In the order in which faults are found: form, number of items, token ids. */
const refusedLists: readonly (readonly [string, string, string, object])[] = [
  ['no body', '', 'invalid_payload', { field: 'body', error: 'Invalid payload' }],
  ['no JSON', '[{"token_id":', 'malformed_json', { field: 'body' }],
  ['no list', '{"token_id":"5211"}', 'invalid_payload', { field: 'body' }],
  ['null', 'null', 'invalid_payload', { field: 'body' }],
  ['an item that is a text', '["5211"]', 'invalid_payload', { field: '0' }],
  ['an item without a token', '[{}]', 'missing_field', { field: '0.token_id' }],
  ['a token as a number', '[{"token_id":5211}]', 'invalid_payload', { field: '0.token_id' }],
  ['a wrong side', '[{"token_id":"5211","side":"UP"}]', 'invalid_payload', { field: '0.side' }],
  [
    'too many items',
    JSON.stringify([...many.slice(1), { token_id: 'no' }]),
    'too_many_items',
    tooMany,
  ],
  ['no token id', JSON.stringify(listOf('5211', 'no')), 'invalid_parameter', badToken],
];
function posting(server: ReadServer, path: string) {
  return async (body: string) => {
    const response = await fetch(server.url + path, { method: 'POST', body });
    return { status: response.status, body: await response.json() };
  };
}
t.test('a wrong list gets a 400 with the field', async (t) => {
  const server = await serverWith(t);
  const senders: Record<string, (body: string) => Promise<{ status: number; body: unknown }>> = {
    'POST /midpoints': posting(server, '/midpoints'),
    'POST /spreads': posting(server, '/spreads'),
    'POST /last-trades-prices': posting(server, '/last-trades-prices'),
    'GET /last-trades-prices': (body) => getWithBody(`${server.url}/last-trades-prices`, body),
  };
  for (const [route, send] of Object.entries(senders)) {
    for (const [name, text, code, details] of refusedLists) {
      const answer = await send(text);
      t.equal(answer.status, 400, `${route}: ${name}`);
      t.match(answer.body, { code, ...details });
    }
    const longest = JSON.stringify(many.slice(1).map(() => ({ token_id: '9'.repeat(77) })));
    t.equal((await send(longest)).status, 200, `${route}: as many as there may be, the longest`);
    t.equal((await send('[]')).status, 200, `${route}: none`);
  }
  const { status, body } = await server.get('/last-trades-prices?token_ids=5211');
  t.equal(status, 400, 'a GET without a body is answered');
  t.match(body, { code: 'invalid_payload', error: 'Invalid payload' });
});
