import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { ticks } from '../../../../engine/index.ts';
import { getClobMarket } from '../../../../http/routes/markets/get-clob-market.ts';
import { getSimplifiedMarkets } from '../../../../http/routes/markets/market-pages.ts';
import {
  getFeeRate,
  getFeeRateByPath,
  getMarketsByToken,
  getNegRisk,
  getNegRiskByPath,
  getTickSize,
  getTickSizeByPath,
} from '../../../../http/routes/markets/token-market.ts';
import {
  CONDITION,
  CREATED_MS,
  createMarket,
  happened,
  level,
  marketCreated,
  NO_TOKEN,
  YES_TOKEN,
} from '../../durable-commands.ts';
import { catalogMarket } from '../../format/records.ts';
import { startReadServer } from '../read-server.ts';

const ROUTES = [
  getTickSize,
  getTickSizeByPath,
  getNegRisk,
  getNegRiskByPath,
  getFeeRate,
  getFeeRateByPath,
  getMarketsByToken,
  getClobMarket,
  getSimplifiedMarkets,
];
const FINE_CONDITION = `0x${'cd'.repeat(32)}`;
const fineMarket = createMarket({
  conditionId: FINE_CONDITION,
  tokenIds: ['77', '78'],
  tickTicks: ticks(1),
  negRisk: true,
  takerFeeBps: 441,
  makerFeeBps: 25,
  feeExponent: 1,
  takerDelayMs: 250,
});
const NO_FEES = {
  base_fee: 0,
  fd: { r: 0, e: 0, to: true },
  fee_schedule: {
    rate: 0,
    exponent: 0,
    takerOnly: true,
    rebateRate: 0,
    category: '',
    version: 1,
    source: 'local',
  },
};
const FINE_FEES = {
  base_fee: 441,
  fd: { r: 0.0441, e: 1, to: false },
  fee_schedule: { ...NO_FEES.fee_schedule, rate: 0.0441, exponent: 1, takerOnly: false },
};
const BY_TOKEN = {
  condition_id: CONDITION,
  primary_token_id: YES_TOKEN,
  secondary_token_id: NO_TOKEN,
  creator: null,
};

async function started(test: Test) {
  const server = await startReadServer(test, ROUTES, { stored: { markets: [catalogMarket()] } });
  server.consume([marketCreated(), marketCreated(fineMarket, 2)]);
  return server;
}

const answers: readonly (readonly [string, unknown])[] = [
  [`/tick-size?token_id=${YES_TOKEN}`, { minimum_tick_size: 0.01 }],
  [`/tick-size?token_id=${NO_TOKEN}`, { minimum_tick_size: 0.01 }],
  ['/tick-size?token_id=78', { minimum_tick_size: 0.0001 }],
  ['/tick-size/78', { minimum_tick_size: 0.0001 }],
  [`/neg-risk?token_id=${YES_TOKEN}`, { neg_risk: false }],
  ['/neg-risk?token_id=77', { neg_risk: true }],
  [`/fee-rate?token_id=${YES_TOKEN}`, NO_FEES],
  ['/fee-rate', NO_FEES],
  ['/fee-rate?token_id=77', FINE_FEES],
  ['/fee-rate/78', FINE_FEES],
  [`/neg-risk/${YES_TOKEN}`, { neg_risk: false }],
  ['/neg-risk/77', { neg_risk: true }],
  ['/neg-risk/0x4d', { neg_risk: true }],
  [`/neg-risk/77?token_id=${YES_TOKEN}`, { neg_risk: true }],
  [`/fee-rate/${NO_TOKEN}`, NO_FEES],
  [`/markets-by-token/${YES_TOKEN}`, BY_TOKEN],
  [`/markets-by-token/${NO_TOKEN}`, BY_TOKEN],
];
t.test('the terms that a client needs to sign are answered', async (t) => {
  const server = await started(t);
  for (const [path, expected] of answers) {
    const { status, body } = await server.get(path);
    t.equal(status, 200, path);
    t.same(body, expected);
  }
});

t.test('GET /clob-markets has a market in short keys', async (t) => {
  const server = await started(t);
  const { status, body } = await server.get(`/clob-markets/${CONDITION}`);
  t.equal(status, 200);
  t.ok(Compile(getClobMarket.response).Check(body), 'as documented');
  t.match(body, {
    c: CONDITION,
    t: [
      { t: YES_TOKEN, o: 'Rain' },
      { t: NO_TOKEN, o: 'No rain' },
    ],
    mts: 0.01,
    mos: 5,
    nr: false,
    fd: { r: 0, e: 0, to: true },
    mbf: 0,
    tbf: 0,
    sd: 0,
    itode: false,
    ao: true,
    aot: new Date(CREATED_MS).toISOString(),
  });
  const fine = await server.get(`/clob-markets/${FINE_CONDITION.toUpperCase().replace('X', 'x')}`);
  t.match(fine.body, { c: FINE_CONDITION, mts: 0.0001, nr: true }, 'also in upper case');
  t.match(fine.body, { fd: FINE_FEES.fd, mbf: 25, tbf: 441, sd: 0, itode: true });
  const plain = [{ o: 'Yes' }, { o: 'No' }];
  t.match(fine.body, { t: plain }, 'plain labels where the catalog has none');
});

