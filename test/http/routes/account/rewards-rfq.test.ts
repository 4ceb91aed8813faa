// Routes with fixed answers: rewards, rebates and requests for quotes (wire 1.7).
import t from 'tap';
import { RFQ_ROUTES } from '../../../../http/routes/account/rfq.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

const END = { data: [], next_cursor: 'LTE=', limit: 100, count: 0 };

const share = await shareTestExchange(t);

t.test('rewards and rebates are empty in the forms that clients read', async (t) => {
  const { send, trader, plain } = share();
  const alice = await trader(1);
  const rows: readonly (readonly [path: string, isOwn: boolean, body: unknown])[] = [
    ['/rewards/user?date=2026-06-03&signature_type=0&next_cursor=MA==', true, END],
    ['/rewards/user/total?date=2026-06-03', true, []],
    ['/rewards/user/percentages?signature_type=0', true, {}],
    ['/rewards/user/markets?date=2026-06-03&order_by=&position=&no_competition=false', true, END],
    ['/rewards/markets/current?next_cursor=MA==', false, END],
    ['/rewards/markets/current?next_cursor=MTAw', false, END],
    ['/rewards/markets/multi', false, END],
    [`/rewards/markets/${plain.conditionId}?next_cursor=MA==`, false, END],
    [`/rewards/markets/${plain.conditionId.toUpperCase().replace('0X', '0x')}`, false, END],
    [`/rebates/current?date=2026-06-03&maker_address=${alice.address}`, false, []],
    ['/rebates/current?date=&maker_address=', false, []],
  ];
  for (const [path, isOwn, body] of rows) {
    const bare = path.split('?')[0] ?? path;
    const headers = isOwn ? alice.keyHeaders('GET', bare) : {};
    const answer = await send('GET', path, { headers });
    t.equal(answer.status, 200, path);
    t.strictSame(answer.body, body, path);
    if (isOwn) t.equal((await send('GET', path)).status, 401, `${path} requires a key`);
  }
});

t.test('a wrong request is refused although the list is empty', async (t) => {
  const { send } = share();
  const unknown = `0x${'12'.repeat(32)}`;
  const rows: readonly (readonly [path: string, status: number, details: object])[] = [
    ['/rewards/markets/current?next_cursor=LTE=', 400, { code: 'invalid_cursor' }],
    [`/rewards/markets/${unknown}`, 404, { code: 'market_not_found', actual: unknown }],
    ['/rewards/markets/7', 404, { code: 'market_not_found', field: 'condition_id' }],
    ['/rebates/current?date=today', 400, { code: 'invalid_parameter', field: 'date' }],
    ['/rebates/current?maker_address=me', 400, { code: 'invalid_parameter' }],
  ];
  for (const [path, status, details] of rows) {
    const answer = await send('GET', path);
    t.equal(answer.status, status, path);
    t.match(answer.body, details, path);
  }
});

t.test('quotes are disabled in the configuration and refused by each route', async (t) => {
  const { send } = share();
  const [config, ...others] = RFQ_ROUTES;
  t.strictSame((await send(config.method, config.path)).body, {
    enabled: false,
    minTickSize: '0.01',
    tokenDecimals: 6,
    collateralDecimals: 6,
  });
  t.equal(others.length, 11);
  for (const { method, path } of others) {
    const body = method === 'GET' ? undefined : '{"requestId":"1"}';
    const answer = await send(method, path, { body });
    t.equal(answer.status, 404, `${method} ${path}`);
    t.match(answer.body, { code: 'rfq_disabled', error: 'requests for quotes are disabled' });
  }
});
