// Request smuggling: bytes that two parsers could split differently. The body of a request is never
// read as another request, and if the end of a body is ambiguous, nothing more of the connection is
// read.
import t from 'tap';
import { nextOf, sendRaw, startRawServer, statusesIn } from './raw-server.ts';

/** The smuggled request. It stands after the body or in it. */
const SECOND = 'GET /second HTTP/1.1\r\nHost: x\r\n\r\n';
const FIRST = 'POST /first HTTP/1.1\r\nHost: x\r\n';
const ALL = 1 + SECOND.length;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const EMPTY_CHUNKS = '\r\n0\r\n\r\n';

/** Refused, or not answered at all; the connection is closed, and nothing was done. */
const REFUSED: readonly (readonly [name: string, head: string, body: string])[] = [
  ['one length twice', 'Content-Length: 1\r\nContent-Length: 1\r\n', '\r\n1'],
  ['a short length, a long one', `Content-Length: 1\r\nContent-Length: ${ALL}\r\n`, '\r\n1'],
  ['a long length, a short one', `Content-Length: ${ALL}\r\nContent-Length: 1\r\n`, '\r\n1'],
  ['a list of lengths', 'Content-Length: 1, 1\r\n', '\r\n1'],
  ['an empty length', 'Content-Length: \r\n', '\r\n1'],
  ['an empty length, a good one', 'Content-Length: \r\nContent-Length: 1\r\n', '\r\n1'],
  ['a length with a sign', 'Content-Length: +1\r\n', '\r\n1'],
  ['a length of 65 bits', 'Content-Length: 18446744073709551617\r\n', '\r\n1'],
  ['a length, then chunks', `Content-Length: ${ALL}\r\n${CHUNKED}`, EMPTY_CHUNKS],
  ['chunks, then a length', `${CHUNKED}Content-Length: ${ALL}\r\n`, EMPTY_CHUNKS],
  ['chunks twice', CHUNKED + CHUNKED, EMPTY_CHUNKS],
  ['no encoding, then chunks', `Transfer-Encoding: identity\r\n${CHUNKED}`, EMPTY_CHUNKS],
  ['chunks, then no encoding', `${CHUNKED}Transfer-Encoding: identity\r\n`, EMPTY_CHUNKS],
  ['chunks in an encoding', 'Transfer-Encoding: gzip, chunked\r\n', EMPTY_CHUNKS],
  [
    'an unknown encoding, a length',
    'Transfer-Encoding: xchunked\r\nContent-Length: 1\r\n',
    '\r\n1',
  ],
  ['an empty encoding, a length', 'Transfer-Encoding: \r\nContent-Length: 1\r\n', '\r\n1'],
  ['chunks behind a tab', 'Transfer-Encoding:\tchunked\r\nContent-Length: 1\r\n', '\r\n1'],
  ['a chunk of 68 bits', CHUNKED, '\r\n10000000000000001\r\n1\r\n0\r\n\r\n'],
  ['a negative chunk', CHUNKED, '\r\n-1\r\n1\r\n0\r\n\r\n'],
  ['a chunk of 0x1', CHUNKED, '\r\n0x1\r\n1\r\n0\r\n\r\n'],
];

/** Taken for the beginning of a request that never ends; the library closes it after a while. */
const UNFINISHED: readonly (readonly [name: string, head: string])[] = [
  ['a space before the colon', `Content-Length : ${ALL}\r\nContent-Length: 1\r\n`],
  ['chunks with a space before the colon', 'Transfer-Encoding : chunked\r\nContent-Length: 1\r\n'],
  ['a space before the name', ` Content-Length: ${ALL}\r\nContent-Length: 1\r\n`],
  ['a folded length', `X: a\r\n Content-Length: ${ALL}\r\nContent-Length: 1\r\n`],
  ['folded chunks', 'Content-Length: 1\r\nX: a\r\n\tTransfer-Encoding: chunked\r\n'],
  ['a length behind a bare line feed', `X: a\nContent-Length: ${ALL}\r\nContent-Length: 1\r\n`],
  ['a length behind a bare return', `X: a\rContent-Length: ${ALL}\r\nContent-Length: 1\r\n`],
  ['a zero byte in a value', 'X: a\0b\r\nContent-Length: 1\r\n'],
  ['a zero byte in a name', 'X\0: b\r\nContent-Length: 1\r\n'],
  ['a byte above 127 in a name', 'X\xff: b\r\nContent-Length: 1\r\n'],
];

t.test('an ambiguous end of a body is refused and ends the connection', async (t) => {
  const { port, handled } = await startRawServer(t);
  for (const [name, head, body] of REFUSED) {
    const wire = sendRaw(t, port, FIRST + head + body + SECOND);
    while (!wire.isClosed()) await nextOf(wire.socket);
    t.ok(
      statusesIn(wire.received()).every((status) => status === 400),
      name,
    );
    t.strictSame(handled, [], name);
  }
});

t.test(
  'the connection also ends if the rest arrives later, with an answer that says why',
  async (t) => {
    const { port, handled } = await startRawServer(t);
    for (const [name, head, body] of REFUSED) {
      const wire = sendRaw(t, port, FIRST + head + body);
      await nextOf(wire.socket);
      wire.socket.write(SECOND);
      while (!wire.isClosed()) await nextOf(wire.socket);
      t.strictSame(statusesIn(wire.received()), [400], name);
      t.strictSame(handled, [], name);
    }
    const twice = sendRaw(t, port, `${FIRST}Content-Length: 1\r\nContent-Length: 1\r\n\r\n1`);
    while (!twice.isClosed()) await nextOf(twice.socket);
    t.match(twice.received(), '"code":"ambiguous_body_length"');
    t.match(twice.received(), /^connection: close\r$/im);
    const head = sendRaw(t, port, `HEAD /second HTTP/1.1\r\nHost: x\r\n${CHUNKED}${EMPTY_CHUNKS}`);
    while (!head.isClosed()) await nextOf(head.socket);
    t.strictSame(statusesIn(head.received()), [200]);
    t.equal(head.received().match(/^content-length: /gim)?.length, 1);
  },
);

