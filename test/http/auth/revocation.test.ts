import t from 'tap';
import type { KeyPurpose } from '../../../engine/index.ts';
import { issueCredentials, issueRequestedKey } from '../../../http/auth/issue.ts';
import { isoTime } from '../../../http/codec/time.ts';
import { OrderIntake } from '../../../http/orders/intake.ts';
import type { Verification } from '../../../http/orders/verifier-protocol.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { shareTestExchange, startTestExchange } from '../exchange-fixture.ts';
import { startVerifiers } from '../own-verifiers.ts';
import { builderHeaders, jsonOf, makeBuilderKey, makeReadonlyKey, withKey } from './key-fixture.ts';

const share = await shareTestExchange(t);

t.test('a revoked key is refused at once, and only that key', async (t) => {
  for (const prefix of ['KUEST', 'POLY'] as const) {
    const exchange = share();
    const alice = await exchange.trader(1, prefix);
    const bob = await exchange.trader(2, prefix);
    const old = withKey(exchange, alice, alice.credentials);
    await alice.login('1');
    t.equal((await old.signed('GET', '/data/orders')).status, 200, 'now caches hold it');
    const { apiKey } = old.credentials;
    const revoked = await alice.signed('DELETE', `/auth/api-key?apiKey=${apiKey}`);
    t.strictSame(jsonOf(revoked), { revoked: true });
    const refused = await old.signed('GET', '/data/orders');
    t.equal(refused.status, 401);
    t.strictSame(jsonOf(refused), {
      error: prefix === 'POLY' ? 'Unauthorized/Invalid api key' : 'invalid_l2',
      code: 'api_key_revoked',
      field: `${prefix}_API_KEY`,
      revokedAt: isoTime(exchange.clock.ms),
    });
    t.equal((await old.signed('DELETE', '/cancel-all')).status, 401);
    t.equal((await alice.signed('GET', '/data/orders')).status, 200, 'the other key still works');
    t.equal((await bob.signed('GET', '/data/orders')).status, 200);
  }
});

t.test('a key can revoke itself; its orders stay', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const { orderID } = (await alice.place({ tokenId })).body;
  t.strictSame(jsonOf(await alice.signed('DELETE', '/auth/api-key')), { revoked: true });
  t.match((await alice.signed('DELETE', '/auth/api-key')).body, { code: 'api_key_revoked' });
  await alice.login('1');
  t.strictSame((await alice.cancel(orderID)).body.canceled, [orderID]);
});

t.test("revoking again changes nothing; another owner's key is unknown", async (t) => {
  const exchange = share();
  const { stateHash } = exchange;
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const old = alice.credentials.apiKey;
  await alice.login('1');
  const revoke = (apiKey: string) => alice.signed('DELETE', `/auth/api-key?apiKey=${apiKey}`);
  t.equal((await revoke(old.toUpperCase())).status, 200, 'in upper case too');
  const builder = await makeBuilderKey(alice);
  const readonly = await makeReadonlyKey(alice);
  const before = stateHash();
  t.strictSame(jsonOf(await revoke(old)), { revoked: true }, 'again');
  const unknown = '00000000-0000-4000-8000-000000000000';
  const others = [bob.credentials.apiKey, unknown, 'x', builder.apiKey, readonly.apiKey];
  for (const apiKey of others) {
    const answer = await revoke(apiKey);
    t.equal(answer.status, 404);
    t.strictSame(jsonOf(answer), {
      error: 'api key not found',
      code: 'api_key_unknown',
      field: 'apiKey',
      actual: apiKey,
    });
  }
  const kinds = [
    ['/auth/readonly-api-key', { key: alice.credentials.apiKey }],
    ['/auth/readonly-api-key', { key: builder.apiKey }],
    [`/auth/builder-api-key?key=${readonly.apiKey}`, undefined],
    [`/auth/builder-api-key?key=${bob.credentials.apiKey}`, undefined],
  ] as const;
  for (const [path, body] of kinds) {
    const answer = await alice.signed('DELETE', path, body);
    t.match(answer.body, { code: 'api_key_unknown', field: 'key' }, path);
  }
  t.equal(stateHash(), before, 'nothing was changed');
});

t.test('a revoked nonce is refused with the next free one', async (t) => {
  const exchange = share();
  const { send } = exchange;
  const alice = await exchange.trader(1);
  const revoked = alice.credentials;
  await alice.login('1');
  await alice.login('7');
  t.equal((await alice.signed('DELETE', `/auth/api-key?apiKey=${revoked.apiKey}`)).status, 200);
  for (const [method, path] of [
    ['POST', '/auth/api-key'],
    ['GET', '/auth/derive-api-key'],
  ] as const) {
    const answer = await send(method, path, { headers: alice.walletHeaders({ nonce: '0' }) });
    t.equal(answer.status, 400, path);
    t.strictSame(jsonOf(answer), {
      error: 'the api key of nonce 0 is revoked, the next free nonce is 2',
      code: 'nonce_revoked',
      field: 'nonce',
      actual: '0',
      nextNonce: '2',
    });
  }
  const next = await alice.login('2');
  t.equal(next.status, 200, 'the next free nonce works');
  t.not(next.body.apiKey, revoked.apiKey);
  t.equal((await alice.login('7')).status, 200, 'so do others');
});

