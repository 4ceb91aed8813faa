import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { ticks } from '../../../../engine/index.ts';
import { getBook, postBooks } from '../../../../http/routes/prices/books.ts';
import { getMidpoint, getPrice, postPrices } from '../../../../http/routes/prices/prices.ts';
import { KUEST } from '../../../default-settings.ts';
import {
  CONDITION,
  createMarket,
  fill,
  happened,
  level,
  marketCreated,
  NO_TOKEN,
  YES_TOKEN,
} from '../../durable-commands.ts';
import { type ReadServer, startReadServer } from '../read-server.ts';

const ROUTES = [getBook, postBooks, getPrice, postPrices, getMidpoint];
/** Tokens of a second market, whose book is empty, and of no market. */
const EMPTY_TOKEN = '77';
const UNKNOWN_TOKEN = '99';
const LARGEST_TOKEN = `${2n ** 256n - 1n}`;

const emptyMarket = createMarket({
  conditionId: `0x${'cd'.repeat(32)}`,
  tokenIds: [EMPTY_TOKEN, '78'],
});

/** Bids at 0.3 and 0.4, asks at 0.6 and 0.7, and a second market without anything. */
async function withBook(test: Test, settings = {}): Promise<ReadServer> {
  const server = await startReadServer(test, ROUTES, { settings });
  server.consume([marketCreated(), marketCreated(emptyMarket, 2)]);
  const levels = [level('bid', 3_000, 10_000), level('bid', 4_000, 10_000)];
  server.consume([
    happened(3, 3, [...levels, level('ask', 7_000, 1_250), level('ask', 6_000, 10_000)]),
  ]);
  return server;
}

t.test('GET /book sends the book with its hash', async (t) => {
  const server = await withBook(t);
  const { status, text, body } = await server.get(`/book?token_id=${YES_TOKEN}`);
  t.equal(status, 200);
  t.match(body, {
    market: CONDITION,
    asset_id: YES_TOKEN,
    timestamp: '3',
    bids: [
      { price: '0.3', size: '100' },
      { price: '0.4', size: '100' },
    ],
    asks: [
      { price: '0.7', size: '12.5' },
      { price: '0.6', size: '100' },
    ],
    last_trade_price: '',
  });
  t.ok(Compile(getBook.response).Check(body), 'as documented');
  t.match(text, /"hash":"[0-9a-f]{40}"/);
  t.equal((await server.get(`/book?token_id=0x${(5211).toString(16)}`)).text, text, 'in hex');
});

t.test('POST /books keeps the order of the request and leaves out unknown tokens', async (t) => {
  const server = await withBook(t);
  const tokens = [NO_TOKEN, UNKNOWN_TOKEN, YES_TOKEN, NO_TOKEN].map((id) => ({ token_id: id }));
  const { status, text, body } = await server.post('/books', tokens);
  t.equal(status, 200);
  const single = await Promise.all(
    [NO_TOKEN, YES_TOKEN, NO_TOKEN].map((id) => server.get(`/book?token_id=${id}`)),
  );
  t.equal(text, `[${single.map((book) => book.text).join(',')}]`);
  t.ok(Compile(postBooks.response).Check(body), 'as documented');
  t.equal((await server.post('/books', [])).text, '[]', 'none asked for, none sent');
  const sided = await server.post('/books', [{ token_id: YES_TOKEN, side: 'BUY' }]);
  t.equal(sided.text, `[${single[1]?.text}]`, 'a side is accepted, and both are sent');
});

t.test('POST /books sends large books whole, up to 100,000 levels together', async (t) => {
  const server = await withBook(t);
  const prices = Array.from({ length: 2_000 }, (_, index) => index + 1);
  server.consume([
    happened(
      4,
      4,
      prices.map((price) => level('bid', price, price)),
    ),
  ]);
  const tokens = Array.from({ length: 50 }, (_, index) => ({
    token_id: index % 2 === 0 ? YES_TOKEN : NO_TOKEN,
  }));
  const refused = await server.post('/books', tokens);
  t.equal(refused.status, 400, 'one book too many');
  t.match(refused.body, {
    code: 'too_many_items',
    field: 'body',
    limit: 100_000,
    actual: 50 * 2_004,
  });
  const { status, body } = await server.post('/books', tokens.slice(1));
  t.equal(status, 200);
  if (!Array.isArray(body)) throw new Error('the reply is a list');
  t.equal(body.length, 49);
  t.ok(body.every((book) => book.bids.length + book.asks.length === 2_004));
});

