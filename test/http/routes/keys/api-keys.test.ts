import { Chain } from '@polymarket/clob-client-v2';
import t from 'tap';
import { BOUNDS } from '../../../../engine/index.ts';
import { isoTime } from '../../../../http/codec/time.ts';
import { newTrader } from '../../../published-client.ts';
import {
  type ApiKey,
  builderHeaders,
  jsonOf,
  makeBuilderKey,
  makeReadonlyKey,
  requestKey,
} from '../../auth/key-fixture.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

const share = await shareTestExchange(t);
/** By this machine's clock, like the published client. */
const shareReal = await shareTestExchange(t, { now: Date.now });

t.test('trading keys are listed as ids, and as records on request', async (t) => {
  const exchange = share();
  const { clock } = exchange;
  const startMs = clock.ms;
  const alice = await exchange.trader(1);
  await exchange.trader(2);
  const first = alice.credentials.apiKey;
  clock.ms += 1_500;
  await alice.login('7');
  const second = alice.credentials.apiKey;
  await makeReadonlyKey(alice);
  await makeBuilderKey(alice);
  const list = async (query = '') => jsonOf(await alice.signed('GET', `/auth/api-keys${query}`));
  t.strictSame(await list(), { apiKeys: [first, second] });
  clock.ms += 1_500;
  await alice.signed('DELETE', `/auth/api-key?apiKey=${first}`);
  t.strictSame(await list(), { apiKeys: [second] });
  t.strictSame(await list('?includeRevoked=true'), { apiKeys: [second] });
  const live = {
    apiKey: second,
    nonce: '7',
    status: 'active',
    createdAt: isoTime(startMs + 1_500),
    revokedAt: null,
  };
  const revoked = {
    apiKey: first,
    nonce: '0',
    status: 'revoked',
    createdAt: isoTime(startMs),
    revokedAt: isoTime(startMs + 3_000),
  };
  t.strictSame(await list('?metadata=true'), [live]);
  t.strictSame(await list('?metadata=true&includeRevoked=true'), [revoked, live]);
  const bad = await alice.signed('GET', '/auth/api-keys?metadata=yes');
  t.equal(bad.status, 400);
  t.match(bad.body, { code: 'invalid_parameter', field: 'metadata', actual: 'yes' });
});

t.test('read-only keys are created, listed, validated and revoked', async (t) => {
  const exchange = share();
  const { send } = exchange;
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const first = await makeReadonlyKey(alice);
  const second = await makeReadonlyKey(alice);
  const builder = await makeBuilderKey(alice);
  t.not(first.apiKey, second.apiKey, 'a new key each time');
  const list = async () => jsonOf(await alice.signed('GET', '/auth/readonly-api-keys'));
  t.strictSame(await list(), [first.apiKey, second.apiKey]);
  t.strictSame(jsonOf(await bob.signed('GET', '/auth/readonly-api-keys')), []);
  const validate = async (address: string, key: string) => {
    const answer = await send(
      'GET',
      `/auth/validate-readonly-api-key?address=${address}&key=${key}`,
    );
    t.equal(answer.status, 200);
    return jsonOf(answer);
  };
  t.strictSame(await validate(alice.address, first.apiKey), { valid: true });
  t.strictSame(await validate(alice.address, first.apiKey.toUpperCase()), { valid: true });
  const removed = await alice.signed('DELETE', '/auth/readonly-api-key', { key: first.apiKey });
  t.strictSame(jsonOf(removed), { deleted: true });
  t.strictSame(await list(), [second.apiKey]);
  const invalid = [
    [alice.address, first.apiKey],
    [bob.address, second.apiKey],
    [alice.address, alice.credentials.apiKey],
    [alice.address, builder.apiKey],
    [alice.address, 'x'],
  ] as const;
  for (const [address, key] of invalid) {
    t.strictSame(await validate(address, key), { valid: false }, `${address} ${key}`);
  }
  const rows: readonly (readonly [query: string, expected: object])[] = [
    ['', { code: 'missing_field', field: 'address' }],
    [`?address=${alice.address}`, { code: 'missing_field', field: 'key' }],
    ['?address=0x12&key=x', { code: 'invalid_parameter', field: 'address', actual: '0x12' }],
  ];
  for (const [query, expected] of rows) {
    const answer = await send('GET', `/auth/validate-readonly-api-key${query}`);
    t.equal(answer.status, 400);
    t.match(answer.body, expected);
  }
  for (const body of [undefined, [], { key: 5 }, {}]) {
    const answer = await alice.signed('DELETE', '/auth/readonly-api-key', body);
    t.equal(answer.status, 400, JSON.stringify(body));
  }
});

