// The hooks that a listener calls for each request: limits, metrics, log.
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import { NO_BODY } from '../../../http/api/route.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import type { LogLevel } from '../../../http/runtime/log.ts';
import { createLog } from '../../../http/runtime/log.ts';
import type { ServerOptions } from '../../../http/server/options.ts';
import { Server } from '../../../http/server/server.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { bareParts, bareRoute } from '../bare-server.ts';
import { type SendOptions, sendTo } from '../exchange-fixture.ts';

const shared = { ...bareRoute, method: 'GET', body: NO_BODY } as const;

/** Each function lets one waiting request end. */
const release: (() => void)[] = [];

const ROUTES = [
  defineRoute({
    ...shared,
    path: '/things/{id}',
    params: Type.Object({ id: Type.String() }),
    handler: ({ params }) => params,
  }),
  defineRoute({
    ...shared,
    path: '/probe',
    whenStarting: () => 'starting',
    handler: ({ request }) => (request.isStopping ? 'stopping' : 'open'),
  }),
  defineRoute({
    ...shared,
    path: '/waits',
    handler: () => new Promise((resolve) => release.push(() => resolve('at last'))),
  }),
  defineRoute({
    ...shared,
    path: '/refuses',
    handler: () => {
      throw new ApiError('overloaded');
    },
  }),
  defineRoute({
    ...shared,
    path: '/breaks',
    handler: () => {
      throw new TypeError('a mistake');
    },
  }),
];

async function startServer(t: Test, options: Partial<ServerOptions>) {
  const log = createLog('silent');
  const server = new Server({ routes: ROUTES, cors: false, log, ...options });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  const send = (path: string, options?: SendOptions) =>
    sendTo(`http://127.0.0.1:${port}`, 'GET', path, options);
  return { server, port, send };
}

