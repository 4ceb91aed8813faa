// A real listener: which requests count for limits, and the answers to clients.
import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import {
  DEFAULT_RULES,
  type LimitRow,
  type LimitRules,
} from '../../../http/admission/limit-table.ts';
import { ANY_BODY, type RouteDefinition } from '../../../http/api/route.ts';
import { createLog } from '../../../http/runtime/log.ts';
import type { ServerOptions } from '../../../http/server/options.ts';
import { Server } from '../../../http/server/server.ts';
import { bareParts } from '../bare-server.ts';
import { type Answer, sendTo } from '../exchange-fixture.ts';
import { limitsWith, onlyTight, routeAt } from './limits-fixture.ts';

/** A route for everything that a row names, and one for each group that rows count as a whole. */
const ROUTES: readonly RouteDefinition<never>[] = [
  ...new Set([
    ...DEFAULT_RULES.rows.flatMap(({ routes }) => (routes === 'all' ? [] : routes)),
    ...['GET /series', 'GET /value', 'GET /time'],
  ]),
].map(routeAt);

function counting(rules: LimitRules): LimitRules {
  return { ...rules, countsLoopback: true };
}

async function startLimited(t: Test, rules: LimitRules, options: Partial<ServerOptions> = {}) {
  const { limits, clock } = limitsWith(rules);
  const log = createLog('silent');
  const server = new Server({ routes: ROUTES, cors: true, log, admission: limits, ...options });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  const send = (route: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const [method = '', path = ''] = route.split(' ');
    return sendTo(`http://127.0.0.1:${port}`, method, path, { headers });
  };
  return { limits, clock, port, send };
}

/** Limit, remaining and reset as the answer has them; null where it has none. */
function figures({ headers }: Answer): readonly (string | null)[] {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
}

/** The requests that a row counts: one for each of its routes. */
function requestsOf({ group, routes }: LimitRow): readonly string[] {
  if (group === 'failures' || group === 'networks') return [];
  const anyOf = { catalog: 'GET /series', analytics: 'GET /value', order_book: 'GET /time' };
  const named = routes === 'all' ? [anyOf[group]] : routes;
  return named.map((route) => {
    const path = route.replaceAll(/\{\w+\}/g, 'x');
    return group === 'order_book' && path === 'GET /markets' ? `${path}?next_cursor=` : path;
  });
}

t.test('each row counts its routes together, under any prefix, in a sliding window', async (t) => {
  for (const row of DEFAULT_RULES.rows) {
    const [first = '', ...others] = requestsOf(row);
    if (first === '') continue;
    const { clock, send } = await startLimited(t, counting(onlyTight({ [row.name]: 3 })));
    const prefix = row.group === 'order_book' ? '/clob' : '/gamma';
    const prefixed = first.replace(' /', ` ${prefix}/`);
    const asked = [first, prefixed, others[0] ?? first];
    const answers: Answer[] = [];
    for (const route of asked) answers.push(await send(route));
    const statuses = answers.map(({ status }) => status);
    t.strictSame(statuses, [200, 200, 200], row.name);
    t.strictSame(
      answers.map(figures).map((one) => one.slice(0, 2)),
      [
        ['3', '2'],
        ['3', '1'],
        ['3', '0'],
      ],
    );
    for (const route of [...asked, ...others]) {
      const refused = await send(route);
      t.equal(refused.status, 429, `${row.name}: ${route}`);
      const code = route.includes('/v2/') ? 'rate_limited' : 'too_many_requests';
      t.match(refused.body, { code, scope: row.scope });
    }
    clock.ms = row.windowMs + row.windowMs / 10;
    t.equal((await send(first)).status, 200, 'again when the window is over');
  }
});

