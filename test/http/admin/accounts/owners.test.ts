import t from 'tap';
import { shareTestExchange } from '../../exchange-fixture.ts';

const WALLETS = ['c1', 'c2', 'c3'].map((digits) => `0x${digits.repeat(20)}`);

const share = await shareTestExchange(t, { funding: 'ledger' });

t.test('the operator sees the standing, the valid keys and all accounts of an owner', async (t) => {
  const { trader, operator, clock } = share();
  const alice = await trader(1);
  const old = alice.credentials.apiKey;
  await alice.login('7');
  const { apiKey } = alice.credentials;
  await operator('DELETE', `/keys/${old}`, {});
  await operator('POST', `/owners/${alice.address}/standing`, { standing: 'closed_only' });
  for (const address of WALLETS) {
    await operator('POST', '/accounts', { address, owner: alice.address, wallet: 'deposit' });
  }
  const path = `/owners/${alice.address}`;
  const issued = new Date(clock.ms).toISOString();
  const own = { address: alice.address, wallet: 'eoa' };
  const wallets = WALLETS.map((address) => ({ address, wallet: 'deposit' }));
  const { body } = await operator('GET', path);
  t.strictSame(body, {
    owner: alice.address,
    standing: 'closed_only',
    keys: [{ api_key: apiKey, purpose: 'trading', nonce: '7', issued }],
    accounts: [own, ...wallets],
    next_offset: null,
  });
  const pages: [query: string, accounts: object[], next: number | null][] = [
    ['limit=3', [own, ...wallets.slice(0, 2)], 3],
    ['limit=3&offset=3', wallets.slice(2), null],
    ['limit=2&offset=2', wallets.slice(1), null],
    ['offset=9', [], null],
  ];
  for (const [query, accounts, next_offset] of pages) {
    t.match((await operator('GET', `${path}?${query}`)).body, { accounts, next_offset }, query);
  }
});

t.test('an unknown owner is in good standing and has nothing', async (t) => {
  const { operator } = share();
  const owner = `0x${'0b'.repeat(20)}`;
  const nothing = { owner, standing: 'good', keys: [], accounts: [], next_offset: null };
  t.strictSame((await operator('GET', `/owners/${owner}`)).body, nothing);
  const { status, body } = await operator('GET', '/owners/0x12');
  t.match([status, body], [400, { code: 'address_malformed', field: 'address' }]);
});
