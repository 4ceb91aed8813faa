// Actions of the operator on the exchange, markets, owners and keys, and their refusals.
import t from 'tap';
import { isoTime } from '../../../http/codec/time.ts';
import { shareTestExchange, startTestExchange } from '../exchange-fixture.ts';

const NOBODY = `0x${'0b'.repeat(20)}`;
const UNKNOWN = `0x${'33'.repeat(32)}`;
const KEY = '00000000-0000-4000-8000-000000000001';

const share = await shareTestExchange(t);

t.test('an action requires "by" and "reason", both printable text', async (t) => {
  const { operator, plain, stateHash, running } = share();
  const market = `/markets/${plain.conditionId}`;
  const money = { account: NOBODY, amount: '1', key: 'a' };
  const routes: [method: string, path: string, body: object][] = [
    ['POST', '/exchange/state', { state: 'halted' }],
    ['POST', `${market}/state`, { state: 'halted' }],
    ['POST', `${market}/terms`, { tick_size: '0.1' }],
    ['POST', `${market}/close`, {}],
    ['POST', `/owners/${NOBODY}/standing`, { standing: 'banned' }],
    ['DELETE', `/keys/${KEY}`, {}],
    ['POST', '/accounts', { address: NOBODY, owner: NOBODY, wallet: 'eoa' }],
    ['POST', '/deposits', money],
    ['POST', '/withdrawals', money],
  ];
  const rows: [words: object, code: string, field: string][] = [
    [{ by: undefined }, 'missing_field', 'by'],
    [{ reason: undefined }, 'missing_field', 'reason'],
    [{ by: '' }, 'invalid_payload', 'by'],
    [{ by: ' ' }, 'invalid_payload', 'by'],
    [{ by: 7 }, 'invalid_payload', 'by'],
    [{ by: 'x'.repeat(129) }, 'invalid_payload', 'by'],
    [{ by: 'two\nlines' }, 'invalid_payload', 'by'],
    [{ reason: 'x'.repeat(501) }, 'invalid_payload', 'reason'],
    [{ reason: 'a\u0000' }, 'invalid_payload', 'reason'],
  ];
  const before = [stateHash(), running.services.exchange.appliedSeq];
  for (const [method, path, body] of routes) {
    for (const [words, code, field] of rows) {
      const answer = await operator(method, path, { ...body, ...words });
      t.match([answer.status, answer.body], [400, { code, field }], `${path} ${field}`);
    }
  }
  t.strictSame([stateHash(), running.services.exchange.appliedSeq], before, 'nothing changed');
  const longest = { by: `é${'x'.repeat(127)}`, reason: `ü ${'x'.repeat(498)}` };
  t.equal((await operator('POST', '/exchange/state', { state: 'open', ...longest })).status, 200);
});

t.test('the exchange and single markets are opened and paused', async (t) => {
  const { operator, plain, trader } = share();
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const market = plain.conditionId;
  const rows: [path: string, state: string, duplicate: boolean, code: string | undefined][] = [
    ['/exchange/state', 'open', true, undefined],
    ['/exchange/state', 'halted', false, 'exchange_paused'],
    [`/markets/${market}/state`, 'cancel_only', false, 'exchange_paused'],
    [`/markets/${market.toUpperCase().replace('0X', '0x')}/state`, 'cancel_only', true, undefined],
    ['/exchange/state', 'open', false, 'market_paused'],
    [`/markets/${market}/state`, 'open', false, undefined],
  ];
  for (const [path, state, duplicate, code] of rows) {
    const answer = await operator('POST', path, { state });
    const expected = path.startsWith('/m') ? { market, state, duplicate } : { state, duplicate };
    t.strictSame([answer.status, answer.body], [200, expected], `${path} ${state}`);
    if (duplicate) continue;
    const placed = (await alice.place({ tokenId, priceTicks: 100, lots: 500 })).body;
    t.equal(placed.code, code, `${path} ${state}`);
  }
});

