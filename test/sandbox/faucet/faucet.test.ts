// The faucet: what it gives, what makes it refuse, and that a repeated request gives nothing.
import t from 'tap';
import { micros } from '../../../engine/index.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { FAUCET_BOUNDS } from '../../../sandbox/faucet/bounds.ts';
import {
  shareTestExchange,
  startTestExchange,
  type TestExchange,
} from '../../http/exchange-fixture.ts';
import { makeSigner } from '../../http/signing/fixtures.ts';
import { proxyWallet, safeWallet } from '../../owned-wallets.ts';

const FEE_ACCOUNT = `0x${'0'.repeat(37)}fee`;
/** What a new account has. */
const PAPER = 12_000;

/** Not shared with other files: one test uses up all the play money that the faucet may give. */
const share = await shareTestExchange(t, { paperMicros: PAPER * 1_000_000 });
const strict = await shareTestExchange(t, { strict: true });
const ledger = await shareTestExchange(t, { funding: 'ledger' });
const admitting = await shareTestExchange(t, { newOwners: 'operator' });

interface Invited {
  readonly invitation: string;
}

let last = 900;
/** An address that has no account yet. */
function newAddress(): string {
  last += 1;
  return makeSigner(last).address;
}

function ask({ send }: Pick<TestExchange, 'send'>, body: unknown) {
  return send('POST', '/faucet', { body: typeof body === 'string' ? body : JSON.stringify(body) });
}

async function audited({ operator }: TestExchange): Promise<unknown> {
  return JSON.parse((await operator('GET', '/audit')).text).ok;
}

t.test('it opens an account and gives money, once for each key', async (t) => {
  const exchange = share();
  const address = newAddress();
  const first = await ask(exchange, { address, amount: '250.5', key: 'k' });
  t.strictSame(first.body, {
    address: toChecksumAddress(address),
    amount: '250.5',
    key: 'k',
    opened: true,
    duplicate: false,
    balance: `${PAPER + 250.5}`,
    available: `${PAPER + 250.5}`,
  });
  const again = await ask(exchange, { address, amount: '250.5', key: 'k' });
  t.match(again.body, { opened: false, duplicate: true, balance: `${PAPER + 250.5}` });
  const other = await ask(exchange, { address, amount: '1', key: 'k' });
  t.match(other, { status: 409, body: { code: 'money_key_reused' } });
  const noKey = await ask(exchange, { address });
  t.match(noKey.body, { amount: '1000', duplicate: false, balance: `${PAPER + 1_250.5}` });
  const next = newAddress();
  const twice = [1, 2].map(() => ask(exchange, { address: next, amount: '250.5', key: 'k' }));
  const answers = await Promise.all(twice);
  t.strictSame(
    answers.map(({ body }) => body.duplicate),
    [false, true],
    'a key belongs to its address; the second of two at the same time is a repetition',
  );
  const { body } = await exchange.operator('GET', '/actions?by=sandbox&kind=deposit&limit=1');
  t.match(body.data, [{ reason: 'faucet', command: { account: next, key: `faucet:${next}:k` } }]);
  t.equal(await audited(exchange), true);
});

t.test('it gives complete sets, once for each key', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const market = exchange.plain.conditionId;
  const sets = { address: alice.address, market, amount: '40', key: 'sets' };
  const before = await exchange.running.services.exchange.balance(alice.address, '');
  t.match((await ask(exchange, sets)).body, { market, amount: '40', duplicate: false });
  t.match((await ask(exchange, sets)).body, { market, duplicate: true });
  const { exchange: store } = exchange.running.services;
  for (const tokenId of exchange.plain.tokenIds) {
    t.match(await store.balance(alice.address, tokenId), { available: 4_000 }, 'in lots');
  }
  t.strictSame(await store.balance(alice.address, ''), before, 'and it costs nothing');
  const asCash = await ask(exchange, { ...sets, market: undefined });
  t.match(asCash, { status: 409, body: { code: 'money_key_reused' } });
  await ask(exchange, { address: alice.address, amount: '40', key: 'cash' });
  const asSets = await ask(exchange, { ...sets, key: 'cash' });
  t.match(asSets, { status: 409, body: { code: 'money_key_reused' } });
  t.match(await store.balance(alice.address, ''), { available: before.available + 40_000_000 });
  const sold = await alice.place({ tokenId: exchange.plain.tokenIds[0], side: 'SELL' });
  t.match(sold.body, { status: 'live' }, 'what it gave can be sold');
  t.equal(await audited(exchange), true);
});

