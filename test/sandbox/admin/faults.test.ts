// The routes of faults: what they show, and every request that they refuse.
import t from 'tap';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { FAULT_BOUNDS } from '../../../sandbox/faults/bounds.ts';
import { sendTo, shareTestExchange } from '../../http/exchange-fixture.ts';
import { makeFault, sendOperator } from '../fault-fixture.ts';
import { sandboxServices } from '../sandbox-services.ts';

const share = await shareTestExchange(t);

const UNKNOWN_HASH = `0x${'5e'.repeat(32)}`;
const UNKNOWN_KEY = '00000000-0000-4000-8000-000000000001';
const KINDS =
  /lost_acknowledgement, slow_answer, late_order, not_executed, edge_page, too_early, post_only/;
const SECONDS = `0..${FAULT_BOUNDS.seconds}`;

/** A request for a fault that has one thing wrong with it, and the refusal. */
type Row = readonly [body: unknown, refusal: object];

const OF_EVERY_FAULT: readonly Row[] = [
  [undefined, { code: 'invalid_payload', field: 'body', limit: 'object' }],
  [[], { code: 'invalid_payload', field: 'body' }],
  ['too_early', { code: 'invalid_payload', field: 'body' }],
  [{}, { code: 'missing_field', field: 'kind' }],
  [{ kind: 'meteor' }, { code: 'invalid_payload', field: 'kind', limit: KINDS, actual: 'meteor' }],
  [{ kind: 7 }, { code: 'invalid_payload', field: 'kind', actual: 7 }],
  [
    { kind: 'too_early', cuont: 1 },
    { code: 'invalid_payload', field: 'cuont', reason: /nearest is count/, actual: 1 },
  ],
  [
    { kind: 'too_early', seconds: 1 },
    { code: 'invalid_payload', field: 'seconds' },
  ],
  [
    { kind: 'too_early', probability: 0 },
    { code: 'invalid_payload', field: 'probability', limit: '0.000001..1', actual: 0 },
  ],
  [
    { kind: 'too_early', probability: 1.1 },
    { field: 'probability', actual: 1.1 },
  ],
  [
    { kind: 'too_early', probability: '1' },
    { field: 'probability', actual: '1' },
  ],
  [
    { kind: 'too_early', count: 0 },
    { code: 'invalid_payload', field: 'count', limit: `1..${FAULT_BOUNDS.firings}`, actual: 0 },
  ],
  [{ kind: 'too_early', count: FAULT_BOUNDS.firings + 1 }, { field: 'count' }],
  [
    { kind: 'too_early', count: 1.5 },
    { field: 'count', actual: 1.5 },
  ],
  [
    { kind: 'too_early', count: null },
    { field: 'count', actual: null },
  ],
  [
    { kind: 'too_early', skip: -1 },
    { code: 'invalid_payload', field: 'skip', limit: `0..${FAULT_BOUNDS.firings}`, actual: -1 },
  ],
  [
    { kind: 'too_early', seed: -1 },
    { field: 'seed', limit: '0..4294967295', actual: -1 },
  ],
  [
    { kind: 'too_early', seed: 2 ** 32 },
    { field: 'seed', actual: 2 ** 32 },
  ],
  [
    { kind: 'too_early', after_seconds: -1 },
    { field: 'after_seconds', limit: SECONDS },
  ],
  [
    { kind: 'too_early', for_seconds: FAULT_BOUNDS.seconds + 1 },
    { field: 'for_seconds', limit: `0.001..${FAULT_BOUNDS.seconds}`, actual: 86_401 },
  ],
];

const OF_MATCHES: readonly Row[] = [
  [[], { code: 'invalid_payload', field: 'match' }],
  [{ markt: 'x' }, { code: 'invalid_payload', field: 'match.markt', reason: /nearest is market/ }],
  [{ market: 7 }, { code: 'invalid_payload', field: 'match.market', actual: 7 }],
  [{ market: UNKNOWN_HASH }, { status: 404, code: 'market_not_found', field: 'match.market' }],
  [{ market: '' }, { status: 404, code: 'market_not_found', field: 'match.market' }],
  [{ account: '0x12' }, { code: 'address_malformed', field: 'match.account', actual: '0x12' }],
  [{ owner: 'me' }, { code: 'address_malformed', field: 'match.owner', actual: 'me' }],
  [
    { api_key: UNKNOWN_KEY },
    { status: 404, code: 'api_key_unknown', field: 'match.api_key', actual: UNKNOWN_KEY },
  ],
  [{ method: 'PATCH' }, { field: 'match.method', limit: 'GET, POST, PUT, DELETE' }],
  [{ path: 'order' }, { code: 'invalid_payload', field: 'match.path', actual: 'order' }],
  [{ user_agent: 'node' }, { field: 'match.user_agent', reason: /no such key/ }],
  [{ path: '/order?a=1' }, { code: 'invalid_payload', field: 'match.path' }],
  [{ path: `/${'a'.repeat(FAULT_BOUNDS.pathCharacters)}` }, { field: 'match.path', actual: 201 }],
];