const prices: readonly (readonly [string, string, string, string])[] = [
  [YES_TOKEN, 'BUY', '0.4', '0.6'],
  [YES_TOKEN, 'SELL', '0.6', '0.4'],
  [NO_TOKEN, 'BUY', '0.4', '0.6'],
  [NO_TOKEN, 'SELL', '0.6', '0.4'],
  [EMPTY_TOKEN, 'BUY', '0', '1'],
  [EMPTY_TOKEN, 'SELL', '1', '0'],
];
t.test('GET /price reads the side as the dialect says', async (t) => {
  const usual = await withBook(t);
  const other = await withBook(t, { profile: KUEST });
  for (const [token, side, polymarket, kuest] of prices) {
    const path = `/price?token_id=${token}&side=${side}`;
    t.same(await usual.get(path).then(({ body }) => body), { price: polymarket }, path);
    t.same(await other.get(path).then(({ body }) => body), { price: kuest }, `${path}, other`);
  }
});

t.test('POST /prices has both sides, or the requested one', async (t) => {
  const server = await withBook(t);
  server.consume([happened(4, 4, [level('ask', 6_000, 0), level('ask', 7_000, 0)])]);
  const tokens = [
    { token_id: YES_TOKEN },
    { token_id: NO_TOKEN, side: 'BUY' },
    { token_id: UNKNOWN_TOKEN },
    { token_id: EMPTY_TOKEN },
  ];
  const { status, body } = await server.post('/prices', tokens);
  t.equal(status, 200);
  t.same(body, { [YES_TOKEN]: { BUY: '0.4' }, [NO_TOKEN]: {}, [EMPTY_TOKEN]: {} });
  t.ok(Compile(postPrices.response).Check(body), 'as documented');
});

t.test('a side is read in any case, an empty one and null are none', async (t) => {
  const server = await withBook(t);
  const buy = { BUY: '0.4' };
  const both = { BUY: '0.4', SELL: '0.6' };
  const book = (await server.get(`/book?token_id=${YES_TOKEN}`)).text;
  for (const [side, prices] of [
    ['buy', buy],
    ['Buy', buy],
    ['', both],
    [null, both],
  ]) {
    const list = [{ token_id: YES_TOKEN, side }];
    t.same((await server.post('/prices', list)).body, { [YES_TOKEN]: prices }, `side ${side}`);
    t.equal((await server.post('/books', list)).text, `[${book}]`, `side ${side}`);
  }
  t.same((await server.get(`/price?token_id=${YES_TOKEN}&side=sell`)).body, { price: '0.6' });
});

t.test('POST /prices joins the sides of a token that is listed twice', async (t) => {
  const server = await withBook(t);
  const tokens = ['BUY', 'SELL'].map((side) => ({ token_id: YES_TOKEN, side }));
  const { body } = await server.post('/prices', tokens);
  t.same(body, { [YES_TOKEN]: { BUY: '0.4', SELL: '0.6' } });
  const other = await withBook(t, { profile: KUEST });
  const turned = await other.post('/prices', tokens);
  t.same(turned.body, { [YES_TOKEN]: { BUY: '0.6', SELL: '0.4' } }, 'swapped by the dialect');
});

t.test('GET /midpoint has 0 for a missing bid and 1 for a missing ask', async (t) => {
  const server = await withBook(t);
  const midpoint = async (token: string) => (await server.get(`/midpoint?token_id=${token}`)).body;
  t.same(await midpoint(YES_TOKEN), { mid: '0.5' });
  server.consume([happened(4, 4, [level('bid', 4_001, 1)])]);
  t.same(await midpoint(YES_TOKEN), { mid: '0.50005' });
  t.same(await midpoint(NO_TOKEN), { mid: '0.49995' });
  server.consume([happened(5, 5, [level('ask', 4_300, 1, emptyMarket.conditionId)])]);
  t.same(await midpoint(EMPTY_TOKEN), { mid: '0.215' });
  const trade = fill({ conditionId: emptyMarket.conditionId, takerPriceTicks: ticks(4_300) });
  const gone = level('ask', 4_300, 0, emptyMarket.conditionId);
  server.consume([happened(6, 6, [trade, gone])]);
  t.same(await midpoint('78'), { mid: '0.5' }, 'an empty book, whatever was traded');
});

