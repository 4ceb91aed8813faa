import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import {
  ANY_BODY,
  BytesReply,
  NO_BODY,
  RawReply,
  type RouteDefinition,
} from '../../../http/api/route.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { createLog } from '../../../http/runtime/log.ts';
import { Server } from '../../../http/server/server.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import { bareParts, bareRoute } from '../bare-server.ts';
import { sendTo } from '../exchange-fixture.ts';

/** Lets a handler wait until the test says so. */
function makeGate() {
  let open: (value: string) => void = () => {};
  let entered: () => void = () => {};
  const opened = new Promise<string>((resolve) => {
    open = resolve;
  });
  const isEntered = new Promise<void>((resolve) => {
    entered = resolve;
  });
  return { opened, isEntered, entered: () => entered(), open: () => open('at last') };
}

const gate = makeGate();
const handled: unknown[] = [];

const ROUTES: readonly RouteDefinition<never>[] = [
  defineRoute({
    ...bareRoute,
    method: 'POST',
    path: '/echo',
    body: ANY_BODY,
    handler: ({ body }) => {
      handled.push(body);
      return { body: body ?? 'nothing' };
    },
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/echo',
    body: ANY_BODY,
    handler: async ({ body }) => ({ body: body ?? 'nothing' }),
  }),
  defineRoute({
    ...bareRoute,
    method: 'POST',
    path: '/small',
    body: ANY_BODY,
    bodyBytes: 10,
    handler: ({ body }) => body,
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/things/{id}',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 9, default: 5 }) }),
    body: NO_BODY,
    handler: ({ params, query, request }) => ({ ...params, ...query, id2: request.requestId }),
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/fails/{how}',
    params: Type.Object({ how: Type.String() }),
    body: NO_BODY,
    handler: ({ params }) => {
      if (params.how === 'later') return Promise.reject(new TypeError('a secret of ours'));
      if (params.how === 'nothing') return undefined;
      if (params.how === 'known') throw new ApiError('overloaded', { limit: 3 });
      throw new TypeError('a secret of ours');
    },
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/raw',
    body: NO_BODY,
    handler: () => new RawReply(207, Buffer.from('[1]')),
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/several',
    body: NO_BODY,
    status: 207,
    handler: () => [2],
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/page',
    body: NO_BODY,
    handler: () => new RawReply(200, '<p>', 'text/html', [['x-frame-options', 'DENY']]),
  }),
  defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/waits',
    body: NO_BODY,
    handler: () => {
      gate.entered();
      return gate.opened;
    },
  }),
];

async function startServer(t: Test, { open = true } = {}) {
  const server = new Server({ routes: ROUTES, cors: true, log: createLog('silent') });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  if (open) server.open(bareParts);
  const url = `http://127.0.0.1:${port}`;
  return { server, port, url, send: sendTo.bind(undefined, url) };
}

/** Writes raw bytes and gives all that comes back until the peer or the test closes. */
function rawSocket(t: Test, port: number): { socket: Socket; received: () => string } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => {
    text += data.toString();
  });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  return { socket, received: () => text };
}

/** Waits for data or the end of the connection. */
function nextOf(socket: Socket): Promise<unknown> {
  return Promise.race([once(socket, 'data'), once(socket, 'close')]);
}

