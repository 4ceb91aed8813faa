// Floods over WebSockets: endless frames, too many messages and sockets. (The hub's tests cover the
// bounds of sockets, messages and waiting bytes.)
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { YES_TOKEN } from '../http/durable-commands.ts';
import { startTestExchange } from '../http/exchange-fixture.ts';
import { startStreams } from '../http/streams/stream-fixture.ts';
import { subscribeUser } from '../http/streams/user/user-fixture.ts';

const MASKED = 0x80;
const LENGTH_OF_16_BITS = 126;
const LENGTH_OF_64_BITS = 127;
const [TEXT, CONTINUED, PING] = [1, 0, 9];
const FINAL = 0x80;

/** A frame of a client, masked by zeros. */
function frame(head: number, body: Buffer): Buffer {
  if (body.length < LENGTH_OF_16_BITS) {
    return Buffer.concat([Buffer.from([head, MASKED | body.length, 0, 0, 0, 0]), body]);
  }
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  const start = Buffer.from([head, MASKED | LENGTH_OF_16_BITS, ...length, 0, 0, 0, 0]);
  return Buffer.concat([start, body]);
}

/** The head of a frame that announces this many bytes. */
function announcing(bytes: bigint): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(bytes);
  return Buffer.from([FINAL | TEXT, MASKED | LENGTH_OF_64_BITS, ...length, 0, 0, 0, 0]);
}

/** Opens a WebSocket by raw bytes. */
async function openRaw(t: Test, port: number, path = '/ws/market'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  const lines = ['Host: x', 'Upgrade: websocket', 'Connection: Upgrade'];
  const key = 'Sec-WebSocket-Key: dGhpcyBpcyBhIHRlc3QuLg==\r\nSec-WebSocket-Version: 13';
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n${key}\r\n\r\n`);
  await once(socket, 'data');
  socket.resume();
  return socket;
}

t.test('a fragmented message has the same bound as a whole one', async (t) => {
  const bench = await startStreams(t, { messageBytes: 1_000, frameBytes: 5_000 });
  const listener = await bench.subscribed({ assets_ids: [YES_TOKEN] });
  const part = Buffer.alloc(1_000, 'x');
  const socket = await openRaw(t, bench.port);
  const closed = once(socket, 'close');
  socket.write(frame(TEXT, part));
  for (let count = 0; count < 4; count += 1) socket.write(frame(CONTINUED, part));
  await listener.settled();
  t.equal(socket.destroyed, false, 'five parts of 1,000 bytes are within the bound');
  socket.write(frame(CONTINUED, part));
  await closed;
  await listener.settled();
  t.equal(bench.streams.totals.sockets[0]?.[1], 1);
});

t.test('a frame that announces more than the bound is cut before it arrives', async (t) => {
  const bench = await startStreams(t);
  const listener = await bench.subscribed({ assets_ids: [YES_TOKEN] });
  for (const bytes of [262_145n, 1n << 32n, (1n << 63n) - 1n, (1n << 64n) - 1n]) {
    const socket = await openRaw(t, bench.port);
    const closed = once(socket, 'close');
    socket.write(announcing(bytes));
    await closed;
    t.pass(`${bytes} bytes`);
  }
  await listener.settled();
});

t.test('many endless fragmented messages delay no other client', async (t) => {
  const bench = await startStreams(t);
  const listener = await bench.subscribed({ assets_ids: [YES_TOKEN] });
  for (let count = 0; count < 200; count += 1) {
    const socket = await openRaw(t, bench.port);
    socket.write(frame(TEXT, Buffer.alloc(10_000, 'x')));
    socket.write(frame(FINAL | PING, Buffer.alloc(100)));
  }
  await listener.settled();
  t.equal(bench.streams.totals.sockets[0]?.[1], 201);
});

t.test('too many messages close their own socket only', async (t) => {
  const bench = await startStreams(t, { messagesPerSecond: 50 });
  const listener = await bench.subscribed({ assets_ids: [YES_TOKEN] });
  const flooding = await bench.connect();
  const texts = [
    'PING',
    '{',
    '{}',
    '[]',
    'null',
    '{"assets_ids":["1"]}',
    '{"__proto__":{"type":"x"}}',
  ];
  for (let count = 0; count < 500; count += 1) flooding.send(texts[count % texts.length] ?? '');
  t.match(await flooding.closed, { code: 4029 });
  bench.clock.ms += 1_000;
  await listener.settled();
  t.equal(bench.count('closed', 'too_many_messages'), 1);
  t.equal(Reflect.get({}, 'type'), undefined);
});

t.test('silent sockets of the user channel are closed, others stay open', async (t) => {
  const monotonic = { ms: 0 };
  const exchange = await startTestExchange(t, { monotonicMs: () => monotonic.ms });
  const alice = await exchange.trader(1);
  const listener = await subscribeUser(exchange, alice);
  const silent: Socket[] = [];
  for (let count = 0; count < 100; count += 1) {
    silent.push(await openRaw(t, exchange.running.port, '/ws/user'));
  }
  const closed = silent.map((socket) => once(socket, 'close'));
  monotonic.ms = 10_001;
  await Promise.all(closed);
  await listener.settled();
  t.pass('all hundred');
});