const OF_KINDS: readonly Row[] = [
  [
    { kind: 'lost_acknowledgement', answer: '404' },
    { field: 'answer', limit: 'close, 500, 502, timeout', actual: '404' },
  ],
  [
    { kind: 'lost_acknowledgement', answer: 500 },
    { field: 'answer', actual: 500 },
  ],
  [
    { kind: 'lost_acknowledgement', timeout_seconds: FAULT_BOUNDS.heldSeconds + 1 },
    { field: 'timeout_seconds', limit: `0..${FAULT_BOUNDS.heldSeconds}`, actual: 601 },
  ],
  [
    { kind: 'slow_answer', seconds: 601 },
    { field: 'seconds', limit: '0..600', actual: 601 },
  ],
  [
    { kind: 'slow_answer', seconds: -1 },
    { field: 'seconds', actual: -1 },
  ],
  [
    { kind: 'too_early', retry_after_seconds: 0 },
    { field: 'retry_after_seconds', actual: 0 },
  ],
  [{ kind: 'unavailable', retry_after_seconds: 1.5 }, { field: 'retry_after_seconds' }],
  [{ kind: 'rate_limited', retry_after_seconds: 86_401 }, { field: 'retry_after_seconds' }],
  [
    { kind: 'restart', for_seconds: 1 },
    { field: 'for_seconds', reason: /no such key/ },
  ],
  [
    { kind: 'restart', unavailable_seconds: 86_401 },
    { field: 'unavailable_seconds', limit: SECONDS },
  ],
  [
    { kind: 'restart', post_only_seconds: -1 },
    { field: 'post_only_seconds', limit: SECONDS },
  ],
  [{ kind: 'tick_size_change' }, { code: 'missing_field', field: 'tick_size' }],
  [
    { kind: 'tick_size_change', tick_size: '0.02' },
    { field: 'tick_size', limit: '0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001', actual: '0.02' },
  ],
  [
    { kind: 'tick_size_change', tick_size: '0.01', when: 'later' },
    { field: 'when', limit: 'before, after', actual: 'later' },
  ],
  [
    { kind: 'pause_market', market_state: 'open' },
    { field: 'market_state', limit: 'cancel_only, halted' },
  ],
  [
    { kind: 'pause_market', resume_seconds: 86_401 },
    { field: 'resume_seconds', limit: SECONDS },
  ],
  [
    { kind: 'resolve_market', payout: '1.5' },
    { field: 'payout', actual: '1.5' },
  ],
  [{ kind: 'resolve_market', payout: '0.00001' }, { field: 'payout' }],
  [
    { kind: 'resolve_market', payout: 1 },
    { field: 'payout', actual: 1 },
  ],
];

t.test('a fault that is malformed, unknown or out of bounds is refused', async (t) => {
  const exchange = share();
  const before = (await sendOperator(exchange, 'GET', '/faults')).text;
  const rows = [
    ...OF_EVERY_FAULT,
    ...OF_MATCHES.map(([match, refusal]): Row => [{ kind: 'too_early', match }, refusal]),
    ...OF_KINDS,
  ];
  for (const [body, refusal] of rows) {
    const answer = await sendOperator(exchange, 'POST', '/faults', body);
    const { status, ...expected } = { status: 400, code: 'invalid_payload', ...refusal };
    t.equal(answer.status, status, JSON.stringify(body));
    t.match(answer.body, expected, JSON.stringify(body));
  }
  t.equal((await sendOperator(exchange, 'GET', '/faults')).text, before, 'nothing was added');
});

