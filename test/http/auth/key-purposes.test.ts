import t from 'tap';
import { ROUTES } from '../../all-routes.ts';
import { shareTestExchange, type Trader } from '../exchange-fixture.ts';
import {
  type ApiKey,
  builderHeaders,
  jsonOf,
  makeBuilderKey,
  makeReadonlyKey,
  withKey,
} from './key-fixture.ts';

const ID = '0x33';
const REVOKE = { method: 'DELETE', path: '/auth/builder-api-key' } as const;

const share = await shareTestExchange(t);

t.test('a read-only key reads what its owner may read', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const { orderID } = (await alice.place({ tokenId })).body;
  const key = await makeReadonlyKey(alice);
  t.match(key, { apiKey: /^[0-9a-f-]{36}$/, secret: /=$/, passphrase: /^[0-9a-f]{64}$/ });
  const reader = withKey(exchange, alice, key);
  for (const path of ['/data/orders', `/data/order/${orderID}`, '/auth/api-keys']) {
    const own = await alice.signed('GET', path);
    t.equal(own.status, 200, path);
    t.strictSame(jsonOf(await reader.signed('GET', path)), jsonOf(own), path);
  }
  const head = await reader.send('HEAD', '/data/orders', {
    headers: reader.keyHeaders('HEAD', '/data/orders'),
  });
  t.equal(head.status, 200);
});

t.test('a read-only key is refused on every route that is not a GET', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  await alice.place({ tokenId });
  const reader = withKey(exchange, alice, await makeReadonlyKey(alice));
  const before = exchange.stateHash();
  const writes = ROUTES.filter(
    ({ auth, method }) => (auth === 'l2' || auth === 'builder') && method !== 'GET',
  );
  t.ok(writes.length > 10, 'the table was read');
  for (const { method, path } of writes) {
    const url = path.replace(/\{\w+\}/g, ID);
    // Any body is refused, since it is not read.
    for (const body of [undefined, '{"key":"x"}', '[']) {
      const headers = reader.keyHeaders(method, url, body);
      const answer = await reader.send(method, url, { body, headers });
      t.equal(answer.status, 403, `${method} ${path}`);
      t.match(answer.body, {
        code: 'read_only_key',
        field: 'method',
        limit: 'GET',
        actual: method,
      });
    }
  }
  t.equal(exchange.stateHash(), before, 'nothing was changed');
  const forged = { ...reader.keyHeaders('DELETE', '/cancel-all'), POLY_SIGNATURE: 'ab'.repeat(32) };
  const answer = await reader.send('DELETE', '/cancel-all', { headers: forged });
  t.match(answer.body, { code: 'bad_signature' }, 'only a signature reveals the purpose');
});

t.test('a builder key does not work for L2, nor another key for builder headers', async (t) => {
  const exchange = share();
  const { clock } = exchange;
  const timestamp = String(Math.floor(clock.ms / 1000));
  const alice = await exchange.trader(1);
  const builder = await makeBuilderKey(alice);
  const asTrader = withKey(exchange, alice, builder);
  for (const [method, path] of [
    ['GET', '/data/orders'],
    ['POST', '/order'],
    ['DELETE', '/cancel-all'],
  ] as const) {
    const answer = await asTrader.signed(method, path);
    t.equal(answer.status, 401);
    const details = { field: 'POLY_API_KEY', limit: /trading or read-only/, actual: 'builder' };
    t.match(answer.body, { code: 'wrong_key_purpose', ...details }, `${method} ${path}`);
  }
  for (const key of [alice.credentials, await makeReadonlyKey(alice)]) {
    const headers = builderHeaders(key, { timestamp, ...REVOKE });
    const answer = await alice.send(REVOKE.method, REVOKE.path, { headers });
    t.equal(answer.status, 401);
    t.match(answer.body, { code: 'wrong_key_purpose', field: 'POLY_BUILDER_API_KEY' });
  }
});

/** At first all headers are missing or wrong. Each step repairs the fault of the step above. */
function stepsOf(key: ApiKey, nowMs: number) {
  const seconds = Math.floor(nowMs / 1000);
  return [
    { mend: ['SIGNATURE', 'mine'], code: 'missing_header', field: 'API_KEY' },
    { mend: ['API_KEY', 'unknown'], code: 'missing_header', field: 'PASSPHRASE' },
    { mend: ['PASSPHRASE', 'wrong'], code: 'missing_header', field: 'TIMESTAMP' },
    { mend: ['TIMESTAMP', 'soon'], code: 'unknown_api_key', field: 'API_KEY' },
    { mend: ['API_KEY', key.apiKey], code: 'wrong_passphrase', field: 'PASSPHRASE' },
    { mend: ['PASSPHRASE', key.passphrase], code: 'malformed_header', field: 'SIGNATURE' },
    { mend: ['SIGNATURE', 'ab'.repeat(32)], code: 'malformed_header', field: 'TIMESTAMP' },
    { mend: ['TIMESTAMP', `${seconds - 301}`], code: 'stale_timestamp', field: 'TIMESTAMP' },
    { mend: ['TIMESTAMP', `${seconds}`], code: 'bad_signature', field: 'SIGNATURE' },
  ] as const;
}

