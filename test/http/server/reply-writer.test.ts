// Clients that send requests and don't read: each is cut or bounded, and others are not affected.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { BytesReply, NO_BODY, RawReply } from '../../../http/api/route.ts';
import { createLog } from '../../../http/runtime/log.ts';
import type { ServerOptions } from '../../../http/server/options.ts';
import { Server } from '../../../http/server/server.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import { bareParts, bareRoute } from '../bare-server.ts';

const shared = {
  ...bareRoute,
  method: 'GET',
  body: NO_BODY,
} as const;

/** More than the buffers of a connection hold for a client that does not read. */
const LARGE_BYTES = 8_000_000;
/** More than they hold after half of it has been read. */
const HUGE_BYTES = 32_000_000;
/** A body that all its answers share. */
const DOCUMENT = new Uint8Array(LARGE_BYTES).fill(98);

async function startServer(t: Test, options: Partial<ServerOptions> = {}) {
  /** The buffers of the large answers. */
  const made: ArrayBuffer[] = [];
  const make = (byteLength: number): BytesReply => {
    const bytes = new Uint8Array(byteLength).fill(97);
    made.push(bytes.buffer);
    return new BytesReply(200, { bytes, memory: [bytes.buffer] });
  };
  let aborted = 0;
  let answered = 0;
  const routes = [
    defineRoute({ ...shared, path: '/small', handler: () => 'é'.repeat(100) }),
    defineRoute({ ...shared, path: '/large', handler: () => make(LARGE_BYTES) }),
    defineRoute({ ...shared, path: '/huge', handler: () => make(HUGE_BYTES) }),
    defineRoute({ ...shared, path: '/long', handler: () => 'é'.repeat(LARGE_BYTES / 2) }),
    defineRoute({ ...shared, path: '/document', handler: () => new RawReply(200, DOCUMENT) }),
  ];
  const nothing = () => {};
  const observer = {
    ...{ received: nothing, refused: nothing, limited: nothing, overloaded: nothing },
    answered: () => {
      answered += 1;
    },
    aborted: () => {
      aborted += 1;
    },
  };
  const server = new Server({ routes, cors: true, log: createLog('silent'), observer, ...options });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  return { server, port, made, aborted: () => aborted, answered: () => answered };
}

/** Waits until `isTrue`, for 5,000 tries a millisecond apart. */
async function soon(what: string, isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries += 1) {
    if (tries > 5_000) throw new Error(`timed out: ${what}`);
    await sleep(1);
  }
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
}
const TLS = { certFile: fileOf('server.pem'), keyFile: fileOf('server.key'), endMs: 0 };

/** A connection that reads nothing until it is resumed. */
async function connectUnread(t: Test, port: number, isTls = false): Promise<Socket> {
  const host = '127.0.0.1';
  const socket = isTls
    ? connectSecurely({ port, host, rejectUnauthorized: false })
    : connect(port, host);
  t.teardown(() => socket.destroy());
  socket.on('error', () => {}); // it is cut
  socket.pause();
  await once(socket, isTls ? 'secureConnect' : 'connect');
  return socket;
}

