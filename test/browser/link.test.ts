/** A link passes everything on, until it is told to lose or keep what comes. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t from 'tap';
import type { Scope } from '../temporary-folder.ts';
import { type Link, openLink } from './link.ts';

const PLAIN = 'GET / HTTP/1.1\r\n\r\n';
const UPGRADE = 'GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n';

/** Opens a link to a server that sends back what it gets. */
async function linkToEcho(t: Scope): Promise<Link> {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  // Safe: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return openLink(t, `http://127.0.0.1:${port}`);
}

function send(link: Link, text: string): Socket {
  const socket = connect(Number(new URL(link.url).port), '127.0.0.1').setEncoding('utf8');
  // Some of these connections are ended without a last word.
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

/** A connection that has got its first text back. */
async function openConnection(t: Scope, link: Link, text: string): Promise<Socket> {
  const socket = send(link, text);
  t.teardown(() => socket.destroy());
  await once(socket, 'data');
  return socket;
}

async function echo(socket: Socket, text: string): Promise<unknown> {
  socket.write(text);
  const [answer] = await once(socket, 'data');
  return answer;
}

t.test('lost sockets end, and new ones are refused, while requests pass', async (t) => {
  const link = await linkToEcho(t);
  const plain = await openConnection(t, link, PLAIN);
  const socket = await openConnection(t, link, UPGRADE);
  t.equal(await echo(socket, 'a'), 'a');
  link.loseSockets();
  await once(socket, 'close');
  await once(send(link, UPGRADE), 'close');
  t.equal(await echo(plain, 'b'), 'b');
  link.restore();
  t.equal(await echo(plain, 'c'), 'c', 'and not twice');
  t.equal(await echo(await openConnection(t, link, UPGRADE), 'd'), 'd');
});

t.test('when all is lost, requests are too', async (t) => {
  const link = await linkToEcho(t);
  const plain = await openConnection(t, link, PLAIN);
  link.loseAll();
  await once(plain, 'close');
  await once(send(link, PLAIN), 'close');
  link.restore();
  t.equal(await echo(await openConnection(t, link, PLAIN), 'a'), 'a');
});

t.test('what is sent to a frozen link arrives when it is restored', async (t) => {
  const link = await linkToEcho(t);
  const open = await openConnection(t, link, UPGRADE);
  link.freeze();
  let hasArrived = false;
  open.once('data', () => {
    hasArrived = true;
  });
  open.write('a');
  const late = send(link, PLAIN);
  t.teardown(() => late.destroy());
  // A second link shows that bytes had the time to arrive.
  await openConnection(t, await linkToEcho(t), PLAIN);
  t.notOk(hasArrived);
  link.restore();
  const [[first], [second]] = await Promise.all([once(open, 'data'), once(late, 'data')]);
  t.strictSame([first, second], ['a', PLAIN]);
});

t.test('the end of the exchange ends the connection', async (t) => {
  const link = await openLink(t, 'http://127.0.0.1:1');
  await once(send(link, PLAIN), 'close');
});
