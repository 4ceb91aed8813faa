// Clients that ask and don't read: each is cut or kept small, and nobody else is disturbed.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import { createLog } from '../../http/log.ts';
import { BytesReply, defineRoute, NO_BODY, NO_PARAMETERS } from '../../http/route.ts';
import { Server, type ServerOptions } from '../../http/server.ts';
import type { Services } from '../../http/services.ts';
import { DEFAULT_SETTINGS } from '../../http/settings.ts';

const shared = {
  summary: 'A route of this test',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  response: Type.Any(),
  method: 'GET',
  body: NO_BODY,
} as const;

const LARGE_BYTES = 8_000_000;

const startServer = async (t: Test, options: Partial<ServerOptions> = {}) => {
  /** Of each large answer. */
  const made: ArrayBuffer[] = [];
  let aborted = 0;
  let answered = 0;
  const routes = [
    defineRoute({ ...shared, path: '/small', handler: () => 'é'.repeat(100) }),
    defineRoute({
      ...shared,
      path: '/large',
      handler: () => {
        const bytes = new Uint8Array(LARGE_BYTES).fill(97);
        made.push(bytes.buffer);
        return new BytesReply(200, { bytes, memory: [bytes.buffer] });
      },
    }),
    defineRoute({ ...shared, path: '/long', handler: () => 'é'.repeat(LARGE_BYTES / 2) }),
  ];
  const nothing = () => {};
  const observer = {
    ...{ received: nothing, limited: nothing, overloaded: nothing },
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
  // Safe: the routes of this test use no service, and a listener without keys only the clock.
  server.open({ settings: DEFAULT_SETTINGS, now: () => 1 } as unknown as Services);
  return { server, port, made, aborted: () => aborted, answered: () => answered };
};

/** A connection of which nothing is read until it is resumed. */
const connectUnread = (t: Test, port: number, isTls = false): Socket => {
  const host = '127.0.0.1';
  const socket = isTls
    ? connectSecurely({ port, host, rejectUnauthorized: false })
    : connect(port, host);
  t.teardown(() => socket.destroy());
  socket.on('error', () => {}); // it is cut
  return socket.pause();
};

const requestOf = (line: string): string => `${line} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Questions, how many are sent at a time, and how many would fill what two sockets hold. */
const QUESTIONS = [
  ['GET /small', 100, 400_000],
  ['GET /large', 1, 100],
  ['GET /nowhere', 100, 400_000],
  ['HEAD /small', 100, 400_000],
  ['OPTIONS /small', 100, 400_000],
] as const;

/** Sends it again and again until the connection is cut; says how often, or that it never was. */
const askUntilCut = async (
  socket: Socket,
  [line, step, most]: (typeof QUESTIONS)[number],
  { server, answered }: Awaited<ReturnType<typeof startServer>>,
): Promise<number> => {
  const request = requestOf(line);
  // A socket that does not read does not hear of its end either.
  const isCut = () => server.sockets === 0;
  for (let count = 0; count < most; count += step) {
    socket.write(request.repeat(step));
    while (answered() < count + step && !isCut()) await nextTurn();
    if (isCut()) return count;
  }
  return Number.POSITIVE_INFINITY;
};

const fileOf = (name: string): string => fileURLToPath(new URL(`./tls/${name}`, import.meta.url));
const TLS = { certFile: fileOf('server.pem'), keyFile: fileOf('server.key') };

for (const tls of [undefined, TLS]) {
  for (const question of QUESTIONS) {
    t.test(`${question[0]}${tls ? ' over TLS' : ''}: who never reads is cut`, async (t) => {
      const started = await startServer(t, tls && { tls });
      const { server, port } = started;
      const socket = connectUnread(t, port, tls !== undefined);
      await once(socket, tls === undefined ? 'connect' : 'secureConnect');
      const asked = await askUntilCut(socket, question, started);
      t.ok(Number.isFinite(asked), `cut after ${asked}`);
      t.equal(server.replies.unreadBytes, 0, 'nothing is kept for it');
      t.equal(server.replies.cutCount, 0, 'nobody had to make room');
    });
  }
}

/** All that comes until so many bytes of a body are there, or the connection ends. */
const readOn = async (socket: Socket, bodyBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of socket) {
    parts.push(part);
    bytes += part.length;
    if (bytes > bodyBytes && bytes - Buffer.concat(parts).indexOf('\r\n\r\n') - 4 >= bodyBytes)
      break;
  }
  const all = Buffer.concat(parts);
  return all.subarray(all.indexOf('\r\n\r\n') + 4);
};

const firstOf = async (socket: Socket): Promise<string> => {
  for await (const part of socket) return String(part);
  return '';
};

t.test('of many who do not read, those that waited longest make room', async (t) => {
  const { server, port, made, aborted } = await startServer(t, { unreadBytes: 2.5 * LARGE_BYTES });
  const { replies } = server;
  const sockets: Socket[] = [];
  for (let count = 1; count <= 4; count += 1) {
    const socket = connectUnread(t, port);
    socket.write(requestOf('GET /large'));
    sockets.push(socket);
    while (replies.unreadBytes + replies.cutCount * LARGE_BYTES < count * LARGE_BYTES)
      await sleep(1);
    t.ok(replies.unreadBytes <= 2 * LARGE_BYTES, `${count}: ${replies.unreadBytes} wait`);
  }
  t.equal(replies.cutCount, 2);
  t.equal(aborted(), 2);
  t.strictSame(
    made.map(({ byteLength }) => byteLength),
    [0, 0, LARGE_BYTES, LARGE_BYTES],
    'what is not sent any more is given back',
  );
  const bodies = await Promise.all(sockets.map((socket) => readOn(socket, LARGE_BYTES)));
  const [first, second, ...rest] = bodies.map((body) => body.length);
  t.ok((first ?? 0) < LARGE_BYTES && (second ?? 0) < LARGE_BYTES, 'the first two were cut');
  t.strictSame(rest, [LARGE_BYTES, LARGE_BYTES], 'the others have it all');
  t.equal(replies.unreadBytes, 0);
});

t.test('an answer beyond the bound is not cut for itself', async (t) => {
  const { server, port } = await startServer(t, { unreadBytes: 1 });
  const socket = connectUnread(t, port);
  socket.write(requestOf('GET /long'));
  while (server.replies.unreadBytes === 0) await sleep(1);
  const body = await readOn(socket, LARGE_BYTES + 2);
  t.equal(body.toString(), JSON.stringify('é'.repeat(LARGE_BYTES / 2)), 'not a byte is lost');
  t.equal(server.replies.cutCount, 0);
});

t.test('who goes away before all of it was taken was aborted, and nothing is kept', async (t) => {
  const { server, port, made, aborted } = await startServer(t);
  const socket = connectUnread(t, port);
  socket.write(requestOf('GET /large'));
  while (server.replies.unreadBytes === 0) await sleep(1);
  t.equal(aborted(), 0);
  socket.destroy();
  while (server.replies.unreadBytes > 0) await sleep(1);
  t.strictSame([aborted(), made[0]?.byteLength], [1, 0]);
  const head = connectUnread(t, port);
  head.write(requestOf('HEAD /small'));
  t.match(await firstOf(head), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n/);
  head.destroy();
  while (server.sockets > 0) await sleep(1);
  t.equal(aborted(), 1, 'a HEAD that was answered is not');
});
