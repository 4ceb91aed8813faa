import t from 'tap';
import type { HeaderPrefix } from '../../../http/codec/headers.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { sendTo, shareTestExchange, startTestExchange, Trader } from '../exchange-fixture.ts';
import { makeSigner } from '../signing/fixtures.ts';

const LONG = 'x'.repeat(3000);
/** Numbers of signers above those of all traders of the shared exchange. */
const SIGNERS = 1_000;
const PREFIXES: readonly HeaderPrefix[] = ['SERVICE', 'KUEST', 'POLY'];

const share = await shareTestExchange(t);

t.test('a wallet gets one set of credentials per nonce, the same each time', async (t) => {
  const { running, clock, send } = share();
  for (const [index, prefix] of PREFIXES.entries()) {
    const alice = new Trader({
      url: running.url,
      clock,
      signer: makeSigner(SIGNERS + index),
      prefix,
    });
    const derive = (nonce: string) =>
      send('GET', '/auth/derive-api-key', { headers: alice.walletHeaders({ nonce }) });

    const unknown = await derive('0');
    t.equal(unknown.status, 404);
    t.match(unknown.body, {
      error: prefix === 'POLY' ? 'Could not derive api key!' : 'api key not found',
      code: 'api_key_not_found',
    });
    const created = await alice.login('0');
    t.equal(created.status, 200);
    t.match(created.body, {
      apiKey: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      secret: /^[A-Za-z0-9_-]{43}=$/,
      passphrase: /^[0-9a-f]{64}$/,
    });
    t.strictSame((await alice.login('0')).body, created.body, 'created again');
    t.strictSame((await derive('0')).body, created.body, 'derived');
    t.equal((await derive('5')).status, 404);
    const fifth = await alice.login('5');
    t.not(fifth.body.apiKey, created.body.apiKey);
    t.strictSame((await derive('5')).body, fifth.body);
  }
});

// Account and key were once submitted together: the answer was 403, but derive gave the key.
t.test('an owner whose account is refused gets no key', async (t) => {
  const { running, clock, send, operator, stateHash, trader } = share();
  const bob = await trader(2);
  const alice = new Trader({
    url: running.url,
    clock,
    signer: makeSigner(SIGNERS + 3),
    prefix: 'POLY',
  });
  const wallet = { address: alice.address, owner: bob.address, wallet: 'deposit' };
  t.equal((await operator('POST', '/accounts', wallet)).status, 200);
  const before = stateHash();
  const refused = await alice.login();
  t.equal(refused.status, 403);
  t.match(refused.body, { code: 'account_bound_to_other', actual: alice.address });
  t.equal(stateHash(), before, 'nothing was changed');
  const headers = alice.walletHeaders();
  const derived = await send('GET', '/auth/derive-api-key', { headers });
  t.equal(derived.status, 404);
  t.match(derived.body, { code: 'api_key_not_found' });
});

t.test('an empty JSON body counts as absent', async (t) => {
  const { running, clock } = share();
  const alice = new Trader({
    url: running.url,
    clock,
    signer: makeSigner(SIGNERS + 4),
    prefix: 'KUEST',
  });
  const headers = { ...alice.walletHeaders(), 'content-type': 'application/json' };
  for (const body of [undefined, '', '{}']) {
    t.equal((await sendTo(running.url, 'POST', '/auth/api-key', { headers, body })).status, 200);
  }
});

t.test('credentials are for every configured chain, and outlive a restart', async (t) => {
  const dataDir = temporaryFolder(t);
  const settings = { temporary: false, dataDir };
  const first = await startTestExchange(t, settings);
  const alice = await first.trader(1);
  await first.running.close();

  const second = await startTestExchange(t, settings);
  const { url } = second.running;
  for (const chain of [137, 80_002]) {
    const headers = alice.walletHeaders({ chain });
    const derived = await sendTo(url, 'GET', '/auth/derive-api-key', { headers });
    t.strictSame(derived.body, alice.credentials, `chain ${chain}`);
  }
  const headers = alice.keyHeaders('GET', '/data/orders');
  t.equal((await sendTo(url, 'GET', '/data/orders', { headers })).status, 200);
});

t.test('each fault of the headers has its code', async (t) => {
  const { running, clock, stateHash } = share();
  const before = stateHash();
  for (const prefix of PREFIXES) {
    const alice = new Trader({ url: running.url, clock, signer: makeSigner(SIGNERS + 5), prefix });
    const good = alice.walletHeaders();
    const seconds = Math.floor(clock.ms / 1000);
    const stranger = makeSigner(9).address;
    const without = (part: string): Record<string, string> => {
      const { [`${prefix}_${part}`]: _, ...rest } = good;
      return rest;
    };
    const changed = (part: string, value: string): Record<string, string> => ({
      ...good,
      [`${prefix}_${part}`]: value,
    });
    const late = { field: `${prefix}_TIMESTAMP`, serverTimeMs: clock.ms, windowMs: 300_000 };
    const rows: [headers: Record<string, string>, code: string, details: object][] = [
      [without('ADDRESS'), 'l1_missing_header', { field: `${prefix}_ADDRESS` }],
      [without('TIMESTAMP'), 'l1_missing_header', { field: `${prefix}_TIMESTAMP` }],
      [without('SIGNATURE'), 'l1_missing_header', { field: `${prefix}_SIGNATURE` }],
      [changed('ADDRESS', '0x12'), 'l1_malformed_header', { actual: '0x12' }],
      [changed('TIMESTAMP', 'now'), 'l1_malformed_header', { actual: 'now' }],
      [changed('ADDRESS', LONG), 'l1_malformed_header', { actual: `${LONG.slice(0, 128)}...` }],
      [changed('NONCE', '-1'), 'l1_malformed_header', { field: `${prefix}_NONCE` }],
      [changed('SIGNATURE', '0x12'), 'l1_malformed_header', { field: `${prefix}_SIGNATURE` }],
      [alice.walletHeaders({ timestamp: `${seconds - 301}` }), 'l1_stale_timestamp', late],
      [alice.walletHeaders({ timestamp: `${seconds + 302}` }), 'l1_stale_timestamp', late],
      [
        changed('ADDRESS', stranger),
        'l1_bad_signature',
        { recovered: [{ chainId: 137 }, { chainId: 80_002 }] },
      ],
      [changed('NONCE', '1'), 'l1_bad_signature', {}],
      [alice.walletHeaders({ chain: 1 }), 'l1_bad_signature', {}],
    ];
    for (const [headers, code, details] of rows) {
      const answer = await sendTo(running.url, 'POST', '/auth/api-key', { headers });
      t.equal(answer.status, 401, `${prefix} ${code}`);
      t.match(answer.body, { error: 'Invalid L1 Request headers', code, ...details });
    }
  }
  t.equal(stateHash(), before, 'nothing was changed');
});

t.test(
  'under paper funding an account starts with play money, under ledger with none',
  async (t) => {
    for (const [funding, cash] of [
      ['paper', 10_000_000_000],
      ['ledger', 0],
    ] as const) {
      const { trader, plain } =
        funding === 'paper' ? share() : await startTestExchange(t, { funding });
      const alice = await trader(1);
      const [tokenId] = plain.tokenIds;
      const answer = await alice.place({ tokenId, priceTicks: 5000, lots: 2_000_100 });
      t.match(answer.body, {
        code: 'not_enough_cash',
        required: '10000.5',
        available: String(cash / 1_000_000),
      });
    }
  },
);
