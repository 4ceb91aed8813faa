// What all channels have in common: bounds, slow clients, the state of the listener.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { level, NO_TOKEN, YES_TOKEN } from '../../durable-commands.ts';
import { DeafClient, type Message, StreamClient, upgradeStatus } from '../stream-client.ts';
import { StreamBench, startStreams } from '../stream-fixture.ts';

t.test('no socket is accepted before the exchange is open and while it closes', async (t) => {
  const bench = new StreamBench();
  t.teardown(() => bench.server.close());
  const port = await bench.server.listen('127.0.0.1', 0);
  bench.port = port;
  t.equal(await upgradeStatus(port, '/ws/market'), 425);
  bench.open();
  t.equal(await upgradeStatus(port, '/ws/market'), 101);
  t.equal(await upgradeStatus(port, '/ws/nowhere'), 404);
  // History: any version was accepted, and none.
  for (const [from, to] of [
    ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 8'],
    ['Sec-WebSocket-Version: 13', 'A: b'],
    ['Upgrade: websocket', 'A: b'],
  ] as const) {
    const status = await upgradeStatus(port, '/ws/market', (head) => head.replace(from, to));
    t.equal(status, 426, `${to} for ${from}`);
  }
  const client = await bench.connect();
  await bench.server.close();
  t.strictSame(await client.closed, { code: 1001, reason: 'the exchange is stopping' });
  t.equal(bench.streams.totals.sockets[0]?.[1], 0);
});

t.test('sockets are bounded for each address and in all', async (t) => {
  const rows = [{ socketsPerAddress: 2 }, { sockets: 2 }];
  for (const bounds of rows) {
    const bench = await startStreams(t, bounds);
    const [first, second] = [await bench.connect(), await bench.connect()];
    const third = await bench.connect();
    t.strictSame(await third.closed, { code: 1013, reason: 'too many sockets' });
    t.equal(bench.streams.totals.sockets[0]?.[1], 2);
    first.close();
    await first.closed;
    while (bench.streams.totals.sockets[0]?.[1] !== 1) await second.settled();
    const fourth = await bench.connect();
    await fourth.settled();
    t.equal(bench.count('closed', 'too_many_sockets'), 1);
  }
});

/** A text frame without the mask that a client must use. */
function unmasked(text: string): Buffer {
  const { length } = text;
  const head = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  return Buffer.from([0x81, ...head, ...Buffer.from(text)]);
}

// The library does not look at the mask bit: such sockets stayed open.
t.test('a client that does not mask its texts is closed, and none of them is read', async (t) => {
  const bench = await startStreams(t, {}, ['127.0.0.1']);
  const subscribe = JSON.stringify({ assets_ids: [YES_TOKEN] });
  const long = JSON.stringify({ assets_ids: [YES_TOKEN, NO_TOKEN.padStart(150, '0')] });
  for (const text of [subscribe, long, 'PING', '{}', 'hi', '[1]']) {
    const socket = await proxied(bench.port, '192.0.2.1');
    t.teardown(() => socket.destroy());
    const received = socket.toArray();
    // A frame without a mask seems to end four bytes later than it does.
    for (let count = 0; count < 5; count += 1) socket.write(unmasked(text));
    const answer = Buffer.concat(await received).toString('latin1');
    const close = '\x88\x25\x03\xeathe frame is not a text of a client';
    t.ok(answer === '' || answer === close, `${text}: ${JSON.stringify(answer)}`);
  }
  t.equal(bench.streams.totals.sockets[0]?.[1], 0);
});

