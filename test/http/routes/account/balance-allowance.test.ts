import { AssetType, Chain } from '@polymarket/clob-client-v2';
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { DEFAULT_DOMAINS } from '../../../../http/signing/domains.ts';
import { depositWallet, proxyWallet, safeWallet } from '../../../owned-wallets.ts';
import { slowDisk } from '../../../persistence/journal/test-disk.ts';
import { newTrader } from '../../../published-client.ts';
import { jsonOf, makeReadonlyKey, withKey } from '../../auth/key-fixture.ts';
import { shareTestExchange, type Trader } from '../../exchange-fixture.ts';

const UNLIMITED = String(2n ** 256n - 1n);
const WALLET = `0x${'7'.repeat(40)}`;
const SECOND_WALLET = `0x${'8'.repeat(40)}`;
const PAPER = '10000000000';

async function balanceOf(who: Trader, query: string): Promise<unknown> {
  return jsonOf(await who.signed('GET', `/balance-allowance?${query}`));
}

/** The exchange uses this machine's clock, like the published client. */
const share = await shareTestExchange(t, { now: Date.now });
/** Exchanges without play money, with a disk so slow that its delay shows. */
const shareLedger = await shareTestExchange(t, { journalDisk: slowDisk(100), funding: 'ledger' });

t.test('a balance is the sum of available and held, in base units', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const [yes, no] = exchange.plain.tokenIds;
  // Together they make 10 sets; then Alice offers 5 of her tokens, and bids for 5 of the others.
  await alice.place({ tokenId: yes, priceTicks: 6000, lots: 1000 });
  await bob.place({ tokenId: no, priceTicks: 4000, lots: 1000 });
  await alice.place({ tokenId: yes, side: 'SELL', priceTicks: 9900, lots: 500 });
  await alice.place({ tokenId: no, priceTicks: 100, lots: 500 });
  const contracts = new Set(DEFAULT_DOMAINS.map(({ contract }) => toChecksumAddress(contract)));
  const shared = {
    allowances: Object.fromEntries([...contracts].map((contract) => [contract, UNLIMITED])),
    allowance: UNLIMITED,
    address: toChecksumAddress(alice.address),
    is_open: true,
  };
  t.strictSame(await balanceOf(alice, 'asset_type=COLLATERAL&signature_type=0'), {
    balance: '9994000000',
    ...shared,
    available: '9993950000',
    held: '50000',
  });
  const tokens = { balance: '10000000', ...shared, available: '5000000', held: '5000000' };
  t.strictSame(await balanceOf(alice, `asset_type=CONDITIONAL&token_id=${yes}`), tokens);
  const hexadecimal = `0x${BigInt(yes).toString(16)}`;
  t.strictSame(await balanceOf(alice, `asset_type=CONDITIONAL&token_id=${hexadecimal}`), tokens);
  t.match(await balanceOf(alice, `asset_type=CONDITIONAL&token_id=${no}`), { balance: '0' });
  const update = await alice.signed('GET', '/balance-allowance/update?asset_type=COLLATERAL');
  t.strictSame(jsonOf(update), await balanceOf(alice, 'asset_type=COLLATERAL&token_id='));
  const reader = withKey(exchange, alice, await makeReadonlyKey(alice));
  t.strictSame(await balanceOf(reader, `asset_type=CONDITIONAL&token_id=${yes}`), tokens);
});

t.test('the signature type or an address selects the account', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const ask = (query: string) => balanceOf(alice, `asset_type=COLLATERAL&${query}`);
  const closed = { balance: PAPER, available: PAPER, held: '0', is_open: false };
  const [proxy, safe] = [proxyWallet(alice.address), safeWallet(alice.address)];
  t.match(await ask('signature_type=0'), { address: toChecksumAddress(alice.address) });
  t.match(await ask('signature_type=1'), { ...closed, address: toChecksumAddress(proxy) });
  t.match(await ask('signature_type=2'), { ...closed, address: toChecksumAddress(safe) });
  const deposit = toChecksumAddress(depositWallet(alice.address));
  t.match(await ask('signature_type=3'), { ...closed, address: deposit });
  t.match(await ask(`address=${safe}`), { ...closed, address: toChecksumAddress(safe) });

  const [tokenId] = exchange.plain.tokenIds;
  const place = (wallet: string, lots: number) =>
    alice.signed('POST', '/order', alice.walletOrder({ tokenId, priceTicks: 3000, lots }, wallet));
  await place(WALLET, 1000);
  await place(SECOND_WALLET, 2000);
  const first = { held: '3000000', is_open: true, address: toChecksumAddress(WALLET) };
  t.match(await ask('signature_type=3'), first);
  t.match(await ask(`address=${WALLET}`), first, 'whatever the type');
  t.match(await ask(`signature_type=3&address=${SECOND_WALLET}`), { held: '6000000' });
  t.match(await balanceOf(alice, `asset_type=CONDITIONAL&token_id=${tokenId}&signature_type=1`), {
    balance: '0',
    is_open: false,
  });
  const foreign = [bob.address, proxyWallet(bob.address), `0x${'9'.repeat(40)}`];
  for (const address of foreign) {
    const answer = await alice.signed(
      'GET',
      `/balance-allowance?asset_type=COLLATERAL&address=${address}`,
    );
    t.equal(answer.status, 403);
    t.match(answer.body, { code: 'account_not_yours', field: 'address', actual: address });
  }
});