t.test('a malformed head is not answered, nor is anything after it', async (t) => {
  const { port, handled } = await startRawServer(t);
  const wires = UNFINISHED.map(([name, head]) => ({
    name,
    wire: sendRaw(t, port, `${FIRST + head}\r\n1${SECOND}`),
  }));
  for (const { name, wire } of wires) {
    if (wire.socket.connecting)
      await new Promise((resolve) => wire.socket.once('connect', resolve));
    const other = sendRaw(t, port, `${FIRST}Content-Length: 1\r\n\r\n1`);
    await nextOf(other.socket);
    t.strictSame(statusesIn(other.received()), [200], 'others are answered');
    t.equal(wire.received(), '', name);
  }
  t.ok(handled.every((one) => one === '/first 1'));
  t.equal(handled.length, wires.length);
});

/** Chunked bodies. Nothing is read after them. */
const CHUNKS: readonly (readonly [name: string, body: string])[] = [
  ['chunks', '1\r\n1\r\n0\r\n\r\n'],
  ['chunks whose size ends with a line feed', '1\n1\r\n0\r\n\r\n'],
  ['a size behind a space', ' 1\r\n1\r\n0\r\n\r\n'],
  ['more than the size says', '1\r\n11\r\n0\r\n\r\n'],
  ['headers behind the last chunk', '1\r\n1\r\n0\r\nX: y\r\n\r\n'],
];

t.test(
  'after a chunked body nothing more of the connection is read, however it ends',
  async (t) => {
    const { port, handled } = await startRawServer(t);
    for (const isLater of [false, true]) {
      for (const [name, body] of CHUNKS) {
        const bytes = `${FIRST}${CHUNKED}\r\n${body}`;
        const wire = sendRaw(t, port, isLater ? bytes : bytes + SECOND);
        if (isLater) {
          await nextOf(wire.socket);
          wire.socket.write(SECOND);
        }
        while (!wire.isClosed()) await nextOf(wire.socket);
        t.notOk(handled.includes('/second'), name);
        // The library may itself answer bytes that are no request, while it still reads.
        const [answer, ...more] = statusesIn(wire.received());
        t.strictSame(more, [], name);
        // History: an order with a trailer was answered 505 and placed.
        t.equal(handled.splice(0).includes('/first 1'), answer === 200, `${name}: ${answer}`);
        t.equal(answer === 200, isLater && !/: y|^ \d/.test(body), name);
      }
    }
  },
);

t.test('a body that looks like a request is a body', async (t) => {
  const { port, handled } = await startRawServer(t);
  const text = JSON.stringify(SECOND);
  const rows = [
    `${FIRST}Content-Length: ${text.length}\r\n\r\n${text}`,
    `${FIRST}${CHUNKED}\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    `${FIRST}content-length:${text.length}\r\nX-HTTP-Method-Override: GET\r\n\r\n${text}`,
  ];
  for (const bytes of rows) {
    const wire = sendRaw(t, port, bytes);
    await nextOf(wire.socket);
    t.strictSame(statusesIn(wire.received()), [200]);
  }
  t.strictSame(handled, Array(rows.length).fill(`/first ${text}`));
  const hidden = sendRaw(
    t,
    port,
    `GET /second HTTP/1.1\r\nHost: x\r\nContent-Length: ${SECOND.length}\r\n\r\n${SECOND}`,
  );
  await nextOf(hidden.socket);
  t.strictSame(handled.slice(rows.length), ['/second'], 'the whole body of a GET is ignored');
});

t.test('requests of a connection are answered in order, and plain ones continue it', async (t) => {
  const { port, handled } = await startRawServer(t);
  const one = `${FIRST}Content-Length: 1\r\n\r\n1`;
  const wire = sendRaw(t, port, one + SECOND + one);
  while (statusesIn(wire.received()).length < 3) await nextOf(wire.socket);
  t.strictSame(handled, ['/first 1', '/second', '/first 1'], 'each once, in order');
});

/** Targets that a proxy may read in another way than the exchange. */
const TARGETS: readonly (readonly [line: string, status: number])[] = [
  ['GET http://x/second HTTP/1.1', 505],
  ['GET //x/second HTTP/1.1', 404],
  ['GET /second#x HTTP/1.1', 404],
  ['GET /second HTTP/1.0', 505],
  ['GET /second HTTP/2.0', 505],
  ['PRI * HTTP/2.0', 505],
  ['GET  /second HTTP/1.1', 505],
  ['GET\t/second HTTP/1.1', 505],
  [' GET /second HTTP/1.1', 505],
  ['GET /first/../second HTTP/1.1', 404],
  ['GET /%73econd HTTP/1.1', 404],
  ['GET /second%00 HTTP/1.1', 404],
  ['GET /second/ HTTP/1.1', 404],
  ['GET /SECOND HTTP/1.1', 404],
  ['GET /second;x HTTP/1.1', 404],
  ['GET \\second HTTP/1.1', 505],
];

t.test('a path is read exactly as written', async (t) => {
  const { port, handled } = await startRawServer(t);
  for (const [line, status] of TARGETS) {
    const wire = sendRaw(t, port, `${line}\r\nHost: x\r\n\r\n`);
    await nextOf(wire.socket);
    t.strictSame(statusesIn(wire.received()), [status], line);
  }
  t.strictSame(handled, []);
});
