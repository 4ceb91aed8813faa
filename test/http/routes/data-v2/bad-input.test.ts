// What Data API v2 refuses, for each of its routes: status, code, parameter, limit; and the form of
// every answer.
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import { publicRoutes } from '../../../../http/routes/index.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';
import { askData, type DataPage } from './ask-data.ts';

const share = await shareTestExchange(t);
const USER = `0x${'ab'.repeat(20)}`;
const MARKET = `0x${'cd'.repeat(32)}`;

/** A valid query of each route; its unknown names are of no account, market or event. */
const VALID: Readonly<Record<string, string>> = {
  '/v2/trades': `user=${USER}`,
  '/v2/activity': `user=${USER}`,
  '/v2/activity/combos': `user=${USER}`,
  '/v2/positions': `user=${USER}`,
  '/v2/positions/combos': `user=${USER}`,
  '/v2/value': `user=${USER}`,
  '/v2/user-volume': `user=${USER}`,
  '/v2/user-pnl': `user=${USER}`,
  '/v2/user-stats': `user=${USER}`,
  '/v2/oi': `condition=${MARKET}`,
  '/v2/live-volume': 'event_id=999999',
  '/v2/prices-history': 'token_id=12&interval=1d',
  '/v2/leaderboard': 'time_period=all',
  '/v2/builders/leaderboard': 'time_period=week',
  '/v2/builders/volume': 'interval=day',
  '/v2/biggest-winners': 'time_period=month',
  '/v2/holders': `condition=${MARKET}`,
  '/v2/resolutions': `condition=${MARKET}`,
  '/v2/approvals': `user=${USER}`,
  '/v2/status': 'min_seq=0',
};

type Fault = readonly [path: string, parameter: string, limit?: RegExp];

const MANY = Array.from({ length: 21 }, (_, index) => `0x${`${index + 10}`.repeat(32)}`);

