/** The programs in the documents, run unchanged on a real exchange. */
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chain, Side } from '@polymarket/clob-client-v2';
import t, { type Test } from 'tap';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { Example } from './example-process.ts';
import { shareTestExchange } from './http/exchange-fixture.ts';
import { newTrader, type Trader } from './published-client.ts';
import { makeFault } from './sandbox/fault-fixture.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BOT = join(ROOT, 'docs/examples/bot.ts');

const folder = temporaryFolder(t);
// Programs written there find the packages that they import.
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
const exchange = (await shareTestExchange(t, { now: Date.now }))();
const { url, port } = exchange.running;
const [yes, no] = exchange.plain.tokenIds;

/** An offer of YES at `price`: a bid for NO at the complement. */
async function offer({ client }: Trader, price: number, size: number): Promise<string> {
  const order = { tokenID: no, side: Side.BUY, price: Number((1 - price).toFixed(2)), size };
  const { orderID } = await client.createAndPostOrder(order);
  return orderID;
}

// test/compat/clients/client-settings.test.ts runs the file as it is.
t.test('the order of the first client ends its program when it is refused', async (t) => {
  const order = readFileSync(join(ROOT, 'docs/examples/clients/order-book-v2.ts'), 'utf8');
  const file = join(folder, 'tiny.ts');
  writeFileSync(file, order.replace('size: 10', 'size: 0.01'));
  const environment = { EXCHANGE_URL: url, TOKEN_ID: yes, PRIVATE_KEY: generatePrivateKey() };
  const example = new Example(t, file, environment);
  // Without throwOnError, the published client ended with 0 and printed the refusal as an answer.
  t.equal(await example.end(), 1);
  t.match(example.output, /ApiError/);
});

/** A proxy in front of the exchange. `cut` breaks all of its connections. */
async function startProxy(t: Test): Promise<{ readonly host: string; cut(): void }> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) keep(socket);
    near.pipe(far).pipe(near);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  t.teardown(() => server.close());
  t.teardown(cut);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // Safe: the address of a TCP server has a port.
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut };
}

t.test(
  'the bot follows the book, reports what it buys, and survives cut connections',
  async (t) => {
    const proxy = await startProxy(t);
    const maker = await newTrader('maker', url, Chain.POLYGON);
    const key = generatePrivateKey();
    const bot = new Example(t, BOT, { EXCHANGE_URL: proxy.host, TOKEN_ID: yes, PRIVATE_KEY: key });
    let last = '';
    const moveTo = async (price: number): Promise<void> => {
      if (last !== '') await maker.client.cancelOrder({ orderID: last });
      last = await offer(maker, price, 20);
    };
    await moveTo(0.6);
    await bot.prints('bid 10 at 0.59');
    await moveTo(0.66);
    await bot.prints('bid 10 at 0.65');
    await offer(maker, 0.65, 5);
    await bot.prints('bought 5 at 0.65');
    proxy.cut();
    await bot.prints('/ws/user closed (1006 ); connecting again');
    await moveTo(0.7);
    await bot.prints('bid 10 at 0.69');
    const owner = privateKeyToAccount(key).address;
    await makeFault(exchange, { kind: 'sequence_gap', match: { owner } });
    await moveTo(0.74);
    await bot.prints(/^\/ws\/user: messages were lost after \d+$/);
    await bot.prints(/^\/ws\/user closed/);
    await moveTo(0.8);
    await bot.prints('bid 10 at 0.79');
    const { bids: quoted } = await maker.client.getOrderBook(yes);
    const bid = { price: '0.79', size: '10' };
    t.strictSame(quoted, [bid], 'it knew its earlier bids again');
    // A terminal and npm both send it. The second one ended the bot before its bid was canceled.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) bot.child.kill(signal);
    t.equal(await bot.end(), 0);
    const { bids } = await maker.client.getOrderBook(yes);
    t.strictSame(bids, [], 'its bid was canceled');
  },
);