t.test('terms are decimals, and omitted ones do not change', async (t) => {
  const { operator, plain } = share();
  const path = `/markets/${plain.conditionId}/terms`;
  const change = (terms: object) => operator('POST', path, terms);
  let inForce: object = {
    market: plain.conditionId,
    tick_size: '0.01',
    minimum_order_size: '5',
    minimum_budget: '1',
    self_trade: 'cancel_maker',
    taker_fee_bps: 0,
    maker_fee_bps: 0,
    fee_exponent: 0,
    seconds_delay: 0,
    itode: false,
    taker_order_delay_ms: 0,
    finer_tick_size: '0.001',
  };
  const changes: [terms: object, told: object][] = [
    [{ tick_size: '0.0050' }, { tick_size: '0.005' }],
    [{ tick_size: '0.0025' }, { finer_tick_size: '0' }],
    [{ tick_size: '0.100' }, { tick_size: '0.1' }],
    [{ minimum_order_size: '0.01', self_trade: 'cancel_both' }, {}],
    [{ minimum_budget: '0.000001' }, {}],
    [{ finer_tick_size: '0.0100' }, { finer_tick_size: '0.01' }],
    [{ tick_size: '0.01', finer_tick_size: '0' }, {}],
    [{ taker_fee_bps: 441, fee_exponent: 1 }, {}],
    [{ maker_fee_bps: 5000 }, {}],
    [{ itode: true }, { taker_order_delay_ms: 250 }],
    [{ taker_order_delay_ms: 1000 }, {}],
    [{ itode: false }, { taker_order_delay_ms: 0 }],
    [{ seconds_delay: 3 }, { itode: true }],
    [{ itode: true, taker_order_delay_ms: 60_000 }, {}],
    [{ taker_order_delay_ms: 0, itode: true, seconds_delay: 60 }, {}],
    [{ itode: false }, { seconds_delay: 0 }],
  ];
  for (const [terms, told] of changes) {
    inForce = { ...inForce, ...terms, ...told };
    t.strictSame((await change(terms)).body, { ...inForce, duplicate: false });
    t.strictSame((await change(terms)).body, { ...inForce, duplicate: true });
  }
});

t.test('each fault of the terms has its code', async (t) => {
  const { operator, plain } = share();
  const path = `/markets/${plain.conditionId}/terms`;
  const rows: [terms: object, code: string, details: object][] = [
    [{}, 'market_malformed', { field: 'terms' }],
    [{ tick_size: '0.02' }, 'market_malformed', { field: 'tick_size', actual: '0.02' }],
    [{ tick_size: '0' }, 'market_malformed', { field: 'tick_size', actual: '0' }],
    [{ tick_size: '1.0001' }, 'invalid_payload', { field: 'tick_size', actual: '1.0001' }],
    [{ tick_size: '0.00001' }, 'invalid_payload', { field: 'tick_size', actual: '0.00001' }],
    [{ tick_size: '-0.1' }, 'invalid_payload', { field: 'tick_size' }],
    [{ tick_size: 0.1 }, 'invalid_payload', { field: 'tick_size', limit: 'string' }],
    [{ minimum_order_size: '0' }, 'amount_out_of_bounds', { field: 'minimum_order_size' }],
    [{ minimum_order_size: '0.005' }, 'amount_off_grid', { limit: '0.01', actual: '0.005' }],
    [{ minimum_order_size: '1e1' }, 'amount_out_of_bounds', { actual: '1e1' }],
    [{ minimum_budget: '0' }, 'amount_out_of_bounds', { field: 'minimum_budget' }],
    [{ self_trade: 'none' }, 'invalid_payload', { field: 'self_trade' }],
    [{ taker_fee_bps: 5001 }, 'invalid_payload', { field: 'taker_fee_bps', limit: '0..5000' }],
    [{ maker_fee_bps: '1' }, 'invalid_payload', { field: 'maker_fee_bps', limit: 'integer' }],
    [{ fee_exponent: 3 }, 'invalid_payload', { field: 'fee_exponent', limit: '0, 1, 2' }],
    [{ fee_exponent: 0.5 }, 'invalid_payload', { field: 'fee_exponent' }],
    [{ seconds_delay: 61 }, 'invalid_payload', { field: 'seconds_delay', limit: '0..60' }],
    [{ taker_order_delay_ms: -1 }, 'invalid_payload', { limit: '0..60000', actual: -1 }],
    [{ itode: 1 }, 'invalid_payload', { field: 'itode', limit: 'boolean' }],
    [{ itode: false, seconds_delay: 1 }, 'invalid_payload', { field: 'itode', actual: false }],
    [{ itode: true, taker_order_delay_ms: 0 }, 'invalid_payload', { field: 'itode' }],
    [{ finer_tick_size: '0.01' }, 'market_malformed', { field: 'finer_tick_size', limit: '0.01' }],
    [{ finer_tick_size: '0.002' }, 'market_malformed', { field: 'finer_tick_size' }],
    [{ finer_tick_size: 'never' }, 'invalid_payload', { field: 'finer_tick_size' }],
  ];
  for (const [terms, code, details] of rows) {
    const { status, body } = await operator('POST', path, terms);
    t.match([status, body], [400, { code, ...details }], JSON.stringify(terms));
  }
});

