// Holders and resolutions of Data API v2, and what it tells of wallets and of itself, over a real
// socket.
import t, { type Test } from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { askData, type Row, walkData } from './ask-data.ts';

const share = await shareTestExchange(t);

type Body<Data> = { readonly data: Data };

interface Group extends Row {
  readonly token_id: string;
  readonly holders: readonly Row[];
}

/** Alice splits 20 sets, and buys 30 YES of Bob, who gets as many NO. */
async function hold() {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const body = { market: conditionId, amount: '20', key: 'hold' };
  t.equal((await alice.signed('POST', '/sets/split', body)).status, 200);
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 3_000 });
  t.equal((await alice.place({ tokenId: yes, priceTicks: 4_000, lots: 3_000 })).status, 200);
  const [first, second] = [alice, bob].map(({ address }) => toChecksumAddress(address));
  const groups = async (query: string) =>
    (await askData(exchange, `/v2/holders?condition=${conditionId}${query}`)).data as Group[];
  return { exchange, alice, bob, conditionId, yes, no, first, second, groups };
}

t.test('holders are netted, or whole with the figures of their positions', async (t) => {
  const { exchange, alice, yes, no, first, second, groups } = await hold();
  const amounts = (found: readonly Group[]) =>
    found.map(({ token_id, holders }) => [
      token_id,
      ...holders.map(({ proxy_wallet, amount }) => [proxy_wallet, amount]),
    ]);
  t.same(amounts(await groups('')), [
    [yes, [first, 30]],
    [no, [second, 30]],
  ]);
  t.same(amounts(await groups('&min_balance=30.01')), [], 'no group is empty');
  const whole = await groups('&include_pnl=true');
  t.same(amounts(whole), [
    [yes, [first, 50]],
    [no, [second, 30], [first, 20]],
  ]);
  const known = (await askData(exchange, `/v2/positions?user=${alice.address}`)).data;
  for (const { token_id, holders } of whole) {
    const position = known.find((row) => row.token_id === token_id);
    const {
      avg_price,
      entry_cost_usdc,
      current_price,
      current_value,
      realized_pnl,
      unrealized_pnl,
      total_pnl,
    } = position ?? {};
    const own = holders.find(({ proxy_wallet }) => proxy_wallet === first);
    const prices = { avg_price, entry_cost_usdc, current_price, current_value };
    t.match(own, { ...prices, realized_pnl, unrealized_pnl, total_pnl });
  }
  t.equal(Object.keys(whole[0]?.holders[0] ?? {}).length, 18, 'the documented fields');
  t.same(await groups(`,0x${'ef'.repeat(32)}&min_balance=31`), []);
});

t.test('an account with as many of both tokens nets to 0, and pages hold every row', async (t) => {
  const { exchange, conditionId, groups } = await hold();
  const hedged = await exchange.trader(3);
  const body = { market: conditionId, amount: '7', key: 'hedged' };
  t.equal((await hedged.signed('POST', '/sets/split', body)).status, 200);
  const wallet = toChecksumAddress(hedged.address);
  const all = await groups('');
  t.match(all[0]?.holders.at(-1), { proxy_wallet: wallet, amount: 0 });
  t.notOk(all[1]?.holders.some(({ proxy_wallet }) => proxy_wallet === wallet));
  t.equal((await groups('&min_balance=0.01'))[0]?.holders.length, 1);

  const path = `/v2/holders?condition=${conditionId}&include_pnl=true`;
  await samePages(t, exchange, path);
});

/** All pages together have the rows of one page. */
async function samePages(t: Test, exchange: TestExchange, path: string) {
  const whole = (await askData(exchange, path)).data as readonly Group[];
  t.ok(whole.some(({ holders }) => holders.length > 1));
  const pages = (await walkData(exchange, `${path}&limit=1`)) as readonly Group[];
  for (const { token_id, holders } of whole) {
    const parts = pages.filter((group) => group.token_id === token_id);
    t.same(
      parts.flatMap((group) => group.holders),
      holders,
    );
  }
}

t.test('a cursor has room for as many markets as a request', async (t) => {
  const exchange = share();
  const traders = [await exchange.trader(4), await exchange.trader(5)];
  const markets = Array.from({ length: 20 }, (_, place) => ({ slug: `w-${place}`, question: '?' }));
  const made = await exchange.operator('POST', '/events', { slug: 'w', title: 'W', markets });
  const opened: readonly { condition_id: string }[] = JSON.parse(made.text).markets;
  const all = opened.map(({ condition_id }) => condition_id);
  for (const market of all) {
    for (const trader of traders) {
      const body = { market, amount: '12', key: market };
      t.equal((await trader.signed('POST', '/sets/split', body)).status, 200);
    }
  }
  await samePages(t, exchange, `/v2/holders?condition=${all.join()}`);
});

