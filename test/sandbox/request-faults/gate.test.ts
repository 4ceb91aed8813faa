// What the gate of requests makes of a handler, for each kind of fault.
import t from 'tap';
import { ConnectionLost, RawReply } from '../../../http/api/index.ts';
import { ApiError } from '../../../http/errors/index.ts';
import {
  isOrderRoute,
  placesOrders,
  writesOrders,
} from '../../../sandbox/request-faults/request-scope.ts';
import { ROUTES } from '../../all-routes.ts';
import { Gate, OWNER } from './gate-fixture.ts';

const ORDER = { order: {} };
const POST_ONLY = { order: {}, postOnly: true };

t.test('faults that refuse call no handler', async (t) => {
  const rows: [fault: object, code: string, status: number, retryAfter: string][] = [
    [{ kind: 'too_early' }, 'service_not_ready', 425, '1'],
    [{ kind: 'too_early', retry_after_seconds: 7 }, 'service_not_ready', 425, '7'],
    [{ kind: 'unavailable', retry_after_seconds: 2 }, 'overloaded', 503, '2'],
    [{ kind: 'rate_limited', retry_after_seconds: 3 }, 'too_many_requests', 429, '3'],
    [{ kind: 'post_only', for_seconds: 79 }, 'post_only_mode', 503, '79'],
    [{ kind: 'post_only' }, 'post_only_mode', 503, '1'],
    [{ kind: 'restart' }, 'service_not_ready', 425, '90'],
    [{ kind: 'not_executed' }, 'execution_failed', 500, ''],
  ];
  for (const [fault, code, status, retryAfter] of rows) {
    const gate = new Gate();
    const id = gate.add(fault);
    const { outcome, calls, headers } = await gate.ask('POST', '/order', { body: ORDER });
    if (!(outcome instanceof ApiError)) throw new Error(`${code}: ${outcome}`);
    t.match(outcome, { code, entry: { status } });
    t.strictSame(outcome.headers, retryAfter === '' ? [] : [['retry-after', retryAfter]]);
    t.strictSame(calls, [], code);
    t.strictSame(headers, [['x-injected-fault', id]]);
  }
});

t.test('an edge answers with a page, and the handler is not called', async (t) => {
  const gate = new Gate();
  const id = gate.add({ kind: 'edge_page', match: { method: 'GET' } });
  const { outcome, calls, headers } = await gate.ask('GET', '/book');
  t.ok(outcome instanceof RawReply);
  t.match(outcome, { status: 403, contentType: 'text/html' });
  t.strictSame([calls, headers], [[], [['x-injected-fault', id]]]);
  t.strictSame((await gate.ask('POST', '/order', { body: ORDER })).calls, [ORDER], 'only reads');
});

t.test('an order is kept before its handler is called, by times of the seed', async (t) => {
  const waitsOf = async (seed: number): Promise<readonly number[]> => {
    const gate = new Gate();
    gate.add({ kind: 'late_order', seconds: 2, spread_seconds: 3, seed });
    for (let count = 0; count < 5; count += 1) await gate.ask('POST', '/order', { body: ORDER });
    t.strictSame(gate.steps.slice(0, 2), ['wait', 'handler']);
    await gate.ask('DELETE', '/order', { body: {} });
    t.equal(gate.waits.length, 5, 'cancels are not kept');
    return gate.waits;
  };
  const waits = await waitsOf(7);
  t.ok(waits.every((ms) => ms >= 2_000 && ms < 5_000));
  t.ok(new Set(waits).size > 1);
  t.strictSame(await waitsOf(7), waits);
  t.notSame(await waitsOf(8), waits);
});

t.test('the details of a refusal are those of a real one', async (t) => {
  const rows: [fault: object, details: object][] = [
    [
      { kind: 'rate_limited', retry_after_seconds: 3 },
      { limit: 1, windowSeconds: 3, scope: 'fault', row: 'fault', retryAfterSeconds: 3 },
    ],
    [
      { kind: 'unavailable', retry_after_seconds: 3 },
      { field: 'fault', limit: 0, actual: 1, retryAfterSeconds: 3 },
    ],
    [
      { kind: 'post_only', for_seconds: 5 },
      { field: 'postOnly', limit: true, retry_after_seconds: 5 },
    ],
  ];
  for (const [fault, details] of rows) {
    const gate = new Gate();
    gate.add(fault);
    const { outcome } = await gate.ask('POST', '/order', { body: ORDER });
    t.strictSame(outcome instanceof ApiError && outcome.details, details);
  }
});