t.test('every request gets a status and JSON, whatever is wrong with it', async (t) => {
  const { send } = await startServer(t);
  const json = { 'content-type': 'application/json' };
  const rows: [
    method: string,
    path: string,
    options: { body?: string; headers?: Record<string, string> },
    status: number,
    body: object | string,
  ][] = [
    ['POST', '/echo', { body: '{"a":1}' }, 200, { body: { a: 1 } }],
    ['POST', '/echo', { body: '', headers: json }, 200, { body: 'nothing' }],
    ['POST', '/echo', { headers: json }, 200, { body: 'nothing' }],
    ['POST', '/echo', { body: '{"a":' }, 400, { code: 'malformed_json', position: 5 }],
    ['POST', '/small', { body: '"12345678"' }, 200, '12345678'],
    ['POST', '/small', { body: '"123456789"' }, 413, { code: 'body_too_large', limit: 10 }],
    ['GET', '/things/a%20b?limit=9&more=1', {}, 200, { id: 'a b', limit: 9 }],
    ['GET', '/things/x?limit=10', {}, 400, { code: 'invalid_parameter', limit: '1..9' }],
    ['GET', '/clob/things/x', {}, 200, { id: 'x', limit: 5 }],
    ['GET', '/nowhere', {}, 404, { code: 'route_unknown', method: 'GET', path: '/nowhere' }],
    ['DELETE', '/echo', {}, 405, { code: 'method_not_allowed', allowed: ['POST', 'GET'] }],
    ['GET', '/fails/now', {}, 500, { error: 'internal_error', code: 'internal_error' }],
    ['GET', '/fails/later', {}, 500, { error: 'internal_error', code: 'internal_error' }],
    ['GET', '/fails/nothing', {}, 500, { code: 'internal_error' }],
    ['GET', '/fails/known', {}, 503, { code: 'overloaded', limit: 3 }],
    ['GET', '/raw', {}, 207, [1]],
    ['GET', '/several', {}, 207, [2]],
  ];
  for (const [method, path, options, status, body] of rows) {
    const answer = await send(method, path, options);
    t.equal(answer.status, status, `${method} ${path}`);
    t.match(answer.body, body, `${method} ${path}`);
    t.equal(answer.headers.get('content-type'), 'application/json');
    t.match(answer.headers.get('x-request-id'), /^[0-9a-f]{8}-[0-9a-z]+$/);
    t.notMatch(answer.text, /secret|stack|\.ts/, 'shows no internals');
    t.equal(answer.headers.has('retry-after'), status === 503);
    if (status === 405) t.equal(answer.headers.get('allow'), 'POST, GET');
    if (status === 500) t.equal(answer.body.requestId, answer.headers.get('x-request-id'));
  }
});

t.test('an answer may have a type and headers of its own', async (t) => {
  const { url } = await startServer(t);
  const { headers } = await fetch(`${url}/page`);
  t.equal(headers.get('content-type'), 'text/html');
  t.equal(headers.get('x-frame-options'), 'DENY');
});

t.test('the memory of a large answer is freed, and a slow reader gets all of it', async (t) => {
  const MEGABYTES = 8;
  const made: ArrayBuffer[] = [];
  const route = defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/large',
    body: NO_BODY,
    handler: () => {
      const bytes = new Uint8Array(MEGABYTES * 1e6).map((_, index) => 97 + (index % 23));
      made.push(bytes.buffer);
      return new BytesReply(200, { bytes, memory: [bytes.buffer] });
    },
  });
  const server = new Server({ routes: [route], cors: true, log: createLog('silent') });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  const isWhole = (text: string): boolean =>
    text.length === MEGABYTES * 1e6 &&
    [...Array(200).keys()].every((step) => {
      const index = step * 40_009 + (step % 3);
      return text.charCodeAt(index) === 97 + (index % 23);
    });
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
  while (server.replies.unreadBytes === 0) await sleep(1);
  t.equal(server.replies.unreadBytes, MEGABYTES * 1e6, 'it is kept for the slow reader');
  const [quick, head] = await Promise.all([
    fetch(`http://127.0.0.1:${port}/large`).then((answer) => answer.text()),
    fetch(`http://127.0.0.1:${port}/large`, { method: 'HEAD' }),
  ]);
  t.ok(isWhole(quick), 'a quick reader has all of it');
  t.equal(head.headers.get('content-length'), `${MEGABYTES * 1e6}`);
  let slow = '';
  for await (const part of socket.setEncoding('latin1')) {
    slow += String(part);
    if (slow.length - slow.indexOf('\r\n\r\n') - 4 >= MEGABYTES * 1e6) break;
  }
  t.ok(isWhole(slow.slice(slow.indexOf('\r\n\r\n') + 4)), 'a late reader has it');
  t.strictSame(
    made.map(({ byteLength }) => byteLength),
    [0, 0, 0],
    'none of the memory is left',
  );
});