t.test('each fault of builder headers has its code, in the order of wire 2.4', async (t) => {
  const exchange = share();
  const { clock, send } = exchange;
  for (const [index, prefix] of (['SERVICE', 'KUEST', 'POLY'] as const).entries()) {
    const alice = await exchange.trader(index + 1, prefix);
    const key = await makeBuilderKey(alice);
    const error = prefix === 'POLY' ? 'Unauthorized/Invalid api key' : 'invalid_l2';
    // Valid L2 headers are sent too. They do not make up for wrong builder headers.
    const headers = { ...alice.keyHeaders(REVOKE.method, REVOKE.path) };
    for (const { mend, code, field } of stepsOf(key, clock.ms)) {
      headers[`${prefix}_BUILDER_${mend[0]}`] = mend[1];
      const answer = await send(REVOKE.method, REVOKE.path, { headers });
      t.equal(answer.status, 401, `${prefix} ${code}`);
      t.match(answer.body, { error, code, field: `${prefix}_BUILDER_${field}` });
      t.notMatch(answer.text, new RegExp(key.secret.slice(0, 40)), 'no secret');
    }
    const timestamp = String(Math.floor(clock.ms / 1000));
    const good = builderHeaders(key, { prefix, timestamp, ...REVOKE });
    const answer = await send(REVOKE.method, REVOKE.path, { headers: { ...headers, ...good } });
    t.strictSame(jsonOf(answer), { revoked: true });
  }
});

// History: they were ignored, so that a builder with a wrong key never learned that.
t.test('an order with wrong builder headers beside L2 headers is refused', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [tokenId] = exchange.plain.tokenIds;
  const method = 'POST';
  const timestamp = String(Math.floor(exchange.clock.ms / 1000));
  const key = await makeBuilderKey(bob);
  for (const path of ['/order', '/orders']) {
    const order = alice.order({ tokenId });
    const body = JSON.stringify(path === '/orders' ? [order] : order);
    const place = (extra: Readonly<Record<string, string>>) =>
      alice.send(method, path, {
        body,
        headers: { ...alice.keyHeaders(method, path, body), ...extra },
      });
    const good = builderHeaders(key, { timestamp, method, path, body });
    const late = `${Number(timestamp) - 301}`;
    const other = path === '/order' ? '/orders' : '/order';
    const forgeries: readonly (readonly [Record<string, string>, code: string])[] = [
      [{ KUEST_BUILDER_API_KEY: 'whatever' }, 'missing_header'],
      [{ ...good, POLY_BUILDER_API_KEY: alice.credentials.apiKey }, 'wrong_key_purpose'],
      [builderHeaders(key, { timestamp, method, path }), 'bad_signature'],
      [builderHeaders(key, { timestamp, method, path: other, body }), 'bad_signature'],
      [builderHeaders(key, { timestamp: late, method, path, body }), 'stale_timestamp'],
      [{ ...good, POLY_BUILDER_PASSPHRASE: 'guessed' }, 'wrong_passphrase'],
    ];
    const hash = exchange.stateHash();
    for (const [headers, code] of forgeries) {
      const answer = await place(headers);
      t.match([answer.status, answer.body.code], [401, code], `${path} ${code}`);
      t.match(answer.body, { field: /_BUILDER_/ });
    }
    t.equal(exchange.stateHash(), hash, 'nothing was placed');
    t.equal((await place(good)).status, 200, path);
    const uncapped = builderHeaders(key, { prefix: 'KUEST', timestamp, method, path, body });
    t.equal((await place(uncapped)).status, 200, 'in the headers of another family');
  }
});

t.test('a builder key outlives the trading key that made it', async (t) => {
  const exchange = share();
  const alice: Trader = await exchange.trader(1);
  const key = await makeBuilderKey(alice);
  t.equal((await alice.signed('DELETE', '/auth/api-key')).status, 200);
  const timestamp = String(Math.floor(exchange.clock.ms / 1000));
  const headers = builderHeaders(key, { timestamp, ...REVOKE });
  t.strictSame(jsonOf(await alice.send(REVOKE.method, REVOKE.path, { headers })), {
    revoked: true,
  });
});
