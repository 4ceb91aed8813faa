import t from 'tap';
import { getOwners } from '../../../../http/admin/accounts/index.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

const BOB = `0x${'b0'.repeat(20)}`;
const NOBODY = `0x${'0b'.repeat(20)}`;

const share = await shareTestExchange(t, { funding: 'ledger' });

t.test('the operator sees the owner and the cash of an account', async (t) => {
  const { trader, operator, plain } = share();
  const alice = await trader(1);
  const { address } = alice;
  const read = async (account = address) => (await operator('GET', `/accounts/${account}`)).body;
  const shared = { address, owner: address, wallet: 'eoa' };
  t.strictSame(await read(), { ...shared, balance: '0', available: '0', held: '0' });
  await operator('POST', '/deposits', { account: address, amount: '12.5', key: 'a' });
  await alice.place({ tokenId: plain.tokenIds[0], priceTicks: 2100, lots: 1001 });
  const cash = { balance: '12.5', available: '10.3979', held: '2.1021' };
  t.strictSame(await read(), { ...shared, ...cash });
  await operator('POST', '/accounts', { address: BOB, owner: address, wallet: 'deposit' });
  t.match(await read(BOB), { address: BOB, owner: address, wallet: 'deposit', balance: '0' });
});

t.test(
  'all accounts are listed, page by page in the order in which they were opened',
  async (t) => {
    const { trader, operator } = share();
    const [ann, ben] = [await trader(1), await trader(2)];
    await operator('POST', '/deposits', { account: ben.address, amount: '3', key: 'for-ben' });
    await operator('POST', `/owners/${ann.address}/standing`, { standing: 'closed_only' });
    const listed: { address: string }[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const { body } = await operator('GET', `/accounts?limit=1&offset=${offset}`);
      // Safe: the route's schema has both.
      const page = body as unknown as { data: { address: string }[]; next_offset: number | null };
      t.equal(page.data.length, 1);
      listed.push(...page.data);
      offset = page.next_offset;
    }
    t.match(listed.slice(-2), [
      { address: ann.address, owner: ann.address, wallet: 'eoa', standing: 'closed_only' },
      { address: ben.address, balance: '3', available: '3', held: '0', standing: 'good' },
    ]);
    const refused = await operator('GET', '/accounts?limit=501');
    t.match(refused.body, { code: 'invalid_parameter', field: 'limit' });
  },
);

t.test('accounts are found by how an address begins, and by standing', async (t) => {
  const { operator } = share();
  const [owner, wallet, other] = ['aa01', 'aa02', 'ab03'].map(
    (start) => `0x${start}${'9'.repeat(36)}`,
  );
  for (const [address, of, kind] of [
    [owner, owner, 'eoa'],
    [wallet, owner, 'deposit'],
    [other, other, 'eoa'],
  ]) {
    const opened = await operator('POST', '/accounts', { address, owner: of, wallet: kind });
    t.equal(opened.status, 200, opened.text);
  }
  await operator('POST', `/owners/${owner}/standing`, { standing: 'banned' });
  const find = async (query: string) => {
    const { body } = await operator('GET', `/accounts?${query}`);
    return body.data.map((one) => Reflect.get(one, 'address'));
  };
  t.strictSame(await find('search=0xaa'), [owner, wallet]);
  t.strictSame(await find('search=0xAA01'), [owner, wallet], 'by the owner too');
  t.strictSame(await find('search=0xaa02'), [wallet]);
  t.strictSame(await find('search=0xa'), [owner, wallet, other]);
  t.strictSame(await find('standing=banned'), [owner, wallet]);
  t.strictSame(await find('search=0xab&standing=banned'), []);
  t.strictSame(await find(`search=0xffff${'f'.repeat(36)}`), []);
  const first = await operator('GET', '/accounts?search=0xa&limit=2');
  t.strictSame(await find(`search=0xa&limit=2&offset=${Reflect.get(first.body, 'next_offset')}`), [
    other,
  ]);
  const rows = [
    ['search=aa', 'search'],
    ['search=0xgg', 'search'],
    [`search=0x${'a'.repeat(41)}`, 'search'],
    ['search=', 'search'],
    ['standing=bad', 'standing'],
    ['offset=-1', 'offset'],
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
  ] as const;
  for (const [query, field] of rows) {
    const { status, body } = await operator('GET', `/accounts?${query}`);
    t.match([status, body], [400, { code: 'invalid_parameter', field }], query);
  }
});