// History: it listed all routes.
t.test('an unknown route is answered with the nearest ones', async (t) => {
  const { send } = await startServer(t);
  const { body } = await send('GET', '/nowhere');
  t.equal(body.error, 'there is no route GET /nowhere');
  t.strictSame(body.routes, []);
  const near = await send('GET', '/thing/7');
  t.ok(near.body.routes.includes('GET /things/{id}'));
  t.ok(near.body.routes.length <= 5);
});

t.test('an error repeats no more than the beginning of a long path or method', async (t) => {
  const { send } = await startServer(t);
  const path = `/nowhere/${'x'.repeat(14_000)}`;
  const { status, text, body } = await send('GET', path);
  t.equal(status, 404);
  const cut = `${path.slice(0, 128)}...`;
  t.match(body, { error: `there is no route GET ${cut}`, path: cut });
  t.ok(text.length < 1000);
  const thing = `/things/${'x'.repeat(14_000)}`;
  const other = await send('DELETE', thing);
  t.equal(other.status, 405);
  t.match(other.body, { path: `${thing.slice(0, 128)}...`, allowed: ['GET'] });
  const method = 'X'.repeat(200);
  t.match((await send(method, '/nowhere')).body, { method: `${method.slice(0, 128)}...` });
});

t.test('a GET may have a body, and HEAD has the head of a GET', async (t) => {
  const { port, send } = await startServer(t);
  const { socket, received } = rawSocket(t, port);
  socket.write('GET /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 7\r\n\r\n{"a":1}');
  while (!received().includes('"body":{"a":1}')) await once(socket, 'data');
  const head = await send('HEAD', '/raw');
  t.equal(head.text, '');
  t.equal(head.headers.get('content-length'), '3');
});