t.test('a resolution is told by condition, event and question', async (t) => {
  const exchange = share();
  const markets = [1, 2].map((place) => ({ slug: `ends-${place}`, question: `${place}?` }));
  const made = await exchange.operator('POST', '/events', { slug: 'ends', title: 'Ends', markets });
  const { event_id, markets: opened } = JSON.parse(made.text);
  const [one, two] = opened
    .map(({ condition_id }: { condition_id: string }) => condition_id)
    .toSorted();
  const ask = async (query: string) =>
    (await askData<Body<Row[]>>(exchange, `/v2/resolutions?${query}`)).data;
  const active = { status: 'active', was_disputed: false, market_type: 'BINARY', log_index: '' };
  const ofEvent = await ask(`event_id=${event_id}`);
  t.match(
    ofEvent.toSorted((a, b) => `${a.condition_id}`.localeCompare(`${b.condition_id}`)),
    [
      { condition_id: one, ...active },
      { condition_id: two, ...active },
    ],
  );
  t.equal((await ask(`condition=${one}`))[0]?.payouts, undefined);
  const ended = await exchange.operator('POST', `/markets/${one}/resolve`, { payout: '0.25' });
  t.equal(ended.status, 200, ended.text);
  const resolved_at = `${new Date(exchange.clock.ms).toISOString().slice(0, 19)}Z`;
  const resolved = {
    status: 'resolved',
    payouts: [250_000, 750_000],
    price: `25${'0'.repeat(16)}`,
    resolution_source: 'reported',
    reporter: 'EOA',
    resolved_at,
    last_update_timestamp: resolved_at,
  };
  t.match(await ask(`conditionId=${one},${two}`), [
    ...[
      { condition_id: one, ...resolved },
      { condition_id: two, ...active },
    ].sort((a, b) => `${a.condition_id}`.localeCompare(`${b.condition_id}`)),
  ]);

  const question = `0x${'9a'.repeat(32)}`;
  const told = {
    umaResolutionStatus: 'proposed',
    umaResolutionStatuses: '["disputed","proposed"]',
  };
  const record = {
    ...{ id: '9000', slug: 'asked', question: 'Asked?', questionID: question, ...told },
    ...{ conditionId: `0x${'9b'.repeat(32)}`, clobTokenIds: '["90001", "90002"]' },
    ...{ outcomes: '["Yes", "No"]', updatedAt: '2026-05-06T07:08:09Z' },
  };
  const event = { id: '9000', slug: 'asked', title: 'Asked', markets: [record] };
  const text = Buffer.from(JSON.stringify([event]));
  const page = { source: 'https://asked.example', kind: 'events', text, mark: '' } as const;
  await exchange.running.services.exchange.catalog.write.putPage(page);
  const proposed = { question_id: question, status: 'proposed', was_disputed: true };
  const [row] = await ask(`question_id=${question}`);
  t.match(row, { ...proposed, last_update_timestamp: '1778051289' });
  t.notOk(Object.hasOwn(row ?? {}, 'condition_id'));
  t.match(await ask(`condition=${record.conditionId}`), [
    { ...proposed, condition_id: record.conditionId },
  ]);
  t.same(await ask(`question_id=0x${'00'.repeat(32)}`), []);
  t.same(await ask(`condition=0x${'01'.repeat(32)}`), []);
});

t.test('approvals are all there, and the status has no lag', async (t) => {
  const { exchange, alice } = await hold();
  const asked = `/v2/approvals?user=${alice.address}`;
  const { data } = await askData<Body<Row>>(exchange, asked);
  const contracts = data.contracts as readonly Row[];
  t.match(data, { address: toChecksumAddress(alice.address), chain_id: 137 });
  t.equal(contracts.length, 23);
  for (const { standard, amount, approved, token, spender } of contracts) {
    t.equal(approved, true);
    t.equal(amount, standard === 'ERC20' ? 'max' : undefined);
    t.match(`${token}${spender}`, /^(0x[\da-f]{40}){2}$/);
  }
  await askData(exchange, `/v2/value?user=${alice.address}`);
  const status = await askData<Body<Row>>(exchange, '/v2/status');
  const block = exchange.running.services.exchange.durableSeq;
  t.match(status.data, {
    computed_at: `${new Date(exchange.clock.ms).toISOString().slice(0, 19)}Z`,
    age_seconds: 0,
    serving: {
      lag_seconds: 0,
      worst: 'activity_feed',
      mechanisms: ['activity_feed', 'custody_balances', 'pnl'].map((name) => {
        return { name, age_seconds: 0, blocks_behind: 0 };
      }),
    },
    ingestion: { cursors: 1, chain_id: 137, max_synced_block: block, min_synced_block: block },
  });
});