t.test('owners that are restricted are listed, with or without an account', async (t) => {
  const { operator } = share();
  const [one, two] = ['cc01', 'cc02'].map((start) => `0x${start}${'9'.repeat(36)}`);
  const put = (owner: string | undefined, standing: string) =>
    operator('POST', `/owners/${owner}/standing`, { standing });
  await put(one, 'closed_only');
  await put(two, 'banned');
  const list = async (query = '') => {
    const { body } = await operator('GET', `/owners?${query}`);
    return body.data.filter((found) => [one, two].includes(Reflect.get(found, 'owner')));
  };
  const expected = [
    { owner: one, standing: 'closed_only', accounts: 0 },
    { owner: two, standing: 'banned', accounts: 0 },
  ];
  t.strictSame(await list(), expected);
  await put(one, 'good');
  t.strictSame(await list(), [expected[1]]);
  const page = await operator('GET', '/owners?limit=1');
  t.match(page.body, { data: { length: 1 }, next_offset: 1 });
  t.equal((await operator('GET', '/owners?limit=501')).body.code, 'invalid_parameter');
});

t.test('a page of restricted owners looks at no later ones', (t) => {
  function* restrictedOwners() {
    yield* [1, 2, 3].map((number) => [`0x${number}`, 'banned'] as const);
    t.fail('there may be a million');
  }
  const registry = { restrictedOwners, accountsOf: () => [] };
  const input = { query: { offset: 1, limit: 1 }, services: { registry } };
  // Safe: the handler uses nothing else.
  const page = getOwners.handler(input as unknown as Parameters<typeof getOwners.handler>[0]);
  const data = [{ owner: '0x2', standing: 'banned', accounts: 0 }];
  t.strictSame(page, { data, next_offset: 2 });
  t.end();
});

t.test('open orders are listed by owner and by market', async (t) => {
  const { trader, operator, plain } = share();
  const [ann, ben] = [await trader(1), await trader(2)];
  const [tokenId] = plain.tokenIds;
  for (const { address } of [ann, ben]) {
    await operator('POST', '/deposits', { account: address, amount: '100', key: `k${address}` });
  }
  const ids: string[] = [];
  for (const who of [ann, ben, ann]) {
    ids.push((await who.place({ tokenId, priceTicks: 1000 })).body.orderID);
  }
  const idsOf = async (query: string) => {
    const { body } = await operator('GET', `/orders?${query}`);
    return body.data.map(({ id }) => id);
  };
  const market = `market=${plain.conditionId}`;
  t.same(await idsOf(market), ids);
  t.same(await idsOf(`owner=${ann.address}`), [ids[0], ids[2]]);
  t.same(await idsOf(`${market}&owner=${ben.address}`), [ids[1]]);
  const page = (await operator('GET', `/orders?${market}&limit=2`)).body;
  t.match(page, {
    data: [{ id: ids[0], owner_address: ann.address }, { owner_address: ben.address }],
    next_after: ids[1],
  });
  t.same(await idsOf(`${market}&after=${ids[1]}`), [ids[2]]);
  t.ok((await idsOf('')).includes(ids[0] ?? ''), 'without a filter all are listed');
  const wrong = await operator('GET', `/orders?after=0x${'11'.repeat(32)}`);
  t.match(wrong.body, { code: 'invalid_parameter', field: 'after' });
});

t.test('an unknown account is not found', async (t) => {
  const { operator } = share();
  const rows: [account: string, code: string][] = [
    ['0x12', 'address_malformed'],
    [NOBODY, 'account_unknown'],
  ];
  for (const [account, code] of rows) {
    const { status, body } = await operator('GET', `/accounts/${account}`);
    t.match([status, body], [400, { code, field: 'address', actual: account }]);
  }
});
