// Access to the user channel: a socket gets messages of its own owner only.
import t from 'tap';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';
import { type Closing, StreamClient } from '../stream-client.ts';
import { authOf, connectUser, subscribeUser } from './user-fixture.ts';

const REFUSED: Closing = { code: 1008, reason: 'the credentials are wrong' };

/** Places an order of the second trader, which is published. */
async function trade({ plain }: TestExchange, bob: Trader): Promise<void> {
  const { status } = await bob.place({ tokenId: plain.tokenIds[0], priceTicks: 4000 });
  if (status !== 200) throw new Error('the order was refused');
}

interface WrongCase {
  readonly name: string;
  /** What is sent first, given the true credentials of two traders. */
  readonly message: (alice: ReturnType<typeof authOf>, bob: ReturnType<typeof authOf>) => object;
}

const WRONG: readonly WrongCase[] = [
  { name: 'no credentials', message: () => ({ type: 'user' }) },
  { name: 'empty credentials', message: () => ({ auth: {} }) },
  {
    name: 'an unknown key',
    message: (alice) => ({ auth: { ...alice, apikey: '00000000-0000-4000-8000-000000000000' } }),
  },
  { name: "another's key", message: (alice, bob) => ({ auth: { ...alice, apikey: bob.apikey } }) },
  {
    name: "another's secret",
    message: (alice, bob) => ({ auth: { ...bob, secret: alice.secret } }),
  },
  {
    name: "another's passphrase",
    message: (alice, bob) => ({ auth: { ...bob, passphrase: alice.passphrase } }),
  },
  { name: 'no passphrase', message: (_, { passphrase: _passphrase, ...bob }) => ({ auth: bob }) },
  { name: 'a secret that is not a text', message: (_, bob) => ({ auth: { ...bob, secret: [1] } }) },
  {
    name: 'part of a secret',
    message: (_, bob) => ({ auth: { ...bob, secret: bob.secret.slice(0, -1) } }),
  },
  {
    name: 'nothing but a resume',
    message: () => ({ operation: 'resume', stream_id: '', sequence: 0 }),
  },
];

const share = await shareTestExchange(t);

t.test('a socket with wrong credentials is closed and gets no message', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  for (const { name, message } of WRONG) {
    const client = await connectUser(exchange);
    client.send(message(authOf(alice), authOf(bob)));
    await trade(exchange, bob);
    t.strictSame([await client.closed, client.messages], [REFUSED, []], name);
  }
});

t.test('a socket gets messages of its own owner, whatever owner its request names', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const forged = {
    owner: bob.address,
    address: bob.address,
    user: bob.address,
    markets: [bob.address],
    assets_ids: exchange.plain.tokenIds,
    initial_dump: false,
  };
  const client = await subscribeUser(exchange, alice, forged);
  const witness = await subscribeUser(exchange, bob, { initial_dump: false });
  await trade(exchange, bob);
  await Promise.all([client.settled(), witness.settled()]);
  t.match(client.messages, [{ code: 'names_unknown' }]);
  t.equal(client.messages.length, 1);
  t.ok(witness.messages.length > 0);
});

t.test("a request with another owner's key closes the socket", async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const client = await subscribeUser(exchange, alice, { initial_dump: false });
  client.send({ auth: authOf(bob) });
  await trade(exchange, bob);
  t.strictSame([await client.closed, client.messages], [REFUSED, []]);
});

t.test('a socket of the market channel gets no account messages', async (t) => {
  const exchange = share();
  const bob = await exchange.trader(2);
  const client = await StreamClient.open(exchange.running.url);
  client.send({ type: 'user', auth: authOf(bob) });
  await client.settled();
  await trade(exchange, bob);
  await client.settled();
  t.match(client.messages, [{ type: 'error', code: 'type_unknown' }]);
  t.equal(client.messages.length, 1);
});

t.test("a revoked key's sockets are closed at once, and those of other keys stay", async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const first = await subscribeUser(exchange, alice, { initial_dump: false });
  const firstAuth = authOf(alice);
  await alice.signed('DELETE', '/auth/api-key');
  t.strictSame(await first.closed, { code: 1008, reason: 'the API key was revoked' });
  await alice.login('1');
  const second = await subscribeUser(exchange, alice, { initial_dump: false });
  const late = await connectUser(exchange);
  late.send({ auth: firstAuth });
  await trade(exchange, alice);
  t.strictSame([await late.closed, late.messages], [REFUSED, []]);
  await second.settled();
  t.strictSame(second.messages.map(({ type }) => type).slice(0, 1), ['PLACEMENT']);
  t.strictSame(first.messages, []);
});

t.test('a read-only key may subscribe, a builder key may not', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const made = await alice.signed('POST', '/auth/readonly-api-key');
  const { apiKey: apikey, secret, passphrase } = made.body;
  const reader = await connectUser(exchange);
  reader.send({ auth: { apikey, secret, passphrase }, initial_dump: false });
  await reader.settled();
  await trade(exchange, alice);
  await reader.settled();
  t.match(reader.messages[0], { type: 'PLACEMENT', owner: apikey });
  const built = await alice.signed('POST', '/auth/builder-api-key');
  const builder = await connectUser(exchange);
  builder.send({ auth: built.body });
  t.strictSame(await builder.closed, REFUSED);
});