t.test('an owner gets one gift, or one a day, and nobody where the faucet is off', async (t) => {
  for (const faucet of ['once', 'daily', 'off'] as const) {
    const exchange = await startTestExchange(t, { faucet, faucetMicros: 50_000_000 });
    const owner = newAddress();
    const wallet = proxyWallet(owner);
    const answers = async () => {
      const told: unknown[] = [];
      for (const body of [
        { address: owner, amount: '51' },
        { address: owner },
        { address: owner, key: 'again' },
        { address: owner, amount: '1' },
        { address: wallet, owner },
      ]) {
        const { text } = await ask(exchange, body);
        const { code, amount, duplicate } = JSON.parse(text);
        told.push(code ?? [amount, duplicate]);
      }
      return told;
    };
    const first = ['amount_out_of_bounds', ['50', false], ['50', true]];
    const given = [...first, 'faucet_spent', 'faucet_spent'];
    const closed = Array(5).fill('faucet_closed');
    t.strictSame(await answers(), faucet === 'off' ? closed : given, faucet);
    exchange.clock.ms += 86_400_000;
    const next = { once: ['50', true], daily: ['50', false], off: 'faucet_closed' }[faucet];
    t.strictSame((await answers())[1], next, `${faucet}, a day later`);
    t.equal(await audited(exchange), true);
  }
});