/** A socket for a client that a proxy names. */
async function proxied(port: number, client: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const lines = [
    'Host: x',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `X-Forwarded-For: ${client}`,
  ];
  const key = 'Sec-WebSocket-Key: dGhpcyBpcyBhIHRlc3QuLg==\r\nSec-WebSocket-Version: 13';
  socket.write(`GET /ws/market HTTP/1.1\r\n${lines.join('\r\n')}\r\n${key}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

t.test('behind a trusted proxy, sockets count against the address that it names', async (t) => {
  const bench = await startStreams(t, { socketsPerAddress: 1 }, ['127.0.0.1']);
  const sockets: Socket[] = [];
  t.teardown(() => sockets.map((socket) => socket.destroy()));
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) {
    sockets.push(await proxied(bench.port, client));
  }
  while (bench.count('closed', 'too_many_sockets') === 0) await new Promise(setImmediate);
  t.equal(bench.streams.totals.sockets[0]?.[1], 2);
});

t.test('an IPv6 network of 64 bits counts as one address', async (t) => {
  const bench = await startStreams(t, { socketsPerAddress: 2 }, ['127.0.0.1']);
  const sockets: Socket[] = [];
  t.teardown(() => sockets.map((socket) => socket.destroy()));
  for (const client of ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:db8:0:1::1', '2001:db8::3']) {
    sockets.push(await proxied(bench.port, client));
  }
  while (bench.count('closed', 'too_many_sockets') === 0) await new Promise(setImmediate);
  t.equal(bench.streams.totals.sockets[0]?.[1], 3);
  t.equal(bench.count('closed', 'too_many_sockets'), 1);
});

t.test('a message that is too large is refused, and a huge one is not read', async (t) => {
  const bench = await startStreams(t, { messageBytes: 1_000, frameBytes: 5_000 });
  const client = await bench.connect();
  const message = (length: number): string => JSON.stringify({ x: 'x'.repeat(length - 8) });
  client.send(message(1_000));
  client.send(message(1_001));
  client.send(message(5_000));
  const faults = await client.take(2);
  const fault = { type: 'error', code: 'message_too_large', limit: 1_000 };
  t.match(faults, [
    { ...fault, actual: 1_001 },
    { ...fault, actual: 5_000 },
  ]);
  client.send(message(5_001));
  t.equal((await client.closed).code, 1006);
});

t.test('messages of one client are bounded for each second', async (t) => {
  const bench = await startStreams(t, { messagesPerSecond: 3 });
  const client = await bench.connect();
  for (let second = 0; second < 3; second += 1) {
    bench.clock.ms += 1_000;
    for (let count = 0; count < 3; count += 1) client.send('PING');
    await client.until(() => client.words.length === 3 * second + 3);
  }
  client.send('PING');
  t.strictSame(await client.closed, { code: 4029, reason: 'too many messages' });
  t.equal(bench.count('closed', 'too_many_messages'), 1);
});

t.test('messages of all sockets of an address are bounded for each second', async (t) => {
  const bench = await startStreams(t, { messagesPerSecondPerAddress: 5 });
  const [first, second, third] = [
    await bench.connect(),
    await bench.connect(),
    await bench.connect(),
  ];
  const ping = async (client: StreamClient, count: number): Promise<void> => {
    const wanted = client.words.length + count;
    for (let sent = 0; sent < count; sent += 1) client.send('PING');
    await client.until(() => client.words.length === wanted);
  };
  await ping(first, 2);
  await ping(second, 3);
  first.send('PING');
  t.match(await first.closed, { code: 4029 });
  t.equal(bench.count('closed', 'too_many_messages'), 1);
  bench.clock.ms += 1_000;
  await ping(second, 2);
  await ping(third, 3);
  for (const client of [second, third]) client.close();
  await Promise.all([second.closed, third.closed]);
  while (bench.streams.totals.sockets[0]?.[1] !== 0) await new Promise(setImmediate);
  bench.streams.sweep();
  const back = await bench.connect();
  back.send('PING');
  t.match(await back.closed, { code: 4029 }, 'reconnecting does not reset the count');
  bench.clock.ms += 1_000;
  bench.streams.sweep();
  await ping(await bench.connect(), 5);
});

t.test('the work of a message counts for all sockets of its address too', async (t) => {
  const bounds = { messagesPerSecondPerAddress: 5, subscriptionsPerMessage: 1 };
  const bench = await startStreams(t, bounds);
  const [first, second] = [await bench.connect(), await bench.connect()];
  first.send({ assets_ids: ['1', '2', '3'] });
  await first.settled();
  second.send('PING');
  t.match(await second.closed, { code: 4029 });
});

/** Messages whose work counts as `work` more messages. `first` is sent before and not counted. */
const COSTLY_MESSAGES = [
  {
    path: '/ws/market',
    first: { assets_ids: [YES_TOKEN, NO_TOKEN] },
    message: { custom_feature_enabled: true },
    work: 1,
  },
  { path: '/ws/market', first: {}, message: { assets_ids: [YES_TOKEN, '1', '2'] }, work: 3 },
  {
    path: '/ws/live',
    first: {
      action: 'subscribe',
      subscriptions: ['a', 'b', 'c'].map((slug) => ({
        topic: 'activity',
        type: 'trades',
        filters: { event_slug: slug },
      })),
    },
    message: { action: 'unsubscribe', subscriptions: [{ topic: 'activity', type: 'trades' }] },
    work: 4,
  },
  // 9,300 copies of a topic took 30 ms and were free, and so was every other unsubscribe.
  {
    path: '/ws/live',
    first: { action: 'subscribe', subscriptions: [] },
    message: {
      action: 'unsubscribe',
      subscriptions: ['a', 'a', 'a'].map((slug) => ({
        topic: 'activity',
        type: 'trades',
        filters: { event_slug: slug },
      })),
    },
    work: 4,
  },
  {
    path: '/ws/market',
    first: {},
    message: {
      operation: 'resume',
      stream_id: '',
      sequences: { '0x1': 0, '0x2': 0, '0x3': 0 },
    },
    work: 3,
  },
  // A long message is work, whatever it says.
  { path: '/ws/market', first: {}, message: { x: 'x'.repeat(3_100) }, work: 3 },
] as const;

for (const { path, first, message, work } of COSTLY_MESSAGES) {
  t.test(`a message counts for its work: ${JSON.stringify(message)}`, async (t) => {
    const limit = 20;
    const bounds = { messagesPerSecond: limit, subscriptionsPerMessage: 1 };
    const bench = await startStreams(t, bounds);
    const client = await StreamClient.open(bench.url, path);
    client.send(first);
    await client.settled();
    bench.clock.ms += 1_000;
    client.send(message);
    const rest = limit - 1 - work;
    for (let count = 0; count < rest; count += 1) client.send('PING');
    await client.until(() => client.words.length === 1 + rest);
    client.send('PING');
    t.match(await client.closed, { code: 4029 });
    t.equal(client.words.length, 1 + rest);
  });
}

const LISTEN = { assets_ids: [YES_TOKEN] };
/** No periodic books: their number depends on the clock, that of steps does not. */
const NO_BOOKS = { bookIntervalMs: 1e9 };

/** Changes a hundred levels again and again until a condition holds, while a listener reads. */
async function flood(
  bench: StreamBench,
  listener: StreamClient,
  holds: () => boolean,
): Promise<void> {
  for (let lots = 1; !holds(); lots += 1) {
    const prices = Array.from({ length: 100 }, (_, index) => 100 + index);
    bench.commit(...prices.map((price) => level('bid', price, lots)));
    if (lots % 4 !== 0) continue;
    await listener.settled();
    bench.streams.sweep();
  }
}

/** The sequences of the steps among messages. */
function stepsOf(messages: readonly (Message | undefined)[]): (number | undefined)[] {
  return messages
    .filter((message) => message?.event_type === 'price_change')
    .map((message) => message?.sequence);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

t.test(
  'a slow reader gets what waits and a reason, and no other client is disturbed',
  async (t) => {
    const bounds = { softWaitingBytes: 500_000, pausingBytes: 100_000, endingMs: 1e9 };
    const bench = await startStreams(t, { ...bounds, ...NO_BOOKS });
    const listener = await bench.subscribed(LISTEN);
    const deaf = await DeafClient.open(bench.port, LISTEN);
    await flood(bench, listener, () => bench.streams.totals.waitingBytes > 500_000);
    bench.streams.sweep();
    bench.commit(level('ask', 9_000, 100));
    const frames = await deaf.readAll();
    const closing = { code: 4008, reason: 'too slow: too much data waits for the client' };
    t.strictSame(frames.pop()?.closing, closing);
    await listener.settled();
    const steps = stepsOf(frames.map(({ message }) => message));
    const heard = stepsOf(listener.messages);
    t.strictSame(heard, upTo(heard.length));
    t.strictSame(steps, upTo(steps.length), 'what it got has no gap');
    t.ok(steps.length > 10 && steps.length < heard.length, 'nothing new was sent to it');
    t.equal(bench.count('closed', 'too_slow'), 1);
    t.equal(bench.count('closed', 'cut'), 0);
  },
);

t.test('a slow client that does not read what waits is cut', async (t) => {
  const bounds = { softWaitingBytes: 500_000, pausingBytes: 100_000, endingMs: 10_000 };
  const bench = await startStreams(t, { ...bounds, ...NO_BOOKS });
  const listener = await bench.subscribed(LISTEN);
  const deaf = await DeafClient.open(bench.port, LISTEN);
  await flood(bench, listener, () => bench.streams.totals.waitingBytes > 500_000);
  bench.streams.sweep();
  bench.clock.ms += 9_999;
  bench.streams.sweep();
  t.equal(bench.streams.totals.sockets[0]?.[1], 2);
  bench.clock.ms += 1;
  bench.streams.sweep();
  t.equal(bench.streams.totals.sockets[0]?.[1], 1);
  t.strictSame([bench.count('closed', 'cut'), bench.count('closed', 'too_slow')], [1, 0]);
  t.equal((await deaf.readAll()).at(-1)?.closing, undefined, 'without a close frame');
});

/** Hard bounds, at which a client is cut at once. */
const CUTTING = [{ hardWaitingBytes: 500_000 }, { allWaitingBytes: 500_000 }];

t.test('at a hard limit, a client is cut and has no gap', async (t) => {
  for (const bounds of CUTTING) {
    const bench = await startStreams(t, { softWaitingBytes: 1e9, ...NO_BOOKS, ...bounds });
    const listener = await bench.subscribed(LISTEN);
    const deaf = await DeafClient.open(bench.port, LISTEN);
    await flood(bench, listener, () => bench.count('closed', 'cut') > 0);
    const frames = await deaf.readAll();
    t.equal(frames.at(-1)?.closing, undefined);
    const steps = stepsOf(frames.map(({ message }) => message));
    t.ok(steps.length > 10);
    t.strictSame(steps, upTo(steps.length), 'what it got has no gap');
    await listener.settled();
    const heard = stepsOf(listener.messages);
    t.ok(heard.length >= steps.length);
    t.strictSame(heard, upTo(heard.length));
    t.equal(bench.count('closed', 'cut'), 1);
    t.equal(bench.streams.totals.sockets[0]?.[1], 1);
  }
});

t.test(
  'many books are sent as fast as they are read, and no client is too slow for them',
  async (t) => {
    const bounds = { softWaitingBytes: 3_000_000, pausingBytes: 10_000, bytesPerTurn: 50_000 };
    const bench = await startStreams(t, bounds);
    const tokenIds: string[] = [];
    for (let market = 0; market < 200; market += 1) {
      const conditionId = `0x${`${market}`.padStart(64, '0')}`;
      const own = [`${10_000 + market}`, `${20_000 + market}`] as const;
      tokenIds.push(...own);
      bench.create({ conditionId, tokenIds: own });
      const prices = Array.from({ length: 1_000 }, (_, index) => 100 + index);
      bench.commit(...prices.map((price) => level('bid', price, 100, conditionId)));
    }
    const deaf = await DeafClient.open(bench.port, { assets_ids: tokenIds });
    const listener = await bench.subscribed({ assets_ids: tokenIds, initial_dump: false });
    for (let count = 0; count < 200; count += 1) {
      await listener.settled();
      bench.streams.sweep();
    }
    t.ok(bench.streams.totals.waitingBytes < 3_000_000, 'the rest is not made yet');
    const reading = deaf.readAll();
    const last = `0x${'199'.padStart(64, '0')}`;
    listener.send({ assets_ids: tokenIds });
    const isBook = (tokenId: string | undefined) => tokenIds.includes(tokenId ?? '');
    await listener.until(
      () => listener.messages.filter(({ asset_id }) => isBook(asset_id)).length === tokenIds.length,
    );
    t.strictSame(
      listener.messages.map(({ asset_id }) => asset_id),
      tokenIds.flatMap((_, index) => (index % 2 === 0 ? tokenIds.slice(index, index + 2) : [])),
    );
    bench.commit(level('bid', 5_000, 1, last));
    await listener.settled();
    t.equal(bench.count('closed', 'too_slow'), 0);
    deaf.destroy();
    await reading;
  },
);