t.test('a restart is 425, then post-only, then over, by the clock of the exchange', async (t) => {
  const gate = new Gate();
  gate.add({ kind: 'restart', unavailable_seconds: 90, post_only_seconds: 120 });
  const rows: [timeMs: number, order: string, retryAfter?: string][] = [
    [0, 'service_not_ready', '90'],
    [89_001, 'service_not_ready', '1'],
    [90_000, 'post_only_mode', '120'],
    [131_000, 'post_only_mode', '79'],
    [209_999, 'post_only_mode', '1'],
    [210_000, 'called'],
  ];
  for (const [timeMs, expected, retryAfter] of rows) {
    gate.nowMs = timeMs;
    const { outcome } = await gate.ask('POST', '/order', { body: ORDER });
    const code = outcome instanceof ApiError ? outcome.code : 'called';
    t.equal(code, expected, `after ${timeMs} ms`);
    if (outcome instanceof ApiError) t.strictSame(outcome.headers, [['retry-after', retryAfter]]);
    const isDown = expected === 'service_not_ready';
    const others = [
      await gate.ask('POST', '/order', { body: POST_ONLY }),
      await gate.ask('DELETE', '/order'),
      await gate.ask('GET', '/data/order/{id}'),
    ];
    for (const { outcome: other } of others) t.equal(other instanceof ApiError, isDown);
    t.strictSame((await gate.ask('GET', '/book', { result: 'book' })).outcome, 'book');
  }
});

t.test('a batch in post-only mode: others are refused in their places', async (t) => {
  const gate = new Gate();
  const id = gate.add({ kind: 'post_only', for_seconds: 60 });
  const placed = (body: unknown): unknown =>
    Array.isArray(body) ? body.map(({ name }) => `placed ${name}`) : [];
  const order = (name: string, postOnly: boolean) => ({ name, postOnly });
  const refused = { code: 'post_only_mode', retry_after_seconds: 60, success: false };
  const rows: [orders: object[], called: object[][], expected: unknown[]][] = [
    [
      [order('a', false), order('b', true), order('c', false), order('d', true)],
      [[order('b', true), order('d', true)]],
      [refused, 'placed b', refused, 'placed d'],
    ],
    [[order('a', false)], [], [refused]],
    [[order('a', true)], [[order('a', true)]], ['placed a']],
    [[], [[]], []],
  ];
  for (const [body, called, expected] of rows) {
    const { outcome, calls } = await gate.ask('POST', '/orders', { body, result: placed });
    t.strictSame(calls, called);
    t.match(outcome, expected);
    t.equal(Array.isArray(outcome) && outcome.length, expected.length);
  }
  const long = Array.from({ length: 16 }, () => order('x', false));
  t.strictSame((await gate.ask('POST', '/orders', { body: long })).calls, [long], 'too many');
  const list = [order('a', false)];
  t.strictSame((await gate.ask('POST', '/order', { body: list })).calls, [list], 'no list there');
  const [fault] = gate.faults.faults;
  t.equal(fault?.id, id);
  t.strictSame(
    fault?.hits.map(({ done }) => done),
    [
      'refused 2 of 4 orders, which are not post-only',
      'refused 1 of 1 orders, which are not post-only',
    ],
  );
});

t.test('an answer is held back after the handler, and so is a refusal', async (t) => {
  const gate = new Gate();
  const id = gate.add({ kind: 'slow_answer', seconds: 2.5 });
  const answer = await gate.ask('GET', '/book', { result: 'book' });
  t.strictSame([gate.steps, gate.waits], [['handler', 'wait'], [2_500]]);
  t.strictSame(answer, {
    outcome: 'book',
    headers: [['x-injected-fault', id]],
    calls: [undefined],
  });
  const error = new ApiError('order_not_found');
  t.equal((await gate.ask('GET', '/book', { result: error })).outcome, error);
  t.equal(gate.waits.length, 2);
});