const NO_BOOK = 'No orderbook exists for the requested token id';
const refused: readonly (readonly [string, number, string, string, string])[] = [
  ['/book', 400, 'missing_field', 'token_id', 'token id is required'],
  ['/book?token_id=', 400, 'invalid_parameter', 'token_id', 'Invalid token id'],
  ['/book?token_id=yes', 400, 'invalid_parameter', 'token_id', 'Invalid token id'],
  ['/book?token_id=-1', 400, 'invalid_parameter', 'token_id', 'Invalid token id'],
  ['/book?token_id=1.5', 400, 'invalid_parameter', 'token_id', 'Invalid token id'],
  [`/book?token_id=1${LARGEST_TOKEN}`, 400, 'invalid_parameter', 'token_id', 'Invalid token id'],
  [`/book?token_id=${LARGEST_TOKEN}`, 404, 'book_not_found', 'token_id', NO_BOOK],
  [`/book?token_id=${UNKNOWN_TOKEN}`, 404, 'book_not_found', 'token_id', NO_BOOK],
  [`/midpoint?token_id=${UNKNOWN_TOKEN}`, 404, 'book_not_found', 'token_id', NO_BOOK],
  [`/price?token_id=${YES_TOKEN}`, 400, 'missing_field', 'side', 'side is required'],
  [`/price?token_id=${YES_TOKEN}&side=`, 400, 'invalid_parameter', 'side', 'Invalid side'],
  [`/price?token_id=${YES_TOKEN}&side=LONG`, 400, 'invalid_parameter', 'side', 'Invalid side'],
  [`/price?token_id=${UNKNOWN_TOKEN}&side=LONG`, 400, 'invalid_parameter', 'side', 'Invalid side'],
  [`/price?token_id=${UNKNOWN_TOKEN}&side=BUY`, 404, 'book_not_found', 'token_id', NO_BOOK],
];
t.test('a wrong request gets its status, code, field and text', async (t) => {
  const server = await withBook(t);
  for (const [path, status, code, field, error] of refused) {
    const answer = await server.get(path);
    t.equal(answer.status, status, path);
    t.match(answer.body, { code, field, error });
  }
});

const many = Array.from({ length: 501 }, () => ({ token_id: YES_TOKEN }));
const refusedLists: readonly (readonly [string, unknown, string, object])[] = [
  ['no list', { token_id: YES_TOKEN }, 'invalid_payload', { field: 'body' }],
  ['no body', undefined, 'invalid_payload', { field: 'body' }],
  ['an item that is a text', [YES_TOKEN], 'invalid_payload', { field: '0' }],
  ['an item without a token', [{}], 'missing_field', { field: '0.token_id' }],
  ['a token as a number', [{ token_id: 5211 }], 'invalid_payload', { field: '0.token_id' }],
  [
    'a malformed token id',
    [{ token_id: YES_TOKEN }, { token_id: 'no' }],
    'invalid_parameter',
    { field: '1.token_id', actual: 'no' },
  ],
  ['a wrong side', [{ token_id: YES_TOKEN, side: 'UP' }], 'invalid_payload', { field: '0.side' }],
  [
    'too many items',
    many,
    'too_many_items',
    { field: 'body', limit: 500, actual: 501, error: 'Payload exceeds the limit' },
  ],
];
t.test('a wrong list gets a 400 with the field', async (t) => {
  const server = await withBook(t);
  for (const path of ['/books', '/prices']) {
    for (const [name, body, code, details] of refusedLists) {
      const answer = await server.post(path, body);
      t.equal(answer.status, 400, `${path}: ${name}`);
      t.match(answer.body, { code, ...details });
    }
    t.equal(
      (await server.post(path, many.slice(1))).status,
      200,
      `${path}: as many as there may be`,
    );
  }
});