t.test('PUT changes nothing, and refuses what GET refuses', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const [tokenId] = exchange.plain.tokenIds;
  const put = (query: string) => alice.signed('PUT', `/balance-allowance?${query}`);
  const rows: readonly (readonly [query: string, status: number, body: object])[] = [
    ['asset_type=COLLATERAL&signature_type=3', 200, {}],
    [`asset_type=CONDITIONAL&token_id=${tokenId}`, 200, {}],
    ['', 400, { code: 'missing_field', field: 'asset_type' }],
    ['asset_type=CASH', 400, { code: 'invalid_parameter', field: 'asset_type' }],
    ['asset_type=CONDITIONAL', 400, { code: 'missing_field', field: 'token_id' }],
    ['asset_type=CONDITIONAL&token_id=7', 400, { code: 'token_unknown', field: 'token_id' }],
    ['asset_type=COLLATERAL&signature_type=4', 400, { field: 'signature_type' }],
    ['asset_type=COLLATERAL&address=0x1', 400, { field: 'address' }],
    [`asset_type=COLLATERAL&address=${WALLET}`, 403, { code: 'account_not_yours' }],
  ];
  const before = exchange.stateHash();
  for (const [query, status, body] of rows) t.match(await put(query), { status, body }, query);
  t.equal(exchange.stateHash(), before);
});

t.test('a wallet that the operator bound to somebody else is not shown', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const address = proxyWallet(alice.address);
  const wallet = { address, owner: bob.address, wallet: 'deposit' };
  t.equal((await exchange.operator('POST', '/accounts', wallet)).status, 200);
  t.match(await balanceOf(alice, 'asset_type=COLLATERAL&signature_type=1'), {
    code: 'account_not_yours',
    actual: address,
  });
  t.match(await balanceOf(bob, 'asset_type=COLLATERAL&signature_type=3'), {
    address: toChecksumAddress(address),
  });
});

t.test('without play money an account that is not open has a balance of zero', async (t) => {
  const exchange = shareLedger();
  const alice = await exchange.trader(1);
  for (const [type, isOpen] of [
    [0, true],
    [1, false],
    [3, false],
  ] as const) {
    t.match(await balanceOf(alice, `asset_type=COLLATERAL&signature_type=${type}`), {
      balance: '0',
      available: '0',
      is_open: isOpen,
    });
  }
});

t.test('each fault of the query has its code', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const rows: readonly (readonly [query: string, expected: object])[] = [
    ['', { code: 'missing_field', field: 'asset_type' }],
    ['asset_type=CASH', { code: 'invalid_parameter', field: 'asset_type', actual: 'CASH' }],
    ['asset_type=COLLATERAL&signature_type=4', { field: 'signature_type', actual: 4 }],
    ['asset_type=COLLATERAL&signature_type=-1', { field: 'signature_type', actual: -1 }],
    ['asset_type=COLLATERAL&signature_type=x', { field: 'signature_type', actual: 'x' }],
    ['asset_type=COLLATERAL&address=0x12', { field: 'address', actual: '0x12' }],
    ['asset_type=CONDITIONAL', { code: 'missing_field', field: 'token_id' }],
    ['asset_type=CONDITIONAL&token_id=', { code: 'missing_field', field: 'token_id' }],
    ['asset_type=CONDITIONAL&token_id=x', { code: 'invalid_parameter', field: 'token_id' }],
    ['asset_type=CONDITIONAL&token_id=7', { code: 'token_unknown', actual: '7' }],
  ];
  for (const path of ['/balance-allowance', '/balance-allowance/update']) {
    for (const [query, expected] of rows) {
      const answer = await alice.signed('GET', `${path}?${query}`);
      t.equal(answer.status, 400, query);
      t.match(answer.body, expected, query);
    }
    t.equal((await alice.send('GET', `${path}?asset_type=COLLATERAL`)).status, 401);
  }
});

t.test('a balance shows deposits, orders and fills, once they are durable', async (t) => {
  const exchange = shareLedger();
  const { exchange: store } = exchange.running.services;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  const deposit = (account: string) =>
    exchange.operator('POST', '/deposits', { account, amount: '10', key: account });
  await deposit(bob.address);
  const cash = (available: string, held: string) => ({
    balance: String(Number(available) + Number(held)),
    available,
    held,
  });
  const token = `asset_type=CONDITIONAL&token_id=${yes}`;
  const rows: readonly (readonly [write: () => Promise<unknown>, seen: object, tokens: string])[] =
    [
      [() => deposit(alice.address), cash('10000000', '0'), '0'],
      [() => alice.place({ tokenId: yes, priceTicks: 4000 }), cash('6000000', '4000000'), '0'],
      [
        () => bob.place({ tokenId: no, priceTicks: 6000, lots: 500 }),
        cash('6000000', '2000000'),
        '5000000',
      ],
    ];
  for (const [write, seen, tokens] of rows) {
    const before = store.appliedSeq;
    const written = write();
    while (store.appliedSeq === before) await new Promise((resolve) => setImmediate(resolve));
    const wanted = store.appliedSeq;
    t.match(await balanceOf(alice, 'asset_type=COLLATERAL'), seen);
    t.ok(store.durableSeq >= wanted, 'the read waited for the disk');
    await written;
    t.match(await balanceOf(alice, token), { balance: tokens, available: tokens, held: '0' });
  }
});

t.test('the published client sees its balances', async (t) => {
  const { running, plain } = share();
  const { client } = await newTrader('Alice', running.url, Chain.POLYGON);
  const cash = await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL });
  t.match(cash, { balance: PAPER });
  const [token_id] = plain.tokenIds;
  const token = { asset_type: AssetType.CONDITIONAL, token_id };
  t.match(await client.getBalanceAllowance(token), { balance: '0' });
  await client.updateBalanceAllowance(token);
});
