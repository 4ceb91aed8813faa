// Large, deep, many or slow requests: each costs at most its bound, and other clients are served.
import { once } from 'node:events';
import t from 'tap';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { nextOf, sendRaw, startRawServer, statusesIn, type Wire } from './raw-server.ts';

const HEAD = 'POST /first HTTP/1.1\r\nHost: x\r\n';

async function connected(wires: readonly Wire[]): Promise<void> {
  for (const { socket } of wires) if (socket.connecting) await once(socket, 'connect');
}

t.test('many unfinished requests delay no other client', async (t) => {
  const { port, handled } = await startRawServer(t);
  const beginnings = [
    'P',
    'POST /first HTTP/1.1\r\nHost: x\r\nA: ',
    `${HEAD}Content-Length: 10\r\n\r\n`,
    `${HEAD}Content-Length: 10\r\n\r\n"12`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n"1`,
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    '',
  ];
  const wires = Array.from({ length: 700 }, (_, index) =>
    sendRaw(t, port, beginnings[index % beginnings.length] ?? ''),
  );
  await connected(wires);
  for (let count = 0; count < 20; count += 1) {
    const wire = sendRaw(t, port, `${HEAD}Content-Length: 1\r\n\r\n1`);
    while (wire.received() === '') await nextOf(wire.socket);
    t.strictSame(statusesIn(wire.received()), [200]);
  }
  t.equal(handled.length, 20, 'no unfinished request was handled');
  const late = wires[3];
  if (late === undefined) throw new Error('there are as many');
  late.socket.write('345678"');
  await nextOf(late.socket);
  t.strictSame(statusesIn(late.received()), [200], 'a late request is handled once');
  t.equal(handled.at(-1), '/first "12345678"');
});

t.test('a request that arrives byte by byte is one request', async (t) => {
  const { port, handled } = await startRawServer(t);
  const [line = '', ...rest] = `${HEAD}Content-Length: 5\r\n\r\n"abc"`.split(/(?<=HTTP\/1\.1)/);
  const wire = sendRaw(t, port, line);
  await connected([wire]);
  wire.socket.setNoDelay(true);
  for (const byte of rest.join('')) {
    wire.socket.write(byte);
    await new Promise(setImmediate);
  }
  while (statusesIn(wire.received()).length === 0) await nextOf(wire.socket);
  t.strictSame(statusesIn(wire.received()), [200]);
  t.strictSame(handled, ['/first "abc"']);
  // The library takes a method alone for the beginning of something that is not HTTP/1.1.
  const broken = sendRaw(t, port, 'POST ');
  await nextOf(broken.socket);
  t.strictSame(statusesIn(broken.received()), [505]);
});

t.test('the bound of a body is exact to the byte, whatever its head announces', async (t) => {
  const { port, handled } = await startRawServer(t);
  const limit = HTTP_BOUNDS.bodyBytes;
  const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
  const rows: readonly (readonly [name: string, bytes: string, status: number])[] = [
    ['at the bound', `Content-Length: ${limit}\r\n\r\n${text(limit)}`, 200],
    ['one more', `Content-Length: ${limit + 1}\r\n\r\n${text(limit + 1)}`, 413],
    ['without an end', `Content-Length: 9999999999\r\n\r\n${text(limit + 1)}`, 413],
    [
      'in chunks without an end',
      `Transfer-Encoding: chunked\r\n\r\n${(limit + 1).toString(16)}\r\n${text(limit + 1)}\r\n`,
      413,
    ],
  ];
  for (const [name, bytes, status] of rows) {
    const wire = sendRaw(t, port, HEAD + bytes);
    while (statusesIn(wire.received()).length === 0) await nextOf(wire.socket);
    t.strictSame(statusesIn(wire.received()), [status], name);
  }
  t.equal(handled.length, 1);
});

/** Valid JSON that is expensive to parse. */
const HEAVY: readonly (readonly [name: string, text: string])[] = [
  ['lists in lists', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['objects in objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
  ['a long number', '9'.repeat(60_000)],
  ['a long fraction', `0.${'1'.repeat(60_000)}`],
  ['a number above the largest', '1e999999'],
  ['a list of many', `[${'1,'.repeat(30_000)}1]`],
  ['many keys', `{${Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ['a long text', `"${'\\u0000'.repeat(10_000)}"`],
  ['halves of characters', `"${'\\ud800'.repeat(10_000)}"`],
];

const share = await shareTestExchange(t);

t.test('deep and large JSON instead of an order is refused and changes nothing', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const before = exchange.stateHash();
  const send = (path: string, body: string) =>
    alice.send('POST', path, { body, headers: alice.keyHeaders('POST', path, body) });
  for (const [name, text] of HEAVY) {
    for (const path of ['/order', '/orders', '/sets/split']) {
      for (const body of [text, `{"order":${text},"owner":"x"}`, `[${text}]`]) {
        const { status, text: answered } = await send(path, body);
        // A batch is answered with a refusal for each order.
        const isRefused = path === '/orders' ? !answered.includes('"success":true') : status >= 400;
        t.ok(isRefused && status < 500, `${path} ${name}: ${status}`);
      }
    }
    const key = { market: exchange.plain.conditionId, amount: '1', key: 'KEY' };
    const { status } = await send('/sets/split', JSON.stringify(key).replace('"KEY"', text));
    t.equal(status, 400, `${name} as a key`);
  }
  t.equal(exchange.stateHash(), before);
});

t.test('of a repeated JSON key the last one counts and must be signed', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const payload = alice.order({ tokenId });
  const text = JSON.stringify(payload);
  const send = (body: string) =>
    alice.send('POST', '/order', { body, headers: alice.keyHeaders('POST', '/order', body) });
  const before = exchange.stateHash();
  const changed = await send(text.replace('"side":"BUY"', '"side":"BUY","side":"SELL"'));
  t.equal(changed.status, 400, 'the signature is not of that order');
  t.equal(exchange.stateHash(), before);
  const same = await send(text.replace('"side":"BUY"', '"side":"SELL","side":"BUY"'));
  t.match(same.body, { status: 'live', orderID: alice.idOf(payload) });
});
