// Bytes that are not valid HTTP, which no client library sends. They are answered with 4xx or 505,
// or not at all if they could be the beginning of a request. They change nothing and do not disturb
// other clients.
import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { startTestExchange } from '../exchange-fixture.ts';

const BODY = '[{"token_id":"1"}]';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

function post(headers: string, body: string): string {
  return `POST /books HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
}
function get(line: string, headers = 'Host: x\r\n'): string {
  return `${line}\r\n${headers}\r\n`;
}

/** The status of the first answer. */
const ANSWERED: readonly (readonly [name: string, bytes: string, status: number])[] = [
  ['a good request', post(LENGTH, BODY), 200],
  ['a good request in chunks', post(CHUNKED, `12\r\n${BODY}\r\n0\r\n\r\n`), 200],
  ['JSON that is not UTF-8', post('Content-Length: 6\r\n', '["\xff"]'.padEnd(6)), 400],
  ['two Hosts', get('GET /ok HTTP/1.1', 'Host: x\r\nHost: x\r\n'), 400],
  ['a trailer', post(CHUNKED, `12\r\n${BODY}\r\n0\r\nA: b\r\n\r\n`), 505],
  ['JSON that ends early', post('Content-Length: 10\r\n', BODY.slice(0, 10)), 400],
  ['a length below that of the body', post('Content-Length: 5\r\n', BODY), 400],
  ['a negative length', post('Content-Length: -1\r\n', BODY), 400],
  ['a length that is not a number', post('Content-Length: abc\r\n', BODY), 400],
  ['a hexadecimal length', post('Content-Length: 0x12\r\n', BODY), 400],
  ['a length with a sign', post('Content-Length: +18\r\n', BODY), 400],
  ['a length beyond all bounds', post(`Content-Length: ${'9'.repeat(20)}\r\n`, BODY), 400],
  ['a length besides chunks', post(LENGTH + CHUNKED, '0\r\n\r\n'), 400],
  ['chunks without a size', post(CHUNKED, `zz\r\n${BODY}\r\n0\r\n\r\n`), 400],
  ['an unknown encoding', post('Transfer-Encoding: gzip\r\n', BODY), 400],
  ['no body and no length', post('', ''), 400],
  ['no Host', get('GET /ok HTTP/1.1', 'A: b\r\n'), 400],
  ['a target that is a whole address', get('GET http://x/ok HTTP/1.1'), 505],
  ['a target without a slash', get('GET ok HTTP/1.1'), 505],
  ['a space in the path', get('GET /o k HTTP/1.1'), 505],
  ['a zero byte in the path', get('GET /o\0k HTTP/1.1'), 505],
  ['bytes above 127 in the path', get('GET /\xff\xfe HTTP/1.1'), 404],
  ['bytes above 127 in a header', get('DELETE /orders HTTP/1.1', 'Host: \xff\r\nA: \xfe\r\n'), 401],
  ['another version', get('GET /ok HTTP/3.0'), 505],
  ['a greeting of TLS', `${'\x16\x03\x01\x02\x00'.repeat(20)}\r\n\r\n`, 505],
  ['a head that is too long', get('GET /ok HTTP/1.1', `A: ${'x'.repeat(20_000)}\r\n`), 431],
  ['too many headers', get('GET /ok HTTP/1.1', `Host: x\r\n${'A: b\r\n'.repeat(150)}`), 431],
  ['a method in lower case', get('get /ok HTTP/1.1'), 405],
  ['CONNECT', get('CONNECT /ok HTTP/1.1'), 405],
];

/** The HTTP library waits for the rest of these requests, and closes after a while. */
const UNANSWERED: readonly (readonly [name: string, bytes: string])[] = [
  ['a length beyond that of the body', post('Content-Length: 500\r\n', BODY)],
  ['a header without a colon', get('GET /ok HTTP/1.1', 'Host: x\r\nabc\r\n')],
  ['a zero byte in a header', get('GET /ok HTTP/1.1', 'Host: x\r\nA: b\0c\r\n')],
  ['a line before the request', `\r\n${get('GET /ok HTTP/1.1')}`],
  ['a chunk extension', post(CHUNKED, `12;a=b\r\n${BODY}\r\n0\r\n\r\n`)],
  ['a folded header', get('GET /ok HTTP/1.1', 'Host: x\r\nA: b\r\n c\r\n')],
];

function socketTo(t: Test, port: number, bytes: string) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  socket.write(Buffer.from(bytes, 'latin1'));
  return socket;
}

t.test('invalid requests are refused and change nothing', async (t) => {
  const { running, stateHash, send } = await startTestExchange(t);
  const before = stateHash();
  for (const [name, bytes, status] of ANSWERED) {
    const [data] = await once(socketTo(t, running.port, bytes), 'data');
    t.match(String(data), new RegExp(`^HTTP/1\\.1 ${status} `), name);
  }
  const silent = UNANSWERED.map(([, bytes]) => socketTo(t, running.port, bytes));
  for (const [index, socket] of silent.entries()) {
    if (socket.connecting) await once(socket, 'connect');
    t.equal((await send('GET', '/ok')).status, 200, `${UNANSWERED[index]?.[0]} does no harm`);
    t.equal(socket.bytesRead, 0);
  }
  t.equal(stateHash(), before);
});