t.test('a refusal says what is full and how long to wait, in headers and in text', async (t) => {
  const { clock, send } = await startLimited(t, counting(onlyTight({ book: 1 })));
  t.strictSame(figures(await send('GET /book')), ['1', '0', '11']);
  clock.ms = 2_500;
  const refused = await send('GET /book');
  t.equal(refused.status, 429);
  t.strictSame(refused.body, {
    error: 'Too Many Requests',
    code: 'too_many_requests',
    limit: 1,
    windowSeconds: 10,
    scope: 'GET /book',
    row: 'book',
    retryAfterSeconds: 9,
  });
  t.equal(refused.headers.get('retry-after'), '9');
  t.strictSame(figures(refused), ['1', '0', '9']);
  t.equal(refused.headers.get('access-control-expose-headers'), '*', 'in browsers too');
  const { body } = await send('GET /book', { POLY_ADDRESS: '0x1' });
  t.equal(body.error, 'Too Many Requests', 'the same text for every kind of client');
  clock.ms = 11_500;
  t.equal((await send('GET /book')).status, 200, 'after the wait it fits');
});

t.test('HEAD and unknown routes count, a preflight does not', async (t) => {
  const { send } = await startLimited(t, counting(onlyTight({ root: 2, 'order-book': 5 })));
  for (let count = 0; count < 20; count++) t.equal((await send('OPTIONS /')).status, 200);
  t.equal((await send('HEAD /')).headers.get('x-ratelimit-remaining'), '1');
  t.equal((await send('GET /')).status, 200);
  const head = await send('HEAD /');
  t.equal(head.status, 429);
  t.equal(head.headers.get('retry-after'), '11');
  for (const route of ['GET /nowhere', 'DELETE /', 'GET /clob/nowhere']) {
    const lost = await send(route);
    t.ok(lost.status === 404 || lost.status === 405, route);
    t.equal(lost.headers.get('x-ratelimit-limit'), '5');
  }
  t.equal((await send('GET /nowhere')).status, 429, 'unknown routes are limited too');
  t.equal((await send('GET /gamma/nowhere')).status, 404, 'each group separately');
});

t.test('a refusal does not wait for the body', async (t) => {
  const reading = { ...routeAt('POST /books'), body: ANY_BODY };
  const others = ROUTES.filter(({ path }) => path !== '/books');
  const routes = { routes: [...others, reading] };
  const { port } = await startLimited(t, counting(onlyTight({ books: 1 })), routes);
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  const until = async (text: string): Promise<void> => {
    while (!received.includes(text)) await once(socket, 'data');
    received = received.slice(received.indexOf(text) + text.length);
  };
  const body = '"0123456789"';
  const head = `POST /books HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body);
  await until('HTTP/1.1 200');
  socket.write(head + body.slice(0, 5));
  await until('HTTP/1.1 429');
  socket.write(`${body.slice(5)}GET /time HTTP/1.1\r\nhost: x\r\n\r\n`);
  await until('HTTP/1.1 200');
  t.pass('and the connection is still usable');
});

t.test('behind a trusted proxy each client counts by an address it cannot forge', async (t) => {
  const rules = onlyTight({ root: 1 });
  const direct = await startLimited(t, counting(rules));
  const claim = { 'x-forwarded-for': '203.0.113.7' };
  t.equal((await direct.send('GET /')).status, 200);
  t.equal((await direct.send('GET /', claim)).status, 429, 'without a proxy the header is ignored');
  const proxied = await startLimited(t, rules, { trustedProxies: ['127.0.0.1'] });
  t.equal((await proxied.send('GET /', claim)).status, 200);
  t.equal((await proxied.send('GET /', claim)).status, 429);
  const forged = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
  t.equal((await proxied.send('GET /', forged)).status, 429, 'only the last address counts');
  const other = { 'x-forwarded-for': '203.0.113.8' };
  t.equal((await proxied.send('GET /', other)).status, 200);
  const exempt = await proxied.send('GET /');
  t.equal(exempt.status, 200, 'the proxy itself is this machine');
  t.strictSame(figures(exempt), [null, null, null]);
});

t.test('without limits nothing is counted and no header sent', async (t) => {
  const server = new Server({ routes: ROUTES, cors: true, log: createLog('silent') });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  for (let count = 0; count < 60; count++) {
    const answer = await sendTo(`http://127.0.0.1:${port}`, 'GET', '/');
    t.equal(answer.status, 200);
    t.strictSame(figures(answer), [null, null, null]);
  }
});
