// Splits, merges, redemptions and conversions by the account holder and by the operator.
import t from 'tap';
import { lots } from '../../../../engine/index.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';

const UNKNOWN = `0x${'33'.repeat(32)}`;
/** An address without an account, and one with an account. */
const WALLET = `0x${'7'.repeat(40)}`;
const BOUND_WALLET = `0x${'8'.repeat(40)}`;

/** What an account has: cash, then YES and NO of a market, in units. */
async function has(
  exchange: TestExchange,
  account: string,
  tokenIds: readonly string[],
): Promise<readonly number[]> {
  const { exchange: store } = exchange.running.services;
  const balances = await Promise.all(['', ...tokenIds].map((id) => store.balance(account, id)));
  return balances.map(({ available }, index) => available / (index === 0 ? 1_000_000 : 100));
}

async function move(who: Trader, path: string, body: object) {
  const { status, body: told } = await who.signed('POST', path, body);
  return [status, told] as const;
}

const share = await shareTestExchange(t);

t.test('cash becomes sets and sets become cash, once for each key', async (t) => {
  const exchange = share();
  const { conditionId: market, tokenIds } = exchange.plain;
  const alice = await exchange.trader(1);
  const account = alice.address;
  const [cash = 0] = await has(exchange, account, []);
  const split = { market, amount: '12.50', key: 'a' };
  const told = { account, market, amount: '12.5', cash: '-12.5', key: 'a' };
  t.strictSame(await move(alice, '/sets/split', split), [200, { ...told, duplicate: false }]);
  t.strictSame(await has(exchange, account, tokenIds), [cash - 12.5, 12.5, 12.5]);
  t.strictSame(await move(alice, '/sets/split', split), [200, { ...told, duplicate: true }]);
  const merge = { market: market.toUpperCase().replace('0X', '0x'), amount: '2', key: 'b' };
  const merged = { account, market, amount: '2', cash: '2', key: 'b' };
  t.strictSame(await move(alice, '/sets/merge', merge), [200, { ...merged, duplicate: false }]);
  t.strictSame(await move(alice, '/sets/merge', merge), [200, { ...merged, duplicate: true }]);
  t.strictSame(await has(exchange, account, tokenIds), [cash - 10.5, 10.5, 10.5]);
  const bob = await exchange.trader(2);
  t.match(
    await move(bob, '/sets/split', split),
    [200, { duplicate: false }],
    'each owner has its own keys',
  );
});

t.test('an impossible move is refused with the fields of the request', async (t) => {
  const exchange = share();
  const { conditionId: market, tokenIds } = exchange.plain;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const good = { market, amount: '10', key: 'a' };
  await move(alice, '/sets/split', good);
  await alice.place({ tokenId: tokenIds[1], side: 'SELL', priceTicks: 9000, lots: 600 });
  const most = '0.01..1000000000';
  const rows: [path: string, changes: object, status: number, told: object][] = [
    ['/sets/split', { market: undefined }, 400, { code: 'missing_field', field: 'market' }],
    ['/sets/split', { key: undefined }, 400, { code: 'missing_field', field: 'key' }],
    ['/sets/split', { amount: 10 }, 400, { code: 'invalid_payload', field: 'amount' }],
    ['/sets/split', { market: UNKNOWN }, 400, { code: 'market_unknown', field: 'market' }],
    ['/sets/split', { amount: '0.005' }, 400, { code: 'amount_off_grid', limit: '0.01' }],
    ['/sets/split', { amount: '0' }, 400, { code: 'amount_out_of_bounds', field: 'amount' }],
    ['/sets/split', { amount: '-1' }, 400, { code: 'amount_out_of_bounds', actual: '-1' }],
    ['/sets/split', { amount: '1e2' }, 400, { code: 'amount_out_of_bounds', actual: '1e2' }],
    ['/sets/split', { amount: '9999999999' }, 400, { code: 'amount_out_of_bounds', limit: most }],
    ['/sets/split', { key: '' }, 400, { code: 'money_key_malformed', field: 'key' }],
    ['/sets/split', { key: 'two words' }, 400, { code: 'money_key_malformed', field: 'key' }],
    ['/sets/split', { account: '0x1' }, 400, { code: 'address_malformed', field: 'account' }],
    ['/sets/split', { account: WALLET }, 400, { code: 'account_unknown', field: 'account' }],
    [
      '/sets/split',
      { account: bob.address },
      403,
      { code: 'account_not_yours', actual: bob.address },
    ],
    ['/sets/split', { amount: '11' }, 409, { code: 'money_key_reused', field: 'key' }],
    ['/sets/merge', {}, 409, { code: 'money_key_reused', field: 'key', actual: 'a' }],
    [
      '/sets/split',
      { key: 'b', amount: '100000' },
      400,
      { code: 'not_enough_cash', asset: 'cash', required: '100000' },
    ],
    [
      '/sets/merge',
      { key: 'b' },
      400,
      { code: 'not_enough_tokens', asset: tokenIds[1], required: '10', available: '4', held: '6' },
    ],
    ['/sets/redeem', {}, 409, { code: 'money_key_reused' }],
    [
      '/sets/redeem',
      { key: 'b' },
      409,
      { code: 'market_not_resolved', field: 'market', actual: market },
    ],
  ];
  const before = exchange.stateHash();
  for (const [path, changes, status, told] of rows) {
    const answer = await move(alice, path, { ...good, ...changes });
    t.match(answer, [status, told], `${path} ${JSON.stringify(changes)}`);
  }
  t.equal(exchange.stateHash(), before, 'nothing was changed');
});

