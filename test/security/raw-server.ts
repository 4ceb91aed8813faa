// A listener that counts the requests it accepts, and a client that sends raw bytes, which a client
// library would not send.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';
import { ANY_BODY, NO_BODY } from '../../http/api/route.ts';
import { createLog } from '../../http/runtime/log.ts';
import { Server } from '../../http/server/server.ts';
import { defineRoute } from '../../http/services/define-route.ts';
import { bareParts, bareRoute } from '../http/bare-server.ts';

/** What a socket has received so far, and whether it was closed. */
export interface Wire {
  readonly socket: Socket;
  readonly received: () => string;
  readonly isClosed: () => boolean;
}

/** Sends some bytes over a new connection, which ends with the test. */
export function sendRaw(t: Pick<Test, 'teardown'>, port: number, bytes: string): Wire {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (data) => {
    text += String(data);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  t.teardown(() => socket.destroy());
  socket.write(Buffer.from(bytes, 'latin1'));
  return { socket, received: () => text, isClosed: () => isClosed };
}

/** Waits for the next bytes or the end of the connection, which a reset announces. */
export function nextOf(socket: Socket): Promise<unknown> {
  const stop = new AbortController();
  const { signal } = stop;
  const either = [once(socket, 'data', { signal }), once(socket, 'close', { signal })];
  for (const one of either) one.catch(() => {});
  return Promise.race(either)
    .catch(() => {})
    .finally(() => stop.abort());
}

/** The statuses of all answers in what was received. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

export interface RawServer {
  readonly port: number;
  /** Each request that reached a handler, in order: its path and what its body said. */
  readonly handled: string[];
}

/** POST /first takes any body. GET /second must never be reached by a smuggled request. */
export async function startRawServer(t: Pick<Test, 'teardown'>): Promise<RawServer> {
  const handled: string[] = [];
  const routes = [
    defineRoute({
      ...bareRoute,
      method: 'POST',
      path: '/first',
      body: ANY_BODY,
      handler: ({ body }) => {
        handled.push(`/first ${JSON.stringify(body)}`);
        return 'first';
      },
    }),
    defineRoute({
      ...bareRoute,
      method: 'GET',
      path: '/second',
      body: NO_BODY,
      handler: () => {
        handled.push('/second');
        return 'second';
      },
    }),
  ];
  const server = new Server({ routes, cors: true, log: createLog('silent') });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  return { port, handled };
}