t.test('a key that was revoked before anyone saw it is not given out', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const { services } = exchange.running;
  const { exchange: store, keyRing } = services;
  const owner = alice.address;
  const issueAndRevoke = (nonce: string, purpose: KeyPurpose) => {
    const { apiKey } = keyRing.credentialsOf(owner, nonce, purpose);
    void store.submit({ kind: 'issue_api_key', owner, nonce, apiKey, purpose });
    void store.submit({ kind: 'revoke_api_key', owner, apiKey });
  };
  // Both are applied but not durable when the nonce is requested, so the registry has neither.
  issueAndRevoke('9', 'trading');
  const details = { field: 'nonce', actual: '9', nextNonce: '1' };
  await t.rejects(issueCredentials(services, owner, '9'), { code: 'nonce_revoked', details });
  const hmac = new Uint8Array(32);
  const { apiKey } = await issueRequestedKey(services, { owner, hmac }, 'readonly');
  void store.submit({ kind: 'revoke_api_key', owner, apiKey });
  await t.rejects(issueRequestedKey(services, { owner, hmac }, 'readonly'), {
    code: 'key_request_spent',
    details: { field: 'timestamp', actual: apiKey, revokedAt: String },
  });
});

t.test('a request gets one key, however often it is sent at the same time', async (t) => {
  const exchange = share();
  const { address: owner } = await exchange.trader(1);
  const { services } = exchange.running;
  const issue = (hmac: Uint8Array, purpose: 'readonly' | 'builder') =>
    Promise.all(
      Array.from({ length: 5 }, () => issueRequestedKey(services, { owner, hmac }, purpose)),
    );
  const ids = new Set<string>();
  for (const purpose of ['readonly', 'builder'] as const) {
    for (const byte of [1, 2]) {
      const [first, ...others] = await issue(new Uint8Array(32).fill(byte), purpose);
      for (const other of others) t.strictSame(other, first, purpose);
      ids.add(first?.apiKey ?? '');
    }
    t.equal([...services.registry.keysOf(owner, purpose)].length, 2, purpose);
  }
  t.equal(ids.size, 4, 'another request gets another key');
});

t.test('writes that wait while their key is revoked are refused', async (t) => {
  const exchange = share();
  const { exchange: store, registry, settings } = exchange.running.services;
  const alice = await exchange.trader(1);
  const other = withKey(exchange, alice, alice.credentials);
  await other.login('1');
  const [tokenId] = exchange.plain.tokenIds;
  const live = (await alice.place({ tokenId, priceTicks: 3000 })).body.orderID;
  const pool = await startVerifiers(t, { exchange: store, settings });
  const gate = Promise.withResolvers<void>();
  const verifiers = {
    verify: async (verification: Verification) => {
      await gate.promise;
      return await pool.verify(verification);
    },
  };
  const intake = new OrderIntake({ exchange: store, registry, settings, verifiers });
  // All of these are authenticated. The first waits for its verifier, the others behind it.
  const { caller } = alice;
  const late = [
    intake.place(caller, [alice.order({ tokenId }), alice.order({ tokenId })]),
    intake.place(caller, [{ not: 'an order' }]),
    intake.cancel(caller, [live]),
    intake.cancelAll(caller, { conditionId: '', tokenId: '' }),
    intake.armSwitch(caller, '00000000-0000-4000-8000-000000000001'),
  ];
  const behind = intake.place(other.caller, [other.order({ tokenId })]);
  const outcomes = Promise.allSettled(late);
  const { apiKey } = alice.credentials;
  t.equal((await other.signed('DELETE', `/auth/api-key?apiKey=${apiKey}`)).status, 200);
  gate.resolve();
  for (const outcome of await outcomes) {
    const { code, details } = outcome.status === 'rejected' ? outcome.reason : outcome;
    const revokedAt = isoTime(exchange.clock.ms);
    t.strictSame(
      [code, details],
      ['api_key_revoked', { field: 'apiKey', actual: apiKey, revokedAt }],
    );
  }
  t.match(await behind, [{ success: true }], 'another key of the same owner still works');
  const { canceled } = await intake.cancel(other.caller, [live]);
  t.strictSame(canceled, [live], 'it was still live');
});

t.test('revocations outlive a restart', async (t) => {
  const dataDir = temporaryFolder(t);
  const settings = { temporary: false, dataDir };
  const first = await startTestExchange(t, settings);
  const alice = await first.trader(1);
  const old = alice.credentials;
  const builder = await makeBuilderKey(alice);
  const readonly = await makeReadonlyKey(alice);
  await alice.login('1');
  t.equal((await alice.signed('DELETE', `/auth/api-key?apiKey=${old.apiKey}`)).status, 200);
  t.equal(
    (await alice.signed('DELETE', '/auth/readonly-api-key', { key: readonly.apiKey })).status,
    200,
  );
  const known = jsonOf(await alice.signed('GET', '/auth/api-keys?metadata=1&includeRevoked=1'));
  await first.running.close();

  const second = await startTestExchange(t, settings);
  const again = withKey(second, alice, alice.credentials);
  const { text } = await again.signed('GET', '/auth/api-keys?metadata=true&includeRevoked=true');
  t.strictSame(JSON.parse(text), known);
  for (const key of [old, readonly]) {
    const answer = await withKey(second, alice, key).signed('GET', '/data/orders');
    t.match(answer.body, { code: 'api_key_revoked' });
  }
  const timestamp = String(Math.floor(second.clock.ms / 1000));
  const revoke = { method: 'DELETE', path: '/auth/builder-api-key' } as const;
  const headers = builderHeaders(builder, { timestamp, ...revoke });
  t.equal((await second.send(revoke.method, revoke.path, { headers })).status, 200);
  const refused = await second.send(revoke.method, revoke.path, { headers });
  t.match(refused.body, { code: 'api_key_revoked', field: 'POLY_BUILDER_API_KEY' });
});