const FAULTS: readonly Fault[] = [
  ['/v2/trades?limit=1001', 'limit', /1000/],
  ['/v2/trades?limit=0', 'limit', /1/],
  ['/v2/trades?user=0x12', 'user', /40 hex digits/],
  ['/v2/trades?condition=0x12', 'condition', /64 hex digits/],
  [`/v2/trades?condition=${MANY.join()}`, 'condition', /at most 20 distinct/],
  [`/v2/trades?condition=${MARKET}&conditionId=${MARKET.replace('c', 'd')}`, 'conditionId', /same/],
  [`/v2/trades?condition=${MARKET}&event_id=1`, 'event_id', /no event_id/],
  [`/v2/trades?event_id=${MANY.map((_, index) => index + 1).join()}`, 'event_id', /at most 20/],
  ['/v2/trades?eventId=none', 'eventId.0'],
  ['/v2/trades?side=BOTH', 'side', /BUY/],
  ['/v2/trades?takerOnly=perhaps', 'takerOnly'],
  ['/v2/trades?filter_type=SHARES', 'filter_type'],
  ['/v2/trades?filterAmount=-1', 'filterAmount'],
  ['/v2/trades?start=-1', 'start'],
  ['/v2/trades?min_seq=999999999', 'min_seq', /last change/],
  [`/v2/activity?user=${USER}&type=TRADE,NOPE`, 'type.1'],
  [`/v2/activity?user=${USER}&sort_by=CASH`, 'sort_by', /TIMESTAMP/],
  [`/v2/activity?user=${USER}&sortDirection=UP`, 'sortDirection'],
  [`/v2/activity?user=${USER}&excludeDepositsWithdrawals=no`, 'excludeDepositsWithdrawals'],
  ['/v2/activity', 'user'],
  ['/v2/positions', 'user or condition'],
  [`/v2/positions?condition=${MARKET},${MANY[0]}`, 'condition', /one without user/],
  [`/v2/positions?condition=${MARKET}&status=REDEEMABLE_LOST`, 'status', /user/],
  [`/v2/positions?condition=${MARKET}&title=x`, 'title', /only with user/],
  [`/v2/positions?user=${USER}&status=LOST`, 'status', /MERGEABLE/],
  [`/v2/positions?user=${USER}&sort_by=NAME`, 'sort_by', /TOTAL_PNL/],
  [`/v2/positions?user=${USER}&title=${'x'.repeat(201)}`, 'title', /200/],
  [`/v2/positions?user=${USER}&status=CLOSED&include_archived=true`, 'include_archived'],
  ['/v2/positions/combos', 'user'],
  ['/v2/value', 'user'],
  [`/v2/value?user=${USER}&condition=x`, 'condition', /64 hex digits/],
  ['/v2/user-volume', 'user'],
  [`/v2/user-volume?user=${USER}&start=9999999999999`, 'start'],
  ['/v2/user-pnl', 'user'],
  [`/v2/user-pnl?user=${USER}&interval=2d`, 'interval', /12h/],
  [`/v2/user-pnl?user=${USER}&fidelity=5m`, 'fidelity', /18h/],
  ['/v2/user-stats?user=me', 'user', /40 hex digits/],
  ['/v2/oi?condition=0x1', 'condition', /64 hex digits/],
  ['/v2/live-volume', 'event_id'],
  ['/v2/live-volume?id=x', 'id.0'],
  ['/v2/prices-history?interval=1d', 'token_id'],
  ['/v2/prices-history?token_id=0q&interval=1d', 'token_id', /decimal/],
  ['/v2/prices-history?token_id=1', 'interval', /exactly one of/],
  ['/v2/prices-history?token_id=1&interval=1d&as_of=5', 'interval', /exactly one of/],
  ['/v2/prices-history?token_id=1&interval=1d&end=5', 'end', /start/],
  ['/v2/prices-history?token_id=1&interval=2d', 'interval', /6h/],
  ['/v2/prices-history?token_id=1&interval=1d&bucket_seconds=59', 'bucket_seconds', /60/],
  ['/v2/prices-history?token_id=1&interval=1d&limit=10001', 'limit', /10000/],
  ['/v2/leaderboard?time_period=year', 'time_period', /month/],
  ['/v2/leaderboard?category=chess', 'category', /overall/],
  ['/v2/leaderboard?sortBy=WINS', 'sortBy', /VOLUME/],
  ['/v2/builders/leaderboard?timePeriod=hour', 'timePeriod', /week/],
  ['/v2/builders/volume?interval=year', 'interval', /day/],
  ['/v2/builders/volume?timePeriod=all', 'timePeriod', /month/],
  ['/v2/builders/volume?limit=91', 'limit', /90/],
  ['/v2/activity/combos', 'user'],
  ['/v2/biggest-winners?time_period=year', 'time_period', /week/],
  ['/v2/biggest-winners?category=chess', 'category', /overall/],
  ['/v2/biggest-winners?limit=1001', 'limit', /1000/],
  ['/v2/holders', 'condition'],
  ['/v2/holders?condition=0x1', 'condition', /64 hex digits/],
  [`/v2/holders?condition=${MANY.join()}`, 'condition', /at most 20/],
  [`/v2/holders?condition=${MARKET}&min_balance=-1`, 'min_balance', /0/],
  [`/v2/holders?condition=${MARKET}&limit=0`, 'limit', /1/],
  [`/v2/holders?condition=${MARKET}&includePnl=perhaps`, 'includePnl'],
  [`/v2/holders?condition=${MARKET}&include_pnl=true&limit=101`, 'limit', /at most 100/],
  [`/v2/holders?condition=${MANY[0]},${MANY[1]}&include_pnl=true`, 'condition', /one with/],
  [`/v2/holders?condition=${MANY.slice(0, 20)}&limit=126`, 'limit', /at most 125/],
  ['/v2/resolutions', 'question_id or condition or event_id'],
  ['/v2/resolutions?question_id=0x1', 'question_id', /64 hex digits/],
  ['/v2/resolutions?condition=0x1', 'condition', /64 hex digits/],
  [`/v2/resolutions?condition=${MARKET}&event_id=1`, 'event_id', /only one of/],
  [`/v2/resolutions?condition=${MARKET}&questionId=${MARKET}`, 'condition', /only one of/],
  ['/v2/resolutions?event_id=0', 'event_id.0'],
  ['/v2/approvals', 'user'],
  ['/v2/approvals?user=0x1', 'user', /40 hex digits/],
  ['/v2/status?offset=1', 'offset'],
];