function requestOf(line: string, more = ''): string {
  return `${line} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;
}
const CHUNKED = 'transfer-encoding: chunked\r\n';

/** Requests, how many are sent at a time, and how many would overfill both sockets' buffers. */
const QUESTIONS: readonly (readonly [name: string, text: string, step: number, most: number])[] = [
  ['small answers', requestOf('GET /small'), 100, 400_000],
  ['large answers', requestOf('GET /large'), 1, 100],
  ['long texts', requestOf('GET /long'), 1, 100],
  ['unknown routes', requestOf('GET /nowhere'), 100, 400_000],
  ['preflights', requestOf('OPTIONS /small'), 100, 400_000],
  ['heads', requestOf('HEAD /small'), 1, 100],
  ['large answers, in chunks', `${requestOf('GET /large', CHUNKED)}0\r\n\r\n`, 1, 100],
  ['ambiguous requests', requestOf('POST /small', 'content-length: \r\n'), 1, 100],
];

/** Repeats a request until the connection is cut; returns how often, or Infinity if never. */
async function askUntilCut(
  socket: Socket,
  [, text, step, most]: (typeof QUESTIONS)[number],
  { server, answered }: Awaited<ReturnType<typeof startServer>>,
): Promise<number> {
  await soon('the server has the connection', () => server.connections.open === 1);
  // A socket that does not read does not notice its end either.
  const isCut = () => server.connections.open === 0;
  for (let count = 0; count < most; count += step) {
    socket.write(text.repeat(step));
    while (answered() < count + step && !isCut()) await nextTurn();
    if (isCut()) return count;
  }
  return Number.POSITIVE_INFINITY;
}

for (const tls of [undefined, TLS]) {
  for (const question of QUESTIONS) {
    t.test(`who never reads ${question[0]}${tls ? ' over TLS' : ''} is disconnected`, async (t) => {
      const started = await startServer(t, tls && { tls });
      const { server, port } = started;
      const socket = await connectUnread(t, port, tls !== undefined);
      const asked = await askUntilCut(socket, question, started);
      t.ok(asked > 0 && Number.isFinite(asked), `cut after ${asked}`);
      t.equal(server.replies.unreadBytes, 0, 'nothing is kept for it');
      t.equal(server.replies.cutCount, 0, 'no client was cut to make room');
    });
  }
}

function bodyIn(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
}

/** Reads until `bodyBytes` of a body have arrived, or the connection ends. */
async function readOn(
  socket: Socket,
  bodyBytes: number,
  before: Buffer = Buffer.alloc(0),
): Promise<Buffer> {
  const parts = [before];
  let bytes = before.length;
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    parts.push(part);
    bytes += part.length;
    if (bytes > bodyBytes && bodyIn(Buffer.concat(parts)).length >= bodyBytes) break;
  }
  return Buffer.concat(parts);
}

for (const tls of [undefined, TLS]) {
  t.test(`a late reader gets every byte${tls ? ', over TLS too' : ''}`, async (t) => {
    const { server, port } = await startServer(t, { unreadBytes: 1, ...(tls && { tls }) });
    const text = JSON.stringify('é'.repeat(LARGE_BYTES / 2));
    for (const more of ['', CHUNKED]) {
      const socket = await connectUnread(t, port, tls !== undefined);
      // Twice on one connection, if more than one answer fits it.
      for (let count = 0; count < (more === '' ? 2 : 1); count += 1) {
        socket.write(requestOf('GET /long', more) + (more === '' ? '' : '0\r\n\r\n'));
        await soon('the answer waits', () => server.replies.unreadBytes > 0);
        t.ok(bodyIn(await readOn(socket, LARGE_BYTES + 2)).toString() === text);
      }
      t.equal(server.replies.unreadBytes, 0);
    }
    t.equal(server.replies.cutCount, 0, 'a single large answer is not cut');
  });
}

t.test('a connection ends by itself after its last answer', async (t) => {
  const { server, port, aborted } = await startServer(t);
  for (const text of [
    requestOf('HEAD /small'),
    requestOf('HEAD /small', 'connection: close\r\n'),
    requestOf('POST /small', 'content-length: \r\n'),
    `${requestOf('GET /small', CHUNKED)}0\r\n\r\n`,
  ]) {
    const socket = await connectUnread(t, port);
    socket.write(text);
    let received = '';
    for await (const part of socket.setEncoding('latin1')) received += String(part);
    t.match(received, /^HTTP\/1\.1 [24]00/);
    t.match(received, /^connection: close\r$/m);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
    t.ok(length > 50, `${length}`);
    t.equal(body.length, text.startsWith('HEAD') ? 0 : length);
  }
  await soon('no connection is open', () => server.connections.open === 0);
  t.equal(aborted(), 0, 'all of them were answered');
});

t.test('of many clients that do not read, the slowest is disconnected', async (t) => {
  const { server, port, made, aborted } = await startServer(t, { unreadBytes: 2.5 * HUGE_BYTES });
  const { replies } = server;
  const ask = async (count: number): Promise<Socket> => {
    const socket = await connectUnread(t, port);
    socket.write(requestOf('GET /huge'));
    await soon(
      'one more waits',
      () => replies.unreadBytes / HUGE_BYTES + replies.cutCount >= count,
    );
    return socket;
  };
  const [slow, idle] = [await ask(1), await ask(2)];
  const begun = await readOn(slow, HUGE_BYTES / 2);
  t.equal(replies.unreadBytes, 2 * HUGE_BYTES, 'both still wait');
  const last = await ask(3);
  t.strictSame([replies.cutCount, aborted(), replies.unreadBytes], [1, 1, 2 * HUGE_BYTES]);
  t.strictSame(
    made.map(({ byteLength }) => byteLength),
    [HUGE_BYTES, 0, HUGE_BYTES],
    'the memory of the cut answer is freed',
  );
  const [whole, cut, other] = await Promise.all([
    readOn(slow, HUGE_BYTES, begun),
    readOn(idle, HUGE_BYTES),
    readOn(last, HUGE_BYTES),
  ]);
  t.strictSame([bodyIn(whole).length, bodyIn(other).length], [HUGE_BYTES, HUGE_BYTES]);
  t.ok(bodyIn(cut).length < HUGE_BYTES, 'the slowest was cut');
  t.equal(replies.unreadBytes, 0);
});

t.test('a shared body counts once', async (t) => {
  const { server, port } = await startServer(t);
  const sockets: Socket[] = [];
  for (let count = 0; count < 3; count += 1) {
    const socket = await connectUnread(t, port);
    socket.write(requestOf('GET /document'));
    sockets.push(socket);
    await soon('it waits', () => server.replies.unreadBytes === LARGE_BYTES);
  }
  await sleep(20); // until the others wait too
  t.equal(server.replies.unreadBytes, LARGE_BYTES);
  for (const socket of sockets.slice(1)) socket.destroy();
  await soon('the others are gone', () => server.connections.open === 1);
  t.equal(server.replies.unreadBytes, LARGE_BYTES, 'one still waits');
  const [first] = sockets;
  t.equal(first && bodyIn(await readOn(first, LARGE_BYTES)).length, LARGE_BYTES);
  t.equal(server.replies.unreadBytes, 0);
});

t.test('a client that leaves early is counted as aborted, and nothing is kept', async (t) => {
  const { server, port, made, aborted } = await startServer(t);
  const socket = await connectUnread(t, port);
  socket.write(requestOf('GET /large'));
  await soon('the answer waits', () => server.replies.unreadBytes > 0);
  t.equal(aborted(), 0);
  socket.destroy();
  await soon('nothing waits', () => server.replies.unreadBytes === 0);
  t.strictSame([aborted(), made[0]?.byteLength], [1, 0]);
});

t.test('a closing listener waits for clients that still read', async (t) => {
  const { server, port } = await startServer(t);
  const socket = await connectUnread(t, port);
  socket.write(requestOf('GET /large'));
  await soon('the answer waits', () => server.replies.unreadBytes > 0);
  let isClosed = false;
  const closed = server.close().then(() => {
    isClosed = true;
  });
  await nextTurn();
  t.equal(isClosed, false);
  t.equal(bodyIn(await readOn(socket, LARGE_BYTES)).length, LARGE_BYTES);
  await closed;
});