t.test('builder keys are created, listed, and revoked with both kinds of headers', async (t) => {
  const exchange = share();
  const { clock, send } = exchange;
  const startMs = clock.ms;
  const path = '/auth/builder-api-key';
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const keys: ApiKey[] = [];
  for (let index = 0; index < 4; index++) keys.push(await makeBuilderKey(alice));
  const foreign = await makeBuilderKey(bob);
  const live = async () => {
    const { text } = await alice.signed('GET', path);
    const listed: readonly { key: string; createdAt: string; revokedAt: string | null }[] =
      JSON.parse(text);
    t.strictSame(
      listed.map(({ key }) => key),
      keys.map(({ apiKey }) => apiKey),
    );
    t.ok(listed.every(({ createdAt }) => createdAt === isoTime(startMs)));
    return listed.map(({ revokedAt }) => (revokedAt === null ? 'live' : revokedAt));
  };
  t.strictSame(await live(), ['live', 'live', 'live', 'live']);
  clock.ms += 1_000;
  const then = isoTime(clock.ms);
  const [first, second, third] = keys;
  const timestamp = String(Math.floor(clock.ms / 1000));
  const headers = builderHeaders(first!, { timestamp, method: 'DELETE', path });
  const other = await send('DELETE', `${path}?key=${second!.apiKey}`, { headers });
  t.equal(other.status, 404, 'a builder key can revoke only itself');
  t.match(other.body, { code: 'api_key_unknown', field: 'key', actual: second!.apiKey });
  const itself = await send('DELETE', `${path}?key=${first!.apiKey}`, { headers });
  t.strictSame(jsonOf(itself), { revoked: true });
  t.strictSame(await live(), [then, 'live', 'live', 'live']);
  t.equal((await alice.signed('DELETE', `${path}?key=${third!.apiKey}`)).status, 200);
  t.strictSame(await live(), [then, 'live', then, 'live']);
  t.equal((await alice.signed('DELETE', `${path}?key=${foreign.apiKey}`)).status, 404);
  t.strictSame(jsonOf(await alice.signed('DELETE', path)), { revoked: true });
  t.strictSame(await live(), [then, then, then, then]);
  t.strictSame(jsonOf(await alice.signed('DELETE', path)), { revoked: true }, 'none is left');
  t.match(jsonOf(await bob.signed('GET', path)), [{ key: foreign.apiKey, revokedAt: null }]);
});

t.test('keys of an owner are bounded, and a revocation makes room', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const keys = await Promise.all(
    Array.from({ length: BOUNDS.keysPerOwner - 1 }, () => makeReadonlyKey(alice)),
  );
  for (const path of ['/auth/readonly-api-key', '/auth/builder-api-key']) {
    const refused = await requestKey(alice, path);
    t.equal(refused.status, 400);
    const limit = BOUNDS.keysPerOwner;
    t.match(refused.body, { code: 'too_many_api_keys', field: 'owner', limit, actual: limit });
  }
  await alice.signed('DELETE', '/auth/readonly-api-key', { key: keys[0]?.apiKey });
  t.equal((await requestKey(alice, '/auth/builder-api-key')).status, 200);
});

t.test('the published client manages its keys', async (t) => {
  const { running } = shareReal();
  const { client, credentials } = await newTrader('Alice', running.url, Chain.POLYGON);
  t.strictSame(await client.getApiKeys(), { apiKeys: [credentials.key] });
  t.strictSame(await client.getClosedOnlyMode(), { closed_only: false, closedOnly: false });
  const { apiKey } = await client.createReadonlyApiKey();
  t.strictSame(await client.getReadonlyApiKeys(), [apiKey]);
  t.strictSame(await client.deleteReadonlyApiKey(apiKey), { deleted: true });
  t.strictSame(await client.getReadonlyApiKeys(), []);
  const { key } = await client.createBuilderApiKey();
  t.match(await client.getBuilderApiKeys(), [{ key, revokedAt: null }]);
  await client.revokeBuilderApiKey();
  t.match(await client.getBuilderApiKeys(), [{ key, revokedAt: String }]);
  await client.deleteApiKey();
  t.match(await client.getApiKeys(), { code: 'api_key_revoked', status: 401 });
  t.match(await client.createOrDeriveApiKey(), { key: undefined }, 'the nonce is used up');
  const again = await client.createOrDeriveApiKey(1);
  t.match(again.key, /^[0-9a-f-]{36}$/);
});