t.test('each fault is refused with its parameter and limit', async (t) => {
  const exchange = share();
  for (const [path, parameter, limit] of FAULTS) {
    const { status, body, headers } = await exchange.send('GET', path);
    const traceId = headers.get('x-trace-id');
    const form = { code: 'invalid_request', retryable: false, trace_id: traceId, parameter };
    t.equal(status, 400, path);
    t.match(body, { error: /./, ...form }, path);
    if (limit !== undefined) t.match(JSON.stringify(body), limit, path);
  }
});

t.test(
  'every route refuses offsets and cursors of others, and names what it ignores',
  async (t) => {
    const exchange = share();
    const { body } = await exchange.send('GET', '/v2/trades?limit=1');
    const other = (body as unknown as DataPage).pagination.next_cursor;
    for (const [path, query] of Object.entries(VALID)) {
      const ask = (more: string) => exchange.send('GET', `/data-api${path}?${query}${more}`);
      const valid = await ask('&unheard_of=1');
      t.equal(valid.status, 200, `${path} ${valid.text}`);
      t.equal(valid.headers.get('x-ignored-parameters'), 'unheard_of', path);
      t.match(valid.headers.get('x-trace-id'), /./, path);
      t.match((await ask('&offset=1')).body, { parameter: 'offset' }, path);
      if (!valid.text.includes('"pagination"')) continue;
      for (const cursor of ['MA==', 'nonsense', path === '/v2/trades' ? 'x' : (other ?? 'none')]) {
        t.match(
          (await ask(`&cursor=${cursor}`)).body,
          { parameter: 'cursor' },
          `${path} ${cursor}`,
        );
      }
    }
    const paths = publicRoutes([]).flatMap(({ path }) => (path.startsWith('/v2/') ? [path] : []));
    t.same(paths.sort(), Object.keys(VALID).sort(), 'every route has its row');
  },
);

/** A cursor as anyone can make it, who has read the source. */
function forged(path: string, content: string): string {
  const text = deflateRawSync(content).toString('base64url');
  const digest = createHash('sha256').update(`outcome-exchange/data-v2${path} ${text}`);
  return digest.digest('base64url').slice(0, 16) + text;
}

t.test('what a forged cursor holds is checked', async (t) => {
  const exchange = share();
  const ask = async (content: string) => {
    const cursor = forged('/v2/trades', content);
    return (await exchange.send('GET', `/v2/trades?cursor=${cursor}`)).status;
  };
  t.equal(await ask('[{"taker_only":true},100,0,[9]]'), 200, 'as the exchange makes them');
  const wrong = [
    '{',
    '{}',
    '[{"taker_only":true},1000000000,0,[9]]',
    '[{"taker_only":true},-1,0,[9]]',
    '[{"taker_only":true},1,-1,[9]]',
    '[{"taker_only":true},1,0,{"a":1}]',
    '[{"taker_only":true},1,0,[[1]]]',
    '[{"taker_only":true,"side":"BOTH"},1,0,[9]]',
    '[{"taker_only":true,"user":"me"},1,0,[9]]',
    '[{"taker_only":true,"event_id":["x"]},1,0,[9]]',
    `[{"event_id":[${MANY.map((_, index) => index + 1)}]},1,0,[1,1,1]]`,
    // Small as a cursor, but not as what it holds.
    `[{"taker_only":true},1,0,[9]${' '.repeat(20_000)}]`,
  ];
  for (const content of wrong) t.equal(await ask(content), 400, content.slice(0, 40));
});

