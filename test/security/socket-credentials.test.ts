// Guessing credentials over WebSockets counts like guessing over HTTP.
import t from 'tap';
import { onlyTight } from '../http/admission/limits-fixture.ts';
import { startTestExchange } from '../http/exchange-fixture.ts';
import { authOf, connectUser, subscribeUser } from '../http/streams/user/user-fixture.ts';

const UNAUTHORIZED = { code: 1008, reason: 'the credentials are wrong' };
const TOO_OFTEN = { code: 1013, reason: 'too many failed attempts' };

t.test('wrong credentials are counted by address, over sockets and HTTP together', async (t) => {
  const monotonic = { ms: 0 };
  const exchange = await startTestExchange(t, {
    rateLimits: onlyTight({ 'failed-authentication': 3 }, { countsLoopback: true }),
    monotonicMs: () => monotonic.ms,
  });
  const alice = await exchange.trader(1);
  const guess = async (auth: object): Promise<unknown> => {
    const client = await connectUser(exchange);
    client.send({ auth });
    return client.closed;
  };
  const wrong = { ...authOf(alice), secret: 'a guess' };
  t.strictSame(await guess(wrong), UNAUTHORIZED);
  t.strictSame(await guess({}), UNAUTHORIZED, 'missing credentials are wrong, too');
  const headers = { ...alice.keyHeaders('GET', '/data/orders'), POLY_PASSPHRASE: 'a guess' };
  const overHttp = () => exchange.send('GET', '/data/orders', { headers });
  t.equal((await overHttp()).status, 401, 'the third failure is the last that is answered 401');
  t.strictSame(await guess(wrong), TOO_OFTEN);
  t.equal((await overHttp()).status, 429);

  const client = await subscribeUser(exchange, alice);
  t.match(client.messages, [{ event_type: 'snapshot' }], 'valid credentials are accepted');
  t.equal((await alice.signed('GET', '/data/orders')).status, 200);

  monotonic.ms = 66_000;
  t.strictSame(await guess(wrong), UNAUTHORIZED, 'a minute later the count starts from zero');
});

t.test('nothing is counted while limits are off or exempt this machine', async (t) => {
  const tight = { 'failed-authentication': 1 };
  for (const rateLimits of [
    onlyTight(tight, { countsLoopback: true, isOn: false }),
    onlyTight(tight),
  ]) {
    const exchange = await startTestExchange(t, { rateLimits });
    for (let count = 0; count < 4; count += 1) {
      const client = await connectUser(exchange);
      client.send({ auth: { apikey: 'a guess' } });
      t.strictSame(await client.closed, UNAUTHORIZED);
    }
  }
});