// The library leaves the answer to a HEAD open, so that nothing may come after it.
t.test('a connection ends with HEAD, and its answer says so', async (t) => {
  const { port } = await startServer(t);
  for (const [path, status] of [
    ['/raw', 207],
    ['/nowhere', 404],
  ] as const) {
    const { socket, received } = rawSocket(t, port);
    socket.write(`GET /raw HTTP/1.1\r\nhost: x\r\n\r\n`);
    while (!received().endsWith('[1]') && !socket.destroyed) await nextOf(socket);
    t.notMatch(received(), /^connection: close/im, 'a GET leaves it open');
    const before = received().length;
    socket.write(`HEAD ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    while (!received().slice(before).endsWith('\r\n\r\n') && !socket.destroyed) {
      await nextOf(socket);
    }
    const head = received().slice(before);
    t.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    t.match(head, /^connection: close\r$/im);
    t.equal(head.match(/^content-length: [1-9]/gim)?.length, 1, 'it has one length, of the body');
  }
});

t.test('web pages of any origin may call the server', async (t) => {
  const { send } = await startServer(t);
  const preflight = await send('OPTIONS', '/order');
  t.equal(preflight.status, 200);
  t.equal(preflight.headers.get('access-control-allow-origin'), '*');
  t.equal(preflight.headers.get('access-control-allow-methods'), 'GET, POST, PUT, DELETE, OPTIONS');
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
  const needed = ['content-type', 'x-request-id', 'SERVICE_ADDRESS', 'POLY_BUILDER_SIGNATURE'];
  for (const name of needed) t.ok(allowed.includes(name), name);
  t.equal((await send('GET', '/raw')).headers.get('access-control-allow-origin'), '*');
  t.equal((await send('GET', '/no')).headers.get('access-control-allow-origin'), '*');
});

t.test('one connection carries many requests, one after a body that was too large', async (t) => {
  const { port } = await startServer(t);
  const { socket, received } = rawSocket(t, port);
  const large = 'x'.repeat(100_000);
  const head = (path: string, length: number): string =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;
  socket.write(head('/small', large.length));
  for (let start = 0; start < large.length; start += 10_000) {
    socket.write(large.slice(start, start + 10_000));
    await sleep(1);
  }
  socket.write(`${head('/echo', 1)}1${head('/echo', 1)}2`);
  while (!received().includes('{"body":2}')) await once(socket, 'data');
  const statuses = received().match(/HTTP\/1\.1 \d+/g);
  t.strictSame(statuses, ['HTTP/1.1 413', 'HTTP/1.1 200', 'HTTP/1.1 200']);
});

t.test('a body arrives in any number of pieces, whole', async (t) => {
  const { port } = await startServer(t);
  const { socket, received } = rawSocket(t, port);
  const text = JSON.stringify({ text: 'é'.repeat(500) });
  const body = Buffer.from(text);
  socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`);
  for (let start = 0; start < body.length; start += 7) {
    socket.write(body.subarray(start, start + 7));
    if (start % 70 === 0) await sleep(1);
  }
  while (!received().includes('}}')) await once(socket, 'data');
  t.ok(received().includes(text), 'even if a piece ends within a character');
});

t.test('a request that is aborted in its body or before its answer does no harm', async (t) => {
  const { port, send } = await startServer(t);
  const before = handled.length;
  const cut = rawSocket(t, port);
  cut.socket.write('POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"a":');
  const waiting = rawSocket(t, port);
  waiting.socket.write('GET /waits HTTP/1.1\r\nhost: x\r\n\r\n');
  await gate.isEntered;
  cut.socket.destroy();
  waiting.socket.destroy();
  await Promise.all([once(cut.socket, 'close'), once(waiting.socket, 'close')]);
  t.equal((await send('GET', '/raw')).status, 207);
  gate.open();
  await gate.opened;
  t.equal((await send('GET', '/raw')).status, 207, 'the late answer went nowhere');
  t.equal(handled.length, before, 'half a body reached no handler');
});

t.test('the server is not ready before it is opened and while it closes', async (t) => {
  const { server, url, send } = await startServer(t, { open: false });
  const early = await send('GET', '/raw');
  t.equal(early.status, 425);
  t.match(early.body, { error: 'service not ready', code: 'service_not_ready' });
  t.equal(early.headers.get('retry-after'), '1');
  // A browser showed the JSON, and stayed there when the exchange was ready.
  const page = await fetch(url, { headers: { accept: 'text/html,*/*' } });
  t.match([page.status, page.headers.get('content-type')], [503, /^text\/html/]);
  t.match(await page.text(), /http-equiv="refresh" content="1"/);
  server.open(bareParts);
  t.equal((await send('GET', '/raw')).status, 207);
});

t.test('closing lets requests in flight finish and takes no others', async (t) => {
  const late = makeGate();
  const route = defineRoute({
    ...bareRoute,
    method: 'GET',
    path: '/late',
    body: NO_BODY,
    handler: () => {
      late.entered();
      return late.opened;
    },
  });
  const server = new Server({ routes: [route], cors: false, log: createLog('silent') });
  const port = await server.listen('127.0.0.1', 0);
  server.open(bareParts);
  const idle = rawSocket(t, port);
  await once(idle.socket, 'connect');
  const answer = sendTo(`http://127.0.0.1:${port}`, 'GET', '/late');
  await late.isEntered;
  let isClosed = false;
  const closed = server.close().then(() => {
    isClosed = true;
  });
  idle.socket.write('GET /late HTTP/1.1\r\nhost: localhost\r\n\r\n');
  while (!idle.received().includes('service_not_ready')) await once(idle.socket, 'data');
  t.equal(isClosed, false);
  await t.rejects(sendTo(`http://127.0.0.1:${port}`, 'GET', '/late'), 'no new connections');
  late.open();
  t.equal((await answer).body, 'at last');
  await closed;
});

t.test('a port that is taken is refused with a message that says what to do', async (t) => {
  const { port } = await startServer(t);
  const second = new Server({ routes: ROUTES, cors: true, log: createLog('silent') });
  t.teardown(() => second.close());
  await t.rejects(second.listen('127.0.0.1', port), /Cannot listen on 127\.0\.0\.1:\d+\..*Port 0/);
});

t.test('a long list in the query fits, a head that is too long does not', async (t) => {
  const { send } = await startServer(t);
  const ids = (count: number): string =>
    Array(count)
      .fill(`0x${'a'.repeat(64)}`)
      .join(',');
  t.equal((await send('GET', `/things/x?market=${ids(200)}`)).status, 200);
  const { url } = await startServer(t);
  const refused = await fetch(`${url}/things/x?market=${ids(300)}`);
  t.equal(refused.status, 431);
  await refused.text();
});
