// Bodies that arrive in parts: a shared bound limits the memory that slow senders hold.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import { ANY_BODY, NO_PARAMETERS } from '../../../http/api/route.ts';
import { createLog } from '../../../http/runtime/log.ts';
import { Server } from '../../../http/server/server.ts';
import { defineRoute } from '../../../http/services/define-route.ts';
import { bareParts } from '../bare-server.ts';

let handled = 0;

const ECHO = defineRoute({
  method: 'POST',
  path: '/length',
  summary: 'A route of this test',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: ANY_BODY,
  response: Type.Any(),
  handler: ({ body }) => {
    handled += 1;
    return { length: String(body).length };
  },
});

/** A connection that sends a body in parts, and all that it was answered. */
function sending(t: Test, port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  return {
    socket,
    until: async (text: string): Promise<void> => {
      while (!received.includes(text)) await once(socket, 'data');
      received = received.slice(received.indexOf(text) + text.length);
    },
  };
}

const text = JSON.stringify('x'.repeat(998));
const head = `POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length}\r\n\r\n`;

t.test('partial bodies share a bound and release it when they end', async (t) => {
  const log = createLog('silent');
  const server = new Server({ routes: [ECHO], cors: true, log, partialBodyBytes: 1_500 });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  const [first, second] = [sending(t, port), sending(t, port)];
  const whole = async (): Promise<void> => {
    second.socket.write(head + text);
    await second.until('{"length":998}');
  };
  const inParts = async (): Promise<void> => {
    second.socket.write(head + text.slice(0, 900));
    await sleep(20);
    second.socket.write(text.slice(900));
    await second.until('{"length":998}');
  };

  first.socket.write(head + text.slice(0, 900));
  // Once this request is answered, the part that was sent before has arrived.
  await whole();
  second.socket.write(head + text.slice(0, 900));
  await second.until('HTTP/1.1 503');
  await second.until('"code":"overloaded","field":"partialBodyBytes","limit":1500');
  second.socket.write(text.slice(900));
  await whole();
  t.pass('a body in one piece is not counted, and the connection stays open');

  first.socket.write(text.slice(900));
  await first.until('{"length":998}');
  await inParts();
  await inParts();
  t.pass('an answered body is released');

  first.socket.write(head + text.slice(0, 900));
  await whole();
  first.socket.destroy();
  await whole();
  await inParts();
  t.pass('an aborted body is released');
});

// 64 MB of single bytes took many GB.
t.test('pieces of a body count with the memory that each needs', async (t) => {
  const log = createLog('silent');
  const server = new Server({ routes: [ECHO], cors: true, log, partialBodyBytes: 1_500 });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  const { socket, until } = sending(t, port);
  socket.write('POST /length HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  socket.write('1\r\n1\r\n'.repeat(20));
  await until('"code":"overloaded","field":"partialBodyBytes","limit":1500');
  t.pass('refused after a few pieces');
});

t.test('a refused body is never handled, whatever follows', async (t) => {
  const log = createLog('silent');
  const refused: string[] = [];
  const nothing = () => {};
  const observer = {
    ...{
      received: nothing,
      answered: nothing,
      refused: nothing,
      limited: nothing,
      aborted: nothing,
    },
    overloaded: (field: string) => refused.push(field),
  };
  const server = new Server({ routes: [ECHO], cors: true, log, observer, partialBodyBytes: 1_000 });
  const port = await server.listen('127.0.0.1', 0);
  t.teardown(() => server.close());
  server.open(bareParts);
  const { socket, until } = sending(t, port);
  const before = handled;
  // Any part of it is a number, so each part would be valid JSON.
  const body = '1'.repeat(2_500);
  socket.write(`POST /length HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body.slice(0, 1_800));
  await until('"code":"overloaded","field":"partialBodyBytes","limit":1000');
  for (const [from, to] of [
    [1_800, 2_000],
    [2_000, 2_200],
    [2_200, 2_500],
  ]) {
    socket.write(body.slice(from, to));
    await sleep(5);
  }
  socket.write(head + text);
  await until('{"length":998}');
  t.strictSame(refused, ['partialBodyBytes'], 'it is reported once');
  t.equal(handled - before, 1, 'the next request alone');
});