t.test('other requests that are refused', async (t) => {
  const exchange = share();
  const id = await makeFault(exchange, { kind: 'too_early', match: { path: '/nowhere' } });
  const before = (await sendOperator(exchange, 'GET', '/faults')).text;
  const rows: [method: string, path: string, status: number, code: string][] = [
    ['DELETE', '/faults/0', 404, 'fault_unknown'],
    ['DELETE', '/faults/x', 404, 'fault_unknown'],
    ['DELETE', `/faults/${id}0`, 404, 'fault_unknown'],
    ['GET', `/faults/${id}`, 405, 'method_not_allowed'],
    ['PUT', '/faults', 405, 'method_not_allowed'],
  ];
  for (const [method, path, status, code] of rows) {
    const answer = await sendOperator(exchange, method, path);
    t.match(answer, { status, body: { code } }, `${method} ${path}`);
  }
  const url = `http://127.0.0.1:${exchange.running.adminPort}`;
  for (const method of ['GET', 'POST', 'DELETE']) {
    t.match(await sendTo(url, method, '/faults'), { status: 401 }, `${method} without a token`);
  }
  t.match(await exchange.send('GET', '/faults'), { status: 404 }, 'not on the public listener');
  t.equal((await sendOperator(exchange, 'GET', '/faults')).text, before);
  await sendOperator(exchange, 'DELETE', `/faults/${id}`);
});

t.test('there is room for a bounded number of faults', async (t) => {
  const exchange = share();
  const fault = { kind: 'too_early', match: { path: '/nowhere' } };
  // Other tests share the exchange.
  await sendOperator(exchange, 'DELETE', '/faults');
  const ids: string[] = [];
  for (let nth = 0; nth < FAULT_BOUNDS.faults; nth += 1) ids.push(await makeFault(exchange, fault));
  const { faults: limit } = FAULT_BOUNDS;
  t.match(await sendOperator(exchange, 'POST', '/faults', fault), {
    status: 409,
    body: { code: 'too_many_faults', limit, actual: limit },
  });
  const removed = await sendOperator(exchange, 'DELETE', '/faults');
  t.strictSame(
    JSON.parse(removed.text).data.map(({ id }: { readonly id: string }) => id),
    ids,
  );
  t.strictSame(JSON.parse((await sendOperator(exchange, 'GET', '/faults')).text), { data: [] });
});

t.test('there are no faults where money is at stake', async (t) => {
  for (const settings of [{ funding: 'ledger' }, { strict: true }] as const) {
    const exchange = (await shareTestExchange(t, settings))();
    const rows: [method: string, path: string, body?: object][] = [
      ['POST', '/faults', { kind: 'too_early' }],
      ['GET', '/faults'],
      ['DELETE', '/faults/1'],
      ['DELETE', '/faults'],
    ];
    for (const [method, path, body] of rows) {
      const answer = await sendOperator(exchange, method, path, body);
      t.match(answer, { status: 403, body: { code: 'sandbox_only' } }, `${method} ${path}`);
    }
    t.strictSame(sandboxServices(exchange.running).faults.faults, []);
  }
});

t.test('a fault shows what it was given, with the defaults of its kind', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(1);
  const match = {
    api_key: trader.credentials.apiKey,
    account: toChecksumAddress(trader.address),
    owner: trader.address,
    market: exchange.plain.conditionId.toUpperCase().replace('0X', '0x'),
    method: 'POST',
    path: '/order',
  };
  const made = await sendOperator(exchange, 'POST', '/faults', { kind: 'restart', match });
  t.equal(made.status, 200, made.text);
  const shown = JSON.parse(made.text);
  t.strictSame(shown, {
    id: shown.id,
    kind: 'restart',
    match: { ...match, account: trader.address, market: exchange.plain.conditionId },
    probability: 1,
    count: null,
    skip: 0,
    seed: 1,
    after_seconds: 0,
    for_seconds: 210,
    unavailable_seconds: 90,
    post_only_seconds: 120,
    created: new Date(exchange.clock.ms).toISOString(),
    state: 'active',
    matched: 0,
    fired: 0,
    hits: [],
    hits_dropped: 0,
  });
  const once = { kind: 'lost_acknowledgement', after_seconds: 5 };
  const other = JSON.parse((await sendOperator(exchange, 'POST', '/faults', once)).text);
  t.match(other, { count: 1, for_seconds: null, answer: 'close', state: 'waiting' });
  await sendOperator(exchange, 'DELETE', '/faults');
});