t.test('an invitation opens one account, with its money, until it ends', async (t) => {
  const exchange = admitting();
  const { operator, send, trader, clock } = exchange;
  const make = async (body: object) =>
    JSON.parse((await operator('POST', '/invitations', body)).text);
  for (const [body, field] of [
    [{ count: 0 }, 'count'],
    [{ count: 1_001 }, 'count'],
    [{ days: 91 }, 'days'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '100000.1' }, 'amount'],
  ] as const) {
    t.match(await operator('POST', '/invitations', body), { status: 400, body: { field } });
  }
  const made = await make({ count: 2, amount: '70', days: 1 });
  t.match(made, { amount: '70', invitations: [{ path: /^\/ui\/#\/join\// }, {}] });
  const [first, second] = made.invitations.map(({ invitation }: Invited) => invitation);
  t.not(first, second);
  const [alice, bob] = [await trader(5), await trader(6)];
  const accept = async (who: typeof alice, invitation: string) => {
    const headers = who.walletHeaders();
    const { text } = await send('POST', '/invitations/accept', {
      headers,
      body: JSON.stringify({ invitation }),
    });
    const { code, address, amount, duplicate } = JSON.parse(text);
    return code ?? [address, amount, duplicate];
  };
  t.equal((await alice.login()).status, 403);
  const forged = `${first.slice(0, -1)}${first.endsWith('A') ? 'Q' : 'A'}`;
  for (const wrong of ['', 'x', first.slice(1), forged, `${first}AAAA`]) {
    t.equal(await accept(alice, wrong), 'invitation_unknown', wrong);
  }
  const address = toChecksumAddress(alice.address);
  t.strictSame(await accept(alice, first), [address, '70', false]);
  t.strictSame(await accept(alice, first), [address, '70', true]);
  t.equal((await alice.login()).status, 200);
  t.equal(await accept(bob, first), 'invitation_used');
  t.equal((await bob.login()).status, 403);
  const { body } = await operator('GET', '/actions?by=sandbox&kind=deposit&limit=1');
  t.match(body.data, [{ reason: 'invitation', command: { account: alice.address } }]);
  t.notOk(JSON.stringify(body).includes(first), 'the code is stored nowhere');
  clock.ms += 86_400_000;
  t.equal(await accept(bob, second), 'invitation_ended');
  t.equal(await audited(exchange), true);
});

t.test('a wallet that follows from its owner opens for the owner', async (t) => {
  const exchange = share();
  for (const [kind, walletFor] of [
    ['proxy', proxyWallet],
    ['safe', safeWallet],
  ] as const) {
    const owner = newAddress();
    const address = walletFor(owner);
    t.match((await ask(exchange, { address, owner })).body, { opened: true });
    t.match(exchange.running.services.registry.accountsOf(owner), [{ address, wallet: kind }]);
    t.match((await ask(exchange, { address })).body, { opened: false }, 'open: no owner is needed');
    const wrong = await ask(exchange, { address, owner: newAddress() });
    t.match(wrong, { status: 403, body: { code: 'account_bound_to_other', field: 'owner' } });
  }
});

t.test('what it refuses changes nothing', async (t) => {
  const exchange = share();
  const { conditionId: market } = exchange.negRisk;
  // The fee account opens with the first market that charges fees.
  await exchange.operator('POST', `/markets/${market}/terms`, { taker_fee_bps: 100 });
  const address = newAddress();
  const owner = newAddress();
  const UPPER = address.toUpperCase().replace('0X', '0x');
  const notAnAddress = 'an address, all lower case or with its EIP-55 checksum';
  type Row = [body: unknown, status: number, code: string, field: string, limit?: unknown];
  const rows: readonly Row[] = [
    ['', 400, 'invalid_payload', 'body'],
    ['{', 400, 'malformed_json', 'body'],
    ['[]', 400, 'invalid_payload', 'body'],
    [{}, 400, 'missing_field', 'address'],
    [{ address: 7 }, 400, 'invalid_payload', 'address', 'string'],
    [{ address: '0x12' }, 400, 'address_malformed', 'address', notAnAddress],
    [{ address: UPPER }, 400, 'address_malformed', 'address', notAnAddress],
    [{ address, owner: 'me' }, 400, 'address_malformed', 'owner', notAnAddress],
    [{ address, owner }, 400, 'wallet_not_derived', 'address', owner],
    [{ address: FEE_ACCOUNT }, 403, 'address_reserved', 'address'],
    [{ address, amount: 5 }, 400, 'invalid_payload', 'amount', 'string'],
    [{ address, amount: '' }, 400, 'amount_out_of_bounds', 'amount'],
    [{ address, amount: '0' }, 400, 'amount_out_of_bounds', 'amount'],
    [{ address, amount: '-1' }, 400, 'amount_out_of_bounds', 'amount'],
    [{ address, amount: '1e3' }, 400, 'amount_out_of_bounds', 'amount'],
    [{ address, amount: '0.0000001' }, 400, 'amount_out_of_bounds', 'amount'],
    [
      { address, amount: '100000.000001' },
      400,
      'amount_out_of_bounds',
      'amount',
      '0.000001..100000',
    ],
    [{ address, key: '' }, 400, 'invalid_payload', 'key'],
    [{ address, key: 'two words' }, 400, 'invalid_payload', 'key'],
    [{ address, key: 'k'.repeat(65) }, 400, 'invalid_payload', 'key'],
    [{ address, market: 7 }, 400, 'invalid_payload', 'market', 'string'],
    [{ address, market: `0x${'33'.repeat(32)}` }, 400, 'market_unknown', 'market'],
    [{ address, market, amount: '0.001' }, 400, 'amount_off_grid', 'amount', '0.01'],
  ];
  const { stateHash } = exchange;
  const before = stateHash();
  for (const [body, status, code, field, limit] of rows) {
    const answer = await ask(exchange, body);
    const details = limit === undefined ? { code, field } : { code, field, limit };
    t.match([answer.status, answer.body], [status, details], JSON.stringify(body));
  }
  t.equal(stateHash(), before);
});

t.test('sets are given only where the account may buy them now', async (t) => {
  const exchange = share();
  const { operator, plain, running, stateHash } = exchange;
  const alice = await exchange.trader(1);
  const { address } = alice;
  const market = plain.conditionId;
  const path = `/markets/${market}`;
  const standing = (value: string) =>
    operator('POST', `/owners/${address}/standing`, { standing: value });
  const refused = async (code: string, field: string): Promise<void> => {
    const before = stateHash();
    t.match((await ask(exchange, { address, market })).body, { code, field });
    t.equal(stateHash(), before, code);
  };
  await operator('POST', `${path}/state`, { state: 'halted' });
  await refused('market_paused', 'market');
  await operator('POST', `${path}/state`, { state: 'open' });
  await operator('POST', '/exchange/state', { state: 'cancel_only' });
  await refused('exchange_paused', 'state');
  t.match((await ask(exchange, { address })).status, 200, 'money is given all the same');
  await operator('POST', '/exchange/state', { state: 'open' });
  await standing('closed_only');
  await refused('owner_closed_only', 'address');
  await standing('banned');
  await refused('owner_banned', 'address');
  await standing('good');
  await operator('POST', `${path}/close`, {});
  await refused('market_closed', 'market');
  t.equal(running.services.registry.tradingState, 'open');
});

t.test('it fills an account up to its bound, and a retry of the last gift is known', async (t) => {
  const exchange = share();
  const address = newAddress();
  const most = FAUCET_BOUNDS.accountMicros / 1_000_000;
  await exchange.operator('POST', '/accounts', { address, owner: address, wallet: 'eoa' });
  const deposit = { account: address, amount: `${most - PAPER - 10}`, key: address };
  t.equal((await exchange.operator('POST', '/deposits', deposit)).status, 200);
  const refused = await ask(exchange, { address, amount: '10.000001' });
  t.match(refused, {
    status: 409,
    body: { code: 'faucet_full', field: 'amount', limit: `${most}`, actual: `${most - 10}` },
  });
  const fit = { address, amount: '10', key: 'fit' };
  t.match(await ask(exchange, fit), { status: 200, body: { balance: `${most}` } });
  t.match(await ask(exchange, fit), { status: 200, body: { duplicate: true } });
});

t.test('all play money together is bounded, and some is left for new accounts', async (t) => {
  const exchange = share();
  const { exchange: store } = exchange.running.services;
  const vault = newAddress();
  await exchange.operator('POST', '/accounts', { address: vault, owner: vault, wallet: 'eoa' });
  const { depositedMicros } = store.state.totals();
  const restMicros = FAUCET_BOUNDS.allMicros - depositedMicros - 20_000_000;
  for (let left = restMicros, part = 0; left > 0; part += 1) {
    const amountMicros = micros(Math.min(left, 1_000_000_000_000_000));
    await store.submit({ kind: 'deposit', account: vault, amountMicros, key: `vault-${part}` });
    left -= amountMicros;
  }
  const alice = (await exchange.trader(1)).address;
  const { depositedMicros: nowMicros } = store.state.totals();
  const room = (FAUCET_BOUNDS.allMicros - nowMicros) / 1_000_000;
  t.match(await ask(exchange, { address: alice, amount: `${20}` }), {
    status: 409,
    body: { code: 'deposits_exhausted', field: 'amount', limit: `${Math.max(0, room)}` },
  });
  t.match((await exchange.trader(2)).credentials.apiKey, /-/, 'a new account still opens');
});

t.test('it does not exist where money is at stake', async (t) => {
  for (const start of [strict, ledger]) {
    const exchange = start();
    const before = exchange.stateHash();
    const answer = await ask(exchange, { address: newAddress() });
    t.match(answer, { status: 403, body: { code: 'sandbox_only' } });
    const signed = await exchange.send('POST', '/sign-order', { body: '{}' });
    t.match(signed, { status: 403, body: { code: 'sandbox_only' } });
    t.equal(exchange.stateHash(), before);
  }
});

t.test('it opens no first account where the operator admits owners', async (t) => {
  const exchange = admitting();
  const owner = newAddress();
  const address = safeWallet(owner);
  const before = exchange.stateHash();
  const refused = await ask(exchange, { address, owner });
  t.match(refused, { status: 403, body: { code: 'owner_not_admitted', actual: owner } });
  t.equal(exchange.stateHash(), before);
  await exchange.operator('POST', '/accounts', { address: owner, owner, wallet: 'eoa' });
  t.match(await ask(exchange, { address, owner }), { status: 200, body: { opened: true } });
});