/** A log whose lines can be read. */
function keptLog(t: Test, level: LogLevel) {
  const path = join(temporaryFolder(t), 'log');
  const fd = openSync(path, 'w');
  t.teardown(() => closeSync(fd));
  const lines = (): Record<string, unknown>[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { log: createLog(level, fd), lines };
}

t.test(
  'probes are answered in every state, other routes only when the server is open',
  async (t) => {
    const { server, port, send } = await startServer(t, {});
    t.equal((await send('/probe')).body, 'starting');
    for (const path of ['/refuses', '/nowhere']) t.equal((await send(path)).status, 425, path);
    server.open(bareParts);
    t.equal((await send('/probe')).body, 'open');
    const kept = connect(port, '127.0.0.1');
    const waiting = connect(port, '127.0.0.1');
    t.teardown(() => [kept, waiting].map((socket) => socket.destroy()));
    kept.write('GET /probe HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(kept, 'data');
    waiting.write('GET /waits HTTP/1.1\r\nhost: localhost\r\n\r\n');
    while (server.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = server.close();
    kept.write('GET /probe HTTP/1.1\r\nhost: localhost\r\n\r\n');
    let text = '';
    kept.on('data', (data) => {
      text += data.toString();
    });
    while (!text.includes('"stopping"')) await once(kept, 'data');
    t.match(text, /^HTTP\/1\.1 200/);
    release.pop()?.();
    await closed;
  },
);

t.test('requests other than probes are refused while too many are pending', async (t) => {
  const { server, port, send } = await startServer(t, { pendingLimit: 1 });
  server.open(bareParts);
  const waiting = connect(port, '127.0.0.1');
  t.teardown(() => waiting.destroy());
  waiting.write('GET /waits HTTP/1.1\r\nhost: localhost\r\n\r\n');
  while (server.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  const refused = await send('/things/7');
  t.equal(refused.status, 503);
  t.match(refused.body, { code: 'overloaded' });
  t.equal((await send('/probe')).body, 'open');
  release.pop()?.();
  await once(waiting, 'data');
  t.equal((await send('/things/7')).status, 200);
});

t.test('limits count the address that a trusted proxy names', async (t) => {
  const addresses: string[] = [];
  const admission = {
    admit: ({ address }: { address: string }) => {
      addresses.push(address);
      return [['x-ratelimit-limit', '7']] as const;
    },
    check: () => {},
    admitAttempt: () => {},
    countFailure: () => {},
  };
  const ask = async (trustedProxies: readonly string[], lines: readonly string[]) => {
    const { server, port } = await startServer(t, { admission, trustedProxies });
    server.open(bareParts);
    const socket = connect(port, '127.0.0.1');
    socket.write(['GET /probe HTTP/1.1', 'host: x', ...lines, '', ''].join('\r\n'));
    const [answer] = await once(socket, 'data');
    t.match(String(answer), /^x-ratelimit-limit: 7\r$/m);
    socket.destroy();
    return addresses.pop();
  };
  const forged = 'X-Forwarded-For: 6.6.6.6';
  t.equal(await ask([], [forged]), '127.0.0.1', 'no proxy is trusted');
  t.equal(await ask(['127.0.0.1'], ['X-Forwarded-For: 6.6.6.6, 1.2.3.4']), '1.2.3.4');
  // Once only the first line was read: the client's own, if the proxy adds a second one.
  t.equal(await ask(['127.0.0.1'], [forged, 'x-forwarded-for: 1.2.3.4']), '1.2.3.4');
});

t.test('an observer gets every request, by route and never by path', async (t) => {
  const told: unknown[] = [];
  const observer = {
    received: (ms: number) => told.push(['received', ms >= 0]),
    answered: (route: { path: string } | undefined, status: number, ms: number) =>
      told.push([route?.path, status, ms >= 0]),
    refused: (code: string) => told.push(code),
    limited: () => {},
    overloaded: () => {},
    aborted: () => told.push('aborted'),
  };
  const { server, port, send } = await startServer(t, { observer });
  await send('/things/7');
  server.open(bareParts);
  for (const path of ['/things/7', '/clob/things/8', '/nowhere', '/refuses', '/breaks']) {
    await send(path);
  }
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /waits HTTP/1.1\r\nhost: localhost\r\n\r\n');
  while (server.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  while (told.at(-1) !== 'aborted') await new Promise((resolve) => setImmediate(resolve));
  release.pop()?.();
  const received = ['received', true];
  t.strictSame(told, [
    ...['service_not_ready', [undefined, 425, true]],
    ...[received, ['/things/{id}', 200, true]],
    ...[received, ['/things/{id}', 200, true]],
    ...['route_unknown', [undefined, 404, true]],
    ...[received, 'overloaded', ['/refuses', 503, true]],
    ...[received, 'internal_error', ['/breaks', 500, true]],
    ...[received, 'aborted'],
  ]);
});

t.test('a request has the id that its client gives it, if that is well formed', async (t) => {
  const { server, send } = await startServer(t, {});
  server.open(bareParts);
  const idOf = async (id: string) =>
    (await send('/breaks', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
  for (const id of ['a', 'A.b_c-1', 'x'.repeat(64)]) t.equal(await idOf(id), id);
  const own = /^[0-9a-f]{8}-[0-9a-z]+$/;
  for (const id of ['', 'two words', 'x'.repeat(65), 'a"b', 'é']) t.match(await idOf(id), own, id);
  const { body } = await send('/breaks', { headers: { 'x-request-id': 'mine' } });
  t.match(body, { code: 'internal_error', requestId: 'mine' });
});

t.test('at level debug each request is logged, with its id and without its query', async (t) => {
  const { log, lines } = keptLog(t, 'debug');
  const { server, send } = await startServer(t, { log });
  server.open(bareParts);
  await send('/things/7?key=hush', { headers: { 'x-request-id': 'one' } });
  await send('/refuses');
  await send(`/nowhere/${'x'.repeat(1_000)}`);
  await send('/breaks', { headers: { 'x-request-id': 'four' } });
  const shared = { level: 20, method: 'GET', durationMs: Number, msg: 'a request' };
  t.match(lines(), [
    { ...shared, path: '/things/7', status: 200, requestId: 'one' },
    { ...shared, path: '/refuses', status: 503, code: 'overloaded', requestId: /^\w+-\w+$/ },
    { ...shared, path: /^\/nowhere\/x{119}\.\.\.$/, status: 404, code: 'route_unknown' },
    { level: 50, path: '/breaks', requestId: 'four', err: { message: 'a mistake', stack: String } },
    { ...shared, path: '/breaks', status: 500, code: 'internal_error', requestId: 'four' },
  ]);
  t.equal(lines().length, 5);
  t.notHas(lines()[0], { code: String }, 'a success has no code');
  t.notMatch(JSON.stringify(lines()), 'hush');
});

t.test('above level debug only failures are logged', async (t) => {
  const { log, lines } = keptLog(t, 'info');
  const { server, send } = await startServer(t, { log });
  server.open(bareParts);
  for (const path of ['/things/7', '/nowhere', '/refuses', '/breaks']) await send(path);
  t.match(lines(), [{ level: 50, path: '/breaks', method: 'GET' }]);
  t.equal(lines().length, 1);
});