const NO_BOOK = 'No orderbook exists for the requested token id';
const refused: readonly (readonly [string, number, string, string])[] = [
  ['/tick-size', 400, 'missing_field', 'token id is required'],
  ['/tick-size?token_id=x', 400, 'invalid_parameter', 'Invalid token id'],
  ['/tick-size?token_id=9', 404, 'book_not_found', NO_BOOK],
  ['/tick-size/9', 404, 'book_not_found', NO_BOOK],
  ['/neg-risk?token_id=x', 400, 'invalid_parameter', 'Invalid token id'],
  ['/neg-risk?token_id=9', 404, 'book_not_found', NO_BOOK],
  ['/fee-rate?token_id=x', 400, 'invalid_parameter', 'Invalid token id'],
  ['/fee-rate?token_id=9', 404, 'book_not_found', NO_BOOK],
  ['/neg-risk/x', 400, 'invalid_parameter', 'Invalid token id'],
  ['/neg-risk/', 400, 'invalid_parameter', 'Invalid token id'],
  ['/neg-risk/9', 404, 'book_not_found', NO_BOOK],
  ['/fee-rate/x', 400, 'invalid_parameter', 'Invalid token id'],
  ['/fee-rate/', 400, 'invalid_parameter', 'Invalid token id'],
  ['/fee-rate/9', 404, 'book_not_found', NO_BOOK],
  ['/markets-by-token/x', 400, 'invalid_parameter', 'Invalid token id'],
  ['/markets-by-token/9', 404, 'book_not_found', NO_BOOK],
  ['/clob-markets/0xbd31', 404, 'market_not_found', 'market not found'],
  [`/clob-markets/0x${'ef'.repeat(32)}`, 404, 'market_not_found', 'market not found'],
];
t.test('GET /clob-markets has the fields of the catalog', async (t) => {
  const words = catalogMarket({
    gameStartTime: '2026-06-01T18:00:00Z',
    creator: '0xcc',
    mirrorConditionId: '0xdd',
    mirrorTokenIds: ['71', '72'],
    acceptingOrders: false,
  });
  const server = await startReadServer(t, ROUTES, { stored: { markets: [words] } });
  server.consume([marketCreated(), marketCreated(fineMarket, 2)]);
  const { body } = await server.get(`/clob-markets/${CONDITION}`);
  t.ok(Compile(getClobMarket.response).Check(body), 'as documented');
  t.match(body, {
    gst: '2026-06-01T18:00:00Z',
    creator: '0xcc',
    mirror_condition_id: '0xdd',
    t: [{ mirror_token_id: '71' }, { mirror_token_id: '72' }],
    ao: false,
  });
  const unknown = (await server.get(`/clob-markets/${FINE_CONDITION}`)).body;
  t.match(unknown, { gst: null, creator: null, mirror_condition_id: '', ao: true });
});

t.test('unknown tokens and markets are refused', async (t) => {
  const server = await started(t);
  for (const [path, status, code, error] of refused) {
    const answer = await server.get(path);
    t.equal(answer.status, status, path);
    t.match(answer.body, { code, error });
  }
});

t.test('GET /simplified-markets lists the catalog with live prices', async (t) => {
  const server = await started(t);
  server.consume([happened(3, 3, [level('bid', 4_000, 1), level('ask', 4_200, 1)])]);
  const { status, body } = await server.get('/simplified-markets?next_cursor=MA%3D%3D');
  t.equal(status, 200);
  t.ok(Compile(getSimplifiedMarkets.response).Check(body), 'as documented');
  t.match(body, { next_cursor: 'LTE=', limit: 500, count: 1 });
  t.match(body, {
    data: [{ condition_id: CONDITION, tokens: [{ price: 0.41 }, { price: 0.59 }] }],
  });
  t.same((await server.get('/simplified-markets')).body, body, 'no cursor is the first page');
  t.same((await server.get('/simplified-markets?next_cursor=')).body, body, 'so is an empty one');
});

t.test('the pages of GET /simplified-markets have each market once', async (t) => {
  const markets = Array.from({ length: 1_020 }, (_, index) => catalogMarket({ id: `${index}` }));
  const server = await startReadServer(t, ROUTES, { stored: { markets } });
  const ids: number[] = [];
  const counts: number[] = [];
  let cursor = 'MA==';
  while (cursor !== 'LTE=' && counts.length < 10) {
    const path = `/simplified-markets?next_cursor=${encodeURIComponent(cursor)}`;
    // Safe: the first test of this list checks the shape.
    const page = (await server.get(path)).body as {
      readonly data: readonly { readonly market_id: number }[];
      readonly next_cursor: string;
      readonly count: number;
    };
    ids.push(...page.data.map((market) => market.market_id));
    counts.push(page.count);
    cursor = page.next_cursor;
  }
  t.same(counts, [500, 500, 20]);
  t.same(
    ids,
    markets.map((_, index) => index),
  );
  const past = await server.get('/simplified-markets?next_cursor=OTk5OTk5');
  t.match(past.body, { data: [], next_cursor: 'LTE=', count: 0 }, 'past the end there is nothing');
});

t.test('GET /simplified-markets refuses a malformed cursor', async (t) => {
  const server = await started(t);
  for (const cursor of ['LTE%3D', 'abc', '100']) {
    const { status, body } = await server.get(`/simplified-markets?next_cursor=${cursor}`);
    t.equal(status, 400, cursor);
    t.match(body, { code: 'invalid_cursor', field: 'next_cursor' });
  }
});