t.test('an answer is lost only if something was changed', async (t) => {
  const failed = new ApiError('not_enough_cash');
  const rows: [route: ['POST' | 'DELETE' | 'GET', string], result: unknown, isLost: boolean][] = [
    [['POST', '/order'], { success: true }, true],
    [['POST', '/order'], failed, false],
    [['POST', '/orders'], [{ success: false }, { success: true }], true],
    [['POST', '/orders'], [{ success: false }], false],
    [['DELETE', '/order'], { canceled: ['0x1'], not_canceled: {} }, true],
    [['DELETE', '/order'], { canceled: [], not_canceled: {} }, false],
    [['DELETE', '/cancel-all'], { canceled: ['0x1'] }, true],
    [['GET', '/book'], {}, false],
    [['POST', '/sets/split'], {}, false],
  ];
  for (const [[method, path], result, isLost] of rows) {
    const gate = new Gate();
    gate.add({ kind: 'lost_acknowledgement' });
    const { outcome, calls } = await gate.ask(method, path, { result });
    t.equal(outcome instanceof ConnectionLost, isLost, `${method} ${path}`);
    if (!isLost) t.equal(outcome, result);
    t.equal(calls.length, 1);
    t.equal(gate.faults.faults[0]?.fired, isLost ? 1 : 0, 'only a lost answer counts');
  }
});

t.test('what a client sees of a lost answer', async (t) => {
  const rows: [answer: object, expected: (outcome: unknown) => boolean, waits: number[]][] = [
    [{}, (outcome) => outcome instanceof ConnectionLost, []],
    [
      { answer: 'timeout', timeout_seconds: 30 },
      (outcome) => outcome instanceof ConnectionLost,
      [30_000],
    ],
    [
      { answer: '500' },
      (outcome) => outcome instanceof ApiError && outcome.code === 'internal_error',
      [],
    ],
    [{ answer: '502' }, (outcome) => outcome instanceof RawReply && outcome.status === 502, []],
  ];
  for (const [answer, isExpected, waits] of rows) {
    const gate = new Gate();
    gate.add({ kind: 'lost_acknowledgement', ...answer });
    const told = await gate.ask('POST', '/order', { result: { success: true }, body: ORDER });
    t.ok(isExpected(told.outcome), JSON.stringify(answer));
    t.strictSame(gate.waits, waits);
  }
});

t.test('a path replaces the routes of a kind, except for faults of orders', async (t) => {
  const rows: [fault: object, path: string, fires: boolean][] = [
    [{ kind: 'too_early' }, '/sets/split', false],
    [{ kind: 'too_early', match: { path: '/sets/split' } }, '/sets/split', true],
    [{ kind: 'too_early', match: { path: '/sets/split' } }, '/order', false],
    [{ kind: 'restart', match: { path: '/sets/split' } }, '/sets/split', true],
    [{ kind: 'lost_acknowledgement', match: { path: '/sets/split' } }, '/sets/split', true],
    [{ kind: 'post_only', match: { path: '/orders' } }, '/order', false],
    [{ kind: 'post_only', match: { path: '/sets/split' } }, '/sets/split', false],
    [{ kind: 'unavailable' }, '/sets/split', true],
    [{ kind: 'unavailable', match: { owner: OWNER, method: 'POST' } }, '/order', true],
    [{ kind: 'unavailable', match: { owner: OWNER, method: 'GET' } }, '/order', false],
  ];
  for (const [fault, path, fires] of rows) {
    const gate = new Gate();
    gate.add(fault);
    await gate.ask('POST', path, { body: ORDER });
    t.equal(gate.faults.faults[0]?.fired, fires ? 1 : 0, `${JSON.stringify(fault)} on ${path}`);
  }
});

t.test('the routes of the kinds exist', async (t) => {
  for (const [isMember, names] of [
    [placesOrders, ['POST /order', 'POST /orders']],
    [writesOrders, ['DELETE /cancel-all', 'DELETE /cancel-market-orders', 'DELETE /order']],
    [isOrderRoute, ['GET /data/order/{id}', 'POST /heartbeats', 'POST /v1/heartbeats']],
  ] as const) {
    const found = ROUTES.filter(isMember).map(({ method, path }) => `${method} ${path}`);
    for (const name of names) t.ok(found.includes(name), name);
  }
  t.equal(ROUTES.filter(isOrderRoute).length, 13);
});
