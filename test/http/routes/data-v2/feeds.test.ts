// Trades and activity of Data API v2 over a real socket: the rows of version 1 under their own
// names, and pages that new rows do not disturb.
import t from 'tap';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { askData, type DataPage, type Row, walkData } from './ask-data.ts';

const share = await shareTestExchange(t);

/** Bob bids for NO; Alice splits 20 sets, buys YES twice, and merges 5 sets. */
async function trade() {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const sets = async (kind: string, amount: string) => {
    const body = { market: conditionId, amount, key: `${kind}${amount}` };
    t.equal((await alice.signed('POST', `/sets/${kind}`, body)).status, 200);
  };
  const buy = async (priceTicks: number, lots: number) => {
    await bob.place({ tokenId: no, priceTicks: 10_000 - priceTicks, lots });
    t.equal((await alice.place({ tokenId: yes, priceTicks, lots })).status, 200);
  };
  await sets('split', '20');
  await buy(4_000, 6_000);
  await buy(4_500, 4_000);
  await sets('merge', '5');
  return { exchange, alice, bob, conditionId, buy, sets };
}

const SAME = ['side', 'size', 'price', 'timestamp', 'title', 'slug', 'icon', 'outcome'];
const RENAMED = {
  proxyWallet: 'proxy_wallet',
  asset: 'token_id',
  conditionId: 'condition_id',
  eventSlug: 'event_slug',
  outcomeIndex: 'outcome_index',
  transactionHash: 'transaction_hash',
  profileImage: 'profile_image',
} as const;

/** A row of version 1 in the names of version 2. */
function inVersion2(row: Row): Row {
  return Object.fromEntries([
    ...SAME.map((name) => [name, row[name]]),
    ...Object.entries(RENAMED).map(([first, second]) => [second, row[first]]),
  ]);
}

async function firstVersion({ send }: TestExchange, path: string): Promise<readonly Row[]> {
  return (await send('GET', path)).body as unknown as readonly Row[];
}

t.test('trades and activity are those of version 1', async (t) => {
  const { exchange, alice, conditionId } = await trade();
  const trades = await askData(exchange, `/v2/trades?condition=${conditionId}&takerOnly=false`);
  const first = await firstVersion(exchange, `/trades?market=${conditionId}&takerOnly=false`);
  t.equal(trades.data.length, 4);
  t.match(trades.data, first.map(inVersion2));
  const none = { limit: 100, offset: 0, has_more: false, next_cursor: null };
  t.same(trades.pagination, none);
  t.same(Object.keys(trades.data[0] ?? {}).length, 19, 'the documented fields');

  const activity = await askData(exchange, `/data-api/v2/activity?user=${alice.address}`);
  const activityFirst = await firstVersion(exchange, `/activity?user=${alice.address}`);
  t.match(
    activity.data,
    activityFirst.map((row) => ({
      ...inVersion2(row),
      type: row.type,
      usdc_size: row.usdcSize,
    })),
  );
  t.same(
    activity.data.map(({ type }) => type),
    ['MERGE', 'TRADE', 'TRADE', 'SPLIT'],
  );
  t.equal(Object.keys(activity.data[0] ?? {}).length, 21, 'the documented fields');
  const withCash = `user=${alice.address}&excludeDepositsWithdrawals=false`;
  const [deposit, ...others] = (
    await askData(exchange, `/v2/activity?${withCash}`)
  ).data.toReversed();
  t.equal(others.length, activity.data.length);
  const [depositFirst = {}] = (await firstVersion(exchange, `/activity?${withCash}`)).toReversed();
  t.match(deposit, {
    ...inVersion2(depositFirst),
    type: 'DEPOSIT',
    usdc_size: depositFirst.usdcSize,
  });
  t.same((await askData(exchange, `/v2/activity/combos?user=${alice.address}`)).data, []);
});

t.test('pages neither repeat nor skip rows, whatever happens between them', async (t) => {
  const { exchange, alice, conditionId, buy, sets } = await trade();
  let size = 0;
  const afterFirst = async ({ pagination }: DataPage) => {
    if (pagination.offset > 0) return;
    size += 1;
    await buy(5_000, 500);
    await sets('split', `${size}`);
  };
  for (const path of [
    `/v2/trades?condition=${conditionId}`,
    `/v2/trades?user=${alice.address}&taker_only=false`,
    `/v2/activity?user=${alice.address}`,
    `/v2/activity?user=${alice.address}&type=SPLIT,MERGE`,
    // The newest row is of the other kind: it may not come in after the first page.
    `/v2/activity?user=${alice.address}&condition=${conditionId}&sort_direction=DESC`,
  ]) {
    const before = (await askData(exchange, path)).data;
    t.ok(before.length > 1, path);
    t.same(await walkData(exchange, `${path}&limit=1`, afterFirst), before, path);
  }
  const oldest = `/v2/activity?user=${alice.address}&sortDirection=ASC`;
  const known = (await askData(exchange, oldest)).data;
  const walked = await walkData(exchange, `${oldest}&limit=3`, afterFirst);
  t.same(walked.slice(0, known.length), known);
  t.equal(walked.length, known.length + 2, 'oldest first, later rows follow');
});

t.test('a cursor holds its filters, and counts what came before', async (t) => {
  const { exchange, alice, conditionId } = await trade();
  const ask = (query: string): Promise<DataPage> => askData(exchange, `/v2/trades?${query}`);
  const first = await ask(`conditionId=${conditionId.toUpperCase().replace('0X', '0x')}&limit=1`);
  const cursor = `cursor=${first.pagination.next_cursor}`;
  t.match(first.pagination, { limit: 1, offset: 0, has_more: true });
  const second = await ask(cursor);
  t.match(second.pagination, { limit: 1, offset: 1, has_more: false, next_cursor: null });
  t.same(await ask(`${cursor}&condition=${conditionId},${conditionId}&limit=7`), second);
  t.same(await ask(`${cursor}&taker_only=true`), second, 'a default that is said');
  t.equal((await ask(`user=${alice.address}&start=1&end=0&limit=1`)).data.length, 1);
});