t.test('a forged place of a board or of holders is no failure', async (t) => {
  const exchange = share();
  const board = { time_period: 'all', category: 'overall' };
  const whole = { condition: [exchange.plain.conditionId], include_pnl: false, min_balance: 0 };
  const rows: readonly (readonly [path: string, filters: object])[] = [
    ['/v2/leaderboard', { ...board, sort_by: 'PNL' }],
    ['/v2/builders/leaderboard', { time_period: 'all' }],
    ['/v2/biggest-winners', board],
    ['/v2/holders', whole],
  ];
  const texts = ['x', 'y', 'z', 'x', 'y'];
  const places = [[], ['x'], texts, [1e300, 1e300], Array(80).fill('9'.repeat(99))];
  for (const [path, filters] of rows) {
    const ask = async (place: readonly unknown[]) => {
      const cursor = forged(path, JSON.stringify([filters, 5, 0, place]));
      const anchor = path === '/v2/holders' ? `condition=${whole.condition}&` : '';
      return exchange.send('GET', `${path}?${anchor}cursor=${cursor}`);
    };
    for (const place of places) {
      const { status, text } = await ask(place);
      t.equal(status, 200, `${path} ${text.slice(0, 100)}`);
    }
    for (const place of [Array(81).fill(1), [null], ['9'.repeat(513)]]) {
      t.match((await ask(place)).body, { parameter: 'cursor' }, path);
    }
  }
});

t.test('a filter that contradicts the cursor is refused', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(1);
  const { conditionId } = exchange.plain;
  for (const amount of ['5', '6']) {
    const body = { market: conditionId, amount, key: `split${amount}` };
    t.equal((await trader.signed('POST', '/sets/split', body)).status, 200);
  }
  const path = `/v2/activity?user=${trader.address}`;
  const first = await askData(exchange, `${path}&limit=1&type=SPLIT`);
  const next = `cursor=${first.pagination.next_cursor}`;
  const rows: readonly (readonly [query: string, parameter: string])[] = [
    [`user=${USER}&${next}`, 'user'],
    [`user=${trader.address}&${next}&type=SPLIT,MERGE`, 'type'],
    [`user=${trader.address}&${next}&sort_direction=ASC`, 'sort_direction'],
    [`user=${trader.address}&${next}&condition=${MARKET}`, 'condition'],
    [`user=${trader.address}&${next}&start=5`, 'start'],
    [next, 'user'],
  ];
  for (const [query, parameter] of rows) {
    const { status, body } = await exchange.send('GET', `/v2/activity?${query}`);
    t.match({ status, ...body }, { status: 400, code: 'invalid_request', parameter }, query);
  }
  const again = `user=${trader.address}&${next}&type=SPLIT&sort_direction=DESC&limit=9`;
  t.equal((await askData(exchange, `/v2/activity?${again}`)).data.length, 1);
});

t.test('unknown paths and methods below /v2 have the same form', async (t) => {
  const exchange = share();
  const unknown = await exchange.send('GET', '/data-api/v2/nothing');
  const error = { error: /./, retryable: false, trace_id: unknown.headers.get('x-trace-id') };
  t.match(
    { status: unknown.status, ...unknown.body },
    { status: 404, code: 'not_found', ...error },
  );
  const method = await exchange.send('POST', '/v2/trades');
  t.match({ status: method.status, ...method.body }, { status: 405, code: 'method_not_allowed' });
  const given = await exchange.send('GET', '/v2/trades', { headers: { 'x-request-id': 'mine' } });
  t.equal(given.headers.get('x-trace-id'), 'mine');
});