t.test('closing a market ends its trading and cancels its orders', async (t) => {
  const { operator, plain, trader, send } = share();
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const { orderID } = (await alice.place({ tokenId })).body;
  const path = `/markets/${plain.conditionId}`;
  const closed = { market: plain.conditionId, status: 'closed' };
  t.strictSame((await operator('POST', `${path}/close`, {})).body, { ...closed, duplicate: false });
  t.strictSame((await operator('POST', `${path}/close`, {})).body, { ...closed, duplicate: true });
  t.match((await alice.signed('GET', `/data/order/${orderID}`)).body, { status: 'CANCELED' });
  t.match((await alice.signed('GET', '/notifications')).body, [{ type: 1 }], 'owner is notified');
  t.match((await send('GET', path)).body, { closed: true, accepting_orders: false });
  t.match((await send('GET', `/book?token_id=${tokenId}`)).body, { bids: [] });
  const rows: [path: string, body: object][] = [
    ['state', { state: 'open' }],
    ['terms', { tick_size: '0.1' }],
  ];
  for (const [name, body] of rows) {
    const answer = await operator('POST', `${path}/${name}`, body);
    t.match([answer.status, answer.body], [400, { code: 'market_closed', field: 'condition_id' }]);
  }
});

t.test('an owner is restricted and released, even before its first account', async (t) => {
  const { operator, plain, trader } = share();
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const { orderID } = (await alice.place({ tokenId })).body;
  const set = async (owner: string, standing: string) =>
    (await operator('POST', `/owners/${owner}/standing`, { standing })).body;
  const owner = alice.address;
  t.strictSame(await set(owner, 'closed_only'), {
    owner,
    standing: 'closed_only',
    duplicate: false,
  });
  t.match((await alice.place({ tokenId })).body, { code: 'owner_closed_only' });
  t.match((await alice.signed('GET', `/data/order/${orderID}`)).body, { status: 'CANCELED' });
  t.match((await alice.signed('GET', '/auth/ban-status/closed-only')).body, { closedOnly: true });
  t.match(await set(owner, 'banned'), { standing: 'banned', duplicate: false });
  t.match(await set(owner, 'banned'), { duplicate: true });
  t.match((await alice.place({ tokenId })).body, { code: 'owner_banned' });
  t.match(await set(owner, 'good'), { standing: 'good', duplicate: false });
  t.match((await alice.place({ tokenId })).body, { success: true });
  t.match(await set(NOBODY, 'banned'), { owner: NOBODY, duplicate: false });
  const wrong = await operator('POST', '/owners/0x12/standing', { standing: 'good' });
  t.match([wrong.status, wrong.body], [400, { code: 'address_malformed', field: 'address' }]);
});

t.test('a key of any owner can be revoked', async (t) => {
  const { operator, trader } = share();
  const alice = await trader(1);
  const { apiKey: api_key } = alice.credentials;
  const revoke = (key: string) => operator('DELETE', `/keys/${key}`, {});
  const revoked = { api_key, owner: alice.address, purpose: 'trading', revoked: true };
  t.strictSame((await revoke(api_key.toUpperCase())).body, { ...revoked, duplicate: false });
  t.match((await alice.signed('GET', '/data/orders')).body, { code: 'api_key_revoked' });
  t.strictSame((await revoke(api_key)).body, { ...revoked, duplicate: true });
  for (const key of [KEY, 'nothing']) {
    const { status, body } = await revoke(key);
    t.match([status, body], [404, { code: 'api_key_unknown', field: 'api_key', actual: key }]);
  }
});

t.test('an unknown market is not found', async (t) => {
  const { operator } = share();
  const rows: [name: string, body: object][] = [
    ['state', { state: 'open' }],
    ['terms', { tick_size: '0.1' }],
    ['close', {}],
  ];
  for (const [name, body] of rows) {
    for (const id of [UNKNOWN, 'x'.repeat(200)]) {
      const answer = await operator('POST', `/markets/${id}/${name}`, body);
      t.match([answer.status, answer.body], [404, { code: 'market_not_found' }], name);
    }
  }
});