t.test('a wallet of the owner may be named', async (t) => {
  const exchange = share();
  const { conditionId: market, tokenIds } = exchange.plain;
  const alice = await exchange.trader(1);
  const wallet = { address: BOUND_WALLET, owner: alice.address, wallet: 'deposit' };
  await exchange.operator('POST', '/accounts', wallet);
  const body = { market, amount: '3', key: 'a', account: BOUND_WALLET };
  t.match(await move(alice, '/sets/split', body), [200, { account: BOUND_WALLET }]);
  t.strictSame((await has(exchange, BOUND_WALLET, tokenIds)).slice(1), [3, 3]);
  t.strictSame((await has(exchange, alice.address, tokenIds)).slice(1), [0, 0]);
});

t.test("only a trading key moves tokens, in the order of the owner's requests", async (t) => {
  const exchange = share();
  const { plain, running } = exchange;
  const { intake } = running.services;
  const alice = await exchange.trader(1);
  const readonly = (await alice.signed('POST', '/auth/readonly-api-key')).body;
  const trading = alice.credentials;
  alice.credentials = readonly;
  const body = { market: plain.conditionId, amount: '1', key: 'a' };
  for (const path of ['/sets/split', '/sets/merge', '/sets/redeem', '/sets/convert']) {
    t.match(await move(alice, path, body), [403, { code: 'read_only_key' }], path);
  }
  alice.credentials = trading;
  // The cash suffices only for the first of the two.
  const order = alice.order({ tokenId: plain.tokenIds[0], priceTicks: 6000, lots: 1_000_000 });
  const placed = intake.place(alice.caller, [order]);
  const moved = intake.moveTokens(alice.caller, {
    kind: 'split',
    account: alice.address,
    owner: alice.address,
    conditionId: plain.conditionId,
    lots: lots(600_000),
    key: 'a',
  });
  const details = { asset: 'cash', available: '4000', held: '6000' };
  await t.rejects(moved, { code: 'not_enough_cash', details });
  t.match(await placed, [{ success: true }]);
});

t.test('a pause stops merges only when it halts', async (t) => {
  const exchange = share();
  const { conditionId: market } = exchange.plain;
  const alice = await exchange.trader(1);
  let key = 0;
  const both = async (): Promise<readonly string[]> => {
    key += 1;
    const told = [];
    for (const path of ['/sets/split', '/sets/merge']) {
      const [, body] = await move(alice, path, { market, amount: '1', key: `${path}${key}` });
      told.push(body.code ?? 'done');
    }
    return told;
  };
  const rows: [path: string, body: object, told: readonly string[]][] = [
    ['/exchange/state', { state: 'cancel_only' }, ['done', 'done']],
    ['/exchange/state', { state: 'halted' }, ['exchange_halted', 'exchange_halted']],
    ['/exchange/state', { state: 'open' }, ['done', 'done']],
    [`/markets/${market}/state`, { state: 'halted' }, ['market_halted', 'market_halted']],
    [`/markets/${market}/state`, { state: 'open' }, ['done', 'done']],
    [
      `/owners/${alice.address}/standing`,
      { standing: 'banned' },
      ['owner_banned', 'not_enough_tokens'],
    ],
    [
      `/owners/${alice.address}/standing`,
      { standing: 'closed_only' },
      ['owner_closed_only', 'not_enough_tokens'],
    ],
    [`/owners/${alice.address}/standing`, { standing: 'good' }, ['done', 'done']],
    [`/markets/${market}/close`, {}, ['market_closed', 'not_enough_tokens']],
  ];
  for (const [path, body, told] of rows) {
    await exchange.operator('POST', path, body);
    t.strictSame(await both(), told, `${path} ${JSON.stringify(body)}`);
  }
});

t.test('the operator moves for any account, with keys of its own', async (t) => {
  const exchange = share();
  const { conditionId: market, tokenIds } = exchange.plain;
  const alice = await exchange.trader(1);
  const account = alice.address;
  const body = { market, amount: '5', key: 'a' };
  await move(alice, '/sets/split', body);
  const ask = async (name: string, changes = {}, address = account) => {
    const path = `/accounts/${address}/${name}`;
    const answer = await exchange.operator('POST', path, { ...body, ...changes });
    return [answer.status, answer.body];
  };
  const told = { account, market, amount: '5', key: 'a' };
  t.strictSame(await ask('split'), [200, { ...told, cash: '-5', duplicate: false }]);
  t.strictSame(await ask('split'), [200, { ...told, cash: '-5', duplicate: true }]);
  const merged = { ...told, key: 'b', cash: '5', duplicate: false };
  t.strictSame(await ask('merge', { key: 'b' }), [200, merged]);
  t.strictSame((await has(exchange, account, tokenIds)).slice(1), [5, 5]);
  t.match(await ask('split', { key: 'c', market: UNKNOWN }), [400, { field: 'market' }]);
  const unknown = { code: 'account_unknown', field: 'address', actual: WALLET };
  t.match(await ask('split', { key: 'c' }, WALLET), [400, unknown]);
  t.match(await ask('split', { by: undefined }), [400, { code: 'missing_field', field: 'by' }]);
  const { data } = (await exchange.operator('GET', '/actions?kind=split')).body;
  t.match(data, [{ command: { kind: 'split', account, owner: '', key: 'a' } }]);
  t.equal(data.length, 1, "the holder's own is not the operator's");
});