t.test('actions are listed with by, time and reason, newest first', async (t) => {
  const { operator, plain, trader, clock } = await startTestExchange(t);
  const alice = await trader(1);
  await alice.place({ tokenId: plain.tokenIds[0] });
  t.strictSame((await operator('GET', '/actions')).body, { data: [], next_before_seq: null });
  const state = `/markets/${plain.conditionId}/state`;
  const done: [by: string, reason: string, path: string, body: object][] = [
    ['ann', 'a break', '/exchange/state', { state: 'halted' }],
    ['ben', 'the break is over', '/exchange/state', { state: 'open' }],
    ['ann', 'rain', state, { state: 'cancel_only' }],
    ['ann', 'rain, again', state, { state: 'cancel_only' }],
    ['ann', 'a mistake', '/deposits', { account: NOBODY, amount: '1', key: 'a' }],
    ['ann', 'fraud', `/owners/${alice.address}/standing`, { standing: 'banned' }],
  ];
  const times: string[] = [];
  for (const [by, reason, path, body] of done) {
    clock.ms += 1_000;
    times.push(isoTime(clock.ms));
    await operator('POST', path, { by, reason, ...body });
  }
  const set = { kind: 'set_trading_state' };
  const all = [
    {
      time: times[5],
      kind: 'set_standing',
      by: 'ann',
      reason: 'fraud',
      command: { kind: 'set_standing', owner: alice.address, standing: 'banned' },
    },
    {
      time: times[2],
      by: 'ann',
      reason: 'rain',
      command: { ...set, conditionId: plain.conditionId, state: 'cancel_only' },
    },
    { time: times[1], by: 'ben', command: { ...set, conditionId: '', state: 'open' } },
    { time: times[0], by: 'ann', command: { ...set, conditionId: '', state: 'halted' } },
  ];
  const list = async (query: string) => (await operator('GET', `/actions${query}`)).body;
  const told = await list('');
  t.match(told, { data: all, next_before_seq: null });
  t.equal(told.data.length, 4, 'refused and repeated ones are not listed');
  const rows: [query: string, found: object[]][] = [
    ['?by=ben', [all[2]!]],
    ['?by=Ben', []],
    ['?kind=set_trading_state', all.slice(1)],
    ['?kind=set_trading_state&by=ann', [all[1]!, all[3]!]],
    ['?kind=deposit', []],
  ];
  for (const [query, found] of rows) {
    const { data } = await list(query);
    t.match(data, found, query);
    t.equal(data.length, found.length, query);
  }
  const pages: object[] = [];
  for (let next = '?limit=3'; next !== ''; ) {
    // Safe: as the route documents it.
    const page = (await list(next)) as unknown as { data: object[]; next_before_seq: number };
    pages.push(...page.data);
    next = page.next_before_seq === null ? '' : `?limit=3&before_seq=${page.next_before_seq}`;
  }
  t.strictSame(pages, told.data);
  for (const query of ['limit=0', 'limit=501', 'before_seq=0', 'before_seq=x', 'kind=nothing']) {
    const answer = await operator('GET', `/actions?${query}`);
    t.match([answer.status, answer.body], [400, { code: 'invalid_parameter' }], query);
  }
});

// A refused command is journaled too if an order expires before it in the same step.
t.test(
  'refused and repeated actions are not listed, even if other work was due then',
  async (t) => {
    const { operator, plain, trader, clock, running } = share();
    const since = running.services.exchange.appliedSeq;
    const alice = await trader(1);
    const [tokenId] = plain.tokenIds;
    const money = { account: alice.address, amount: '1', key: 'a' };
    await operator('POST', '/deposits', money);
    const rows: [path: string, body: object, status: number][] = [
      ['/withdrawals', { ...money, amount: '1000000', key: 'b' }, 400],
      ['/deposits', money, 200],
      ['/exchange/state', { state: 'open' }, 200],
    ];
    for (const [path, body, status] of rows) {
      const changes = { expiration: `${Math.floor(clock.ms / 1_000) + 200}` };
      const { orderID } = (await alice.place({ tokenId, orderType: 'GTD', changes })).body;
      clock.ms += 201_000;
      t.equal((await operator('POST', path, body)).status, status, path);
      const order = (await alice.signed('GET', `/data/order/${orderID}`)).body;
      t.match(order, { status: 'CANCELED' }, 'it expired within that command');
    }
    const listed: readonly { readonly seq: number }[] = JSON.parse(
      (await operator('GET', '/actions')).text,
    ).data;
    const data = listed.filter(({ seq }) => seq > since);
    t.match(data, [{ command: { kind: 'deposit' } }]);
    t.equal(data.length, 1);
  },
);
