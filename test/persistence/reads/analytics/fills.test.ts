// Fills and activity: pages, cursors and filters against a plain filter over all rows, of a random
// history whose runs of peaks are short; what a search may look at; and the plans of its SQL.

import t from 'tap';
import { FillPeaks, runSql } from '../../../../persistence/projection/positions/fill-peaks.ts';
import {
  accountInMarketSql,
  type FillFilter,
  ordinalOf,
  plainSql,
  RUN_AT_SQL,
  runRowsSql,
  runsSql,
  tradeKeyOf,
} from '../../../../persistence/reads/analytics/fill-streams.ts';
import { FILL_SQL } from '../../../../persistence/reads/analytics/fill-text.ts';
import {
  ACTIVITY_TIME_SQL,
  type ActivityQuestion,
  activityPage,
  activityText,
  OTHER_SQL,
  othersSql,
} from '../../../../persistence/reads/analytics/read-activity.ts';
import {
  FIRST_TRADE_SQL,
  type TradesQuestion,
  tradeRows,
  tradesText,
} from '../../../../persistence/reads/analytics/read-trades.ts';
import { AnalyticsReads, NAME_SQL } from '../../../../persistence/reads/analytics/reads.ts';
import { planStableSql } from '../../../../persistence/shared/plan-stable-database.ts';
import { Random } from '../../../engine/random/random.ts';
import { randomFillTables } from './fill-tables.ts';

const { reads, rows, others, markets, accounts, events } = randomFillTables(t);

const MOST = 1_000_000;

const ANY: TradesQuestion = {
  takersOnly: false,
  side: undefined,
  unit: 'micros',
  least: 0,
  user: undefined,
  markets: undefined,
  events: undefined,
  limit: 100,
  offset: 0,
  cursor: undefined,
};

type Fill = (typeof rows)[number];

function isOf(fill: Fill, { user, markets, events: named, ...filter }: TradesQuestion): boolean {
  const amount = filter.unit === 'lots' ? fill.lots : fill.lots * fill.priceTicks;
  return (
    (!filter.takersOnly || fill.ordinal === 0) &&
    (filter.side === undefined || fill.side === filter.side) &&
    amount >= filter.least &&
    (user === undefined || fill.account === user) &&
    (markets === undefined || markets.includes(fill.conditionId)) &&
    (named === undefined || named.includes(events.get(fill.conditionId) ?? -1))
  );
}

/** All of them, newest first. */
function plainly(question: TradesQuestion): number[] {
  return rows
    .filter((fill) => isOf(fill, question))
    .map(({ row }) => row)
    .sort((a, b) => b - a);
}

function randomQuestion(random: Random): TradesQuestion {
  const some = random.pick(rows);
  const amounts = [0, 1, some.lots, some.lots * some.priceTicks, 1e12];
  const [oneMarket, twoMarkets] = [
    [some.conditionId],
    [random.pick(markets), random.pick(markets), 'unknown'],
  ];
  return {
    takersOnly: random.chance(50),
    side: random.pick([undefined, undefined, 'BUY', 'SELL'] as const),
    unit: random.pick(['lots', 'micros'] as const),
    least: random.chance(50) ? 0 : random.pick(amounts),
    user: random.chance(50) ? undefined : random.pick([some.account, random.pick(accounts)]),
    ...random.pick([
      { markets: undefined, events: undefined },
      { markets: oneMarket, events: undefined },
      { markets: twoMarkets, events: undefined },
      { markets: undefined, events: [events.get(some.conditionId) ?? 0, 99] },
    ]),
    limit: random.pick([0, 1, 3, 20, 10_000]),
    offset: random.pick([0, 0, 1, 7, 100]),
    cursor: undefined,
  };
}

t.test('pages of fills are those of a plain filter over all rows, by offset and by cursor', (t) => {
  const random = new Random(5);
  let found = 0;
  let turned = 0;
  const wrong: unknown[] = [];
  for (let step = 0; step < 1_500; step += 1) {
    const question = randomQuestion(random);
    const all = plainly(question);
    const page = tradeRows(reads, question, MOST);
    const should = all.slice(question.offset, question.offset + question.limit);
    found += should.length;
    if (JSON.stringify(page) !== JSON.stringify(should)) wrong.push({ question, page, should });
    if (all.length < 3) continue;
    // The last row of any page: a row of the list, or one that the filter leaves out.
    const at = random.pick(rows);
    const shift = random.pick([0, 0, 0, -1, 1]);
    const timestamp = Math.floor(at.timeMs / 1_000) + shift;
    const isOlder = (row: number): boolean => {
      const other = rows.find((one) => one.row === row)?.timeMs ?? 0;
      const seconds = Math.floor(other / 1_000);
      return seconds < timestamp || (seconds === timestamp && row < at.row);
    };
    const next = { ...question, cursor: { timestamp, row: at.row }, offset: 0 };
    const after = all.filter(isOlder).slice(0, question.limit);
    const turnedTo = tradeRows(reads, next, MOST);
    turned += after.length;
    if (JSON.stringify(turnedTo) !== JSON.stringify(after)) wrong.push({ next, turnedTo, after });
  }
  t.same(wrong.slice(0, 2), []);
  t.ok(found > 5_000 && turned > 5_000, `${found} rows, and ${turned} after a cursor`);
  t.end();
});

t.test('rare fills are found in few rows, whatever else there is', (t) => {
  const sizes = rows.map(({ lots, priceTicks }) => lots * priceTicks).sort((a, b) => b - a);
  const [tenth = 0] = sizes.slice(9);
  const rare = { ...ANY, least: tenth, limit: 5 };
  const should = plainly(rare).slice(0, 5);
  t.same(tradeRows(reads, rare, 10 * 32), should, 'a run a row, and some groups');
  t.throws(() => tradeRows(reads, { ...rare, limit: 10 }, 64), { code: 'search_too_wide' });
  t.match(
    tradesText(reads, { ...rare, limit: 1 }),
    new RegExp(`^\\[\\{"id":"${should[0]}","proxyWallet":"0x[0-9a-fA-F]{40}"`),
  );
  t.end();
});

t.test('an account in a market is looked for both ways, whichever is short', (t) => {
  const counts = new Map<string, number>();
  for (const { account, conditionId } of rows) {
    const name = `${account} ${conditionId}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [[name = '', most = 0] = []] = [...counts].sort(([, a], [, b]) => b - a);
  const [user = '', market = ''] = name.split(' ');
  const question = { ...ANY, user, markets: [market], limit: 10_000 };
  t.equal(tradeRows(reads, question, most).length, most);
  t.throws(() => tradeRows(reads, question, most - 1), { code: 'search_too_wide' });
  t.end();
});

function plainActivity(question: ActivityQuestion): string[] {
  const { types, side, startSeconds = 0, endSeconds = Infinity, sortBy, isAscending } = question;
  const { user, markets, events: named } = question;
  const fills = rows.map((fill) => ({
    ...fill,
    id: `${fill.row}`,
    type: 'TRADE',
    micros: fill.lots * fill.priceTicks,
  }));
  const all = [...fills, ...others.map((other) => ({ ...other, side: '', row: 0 }))].filter(
    (one) =>
      one.account === user &&
      (types === undefined || types.includes(one.type)) &&
      (side === undefined || one.side === side) &&
      (markets === undefined || markets.includes(one.conditionId)) &&
      (named === undefined || named.includes(events.get(one.conditionId) ?? -1)) &&
      Math.floor(one.timeMs / 1_000) >= startSeconds &&
      Math.floor(one.timeMs / 1_000) <= endSeconds,
  );
  const sizeOf = (one: (typeof all)[number]): number =>
    sortBy === 'TOKENS' ? one.lots : sortBy === 'CASH' ? one.micros : 0;
  const order = (one: (typeof all)[number]): number[] => [
    sizeOf(one),
    one.seq,
    one.row > 0 ? 0 : 1,
    one.row > 0 ? one.row : Number(one.id.slice(1)),
  ];
  all.sort((a, b) => {
    const [left, right] = [order(a), order(b)];
    const place = left.findIndex((value, index) => value !== right[index]);
    return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  });
  if (!isAscending) all.reverse();
  return all.map(({ id }) => id).slice(question.offset, question.offset + question.limit);
}

t.test('activity is what a plain merge of fills and the rest is', (t) => {
  const random = new Random(6);
  const kinds = new Set<string>();
  const wrong: unknown[] = [];
  for (let step = 0; step < 400; step += 1) {
    const some = random.chance(50) ? random.pick(rows) : random.pick(others);
    const seconds = Math.floor(some.timeMs / 1_000);
    const question: ActivityQuestion = {
      user: some.account,
      types: random.pick([undefined, ['SPLIT', 'MERGE'], ['TRADE', 'REDEEM'], ['REWARD']]),
      side: random.pick([undefined, undefined, undefined, 'BUY', 'SELL'] as const),
      startSeconds: random.pick([undefined, undefined, seconds, seconds - 50]),
      endSeconds: random.pick([undefined, undefined, seconds, seconds + 50]),
      sortBy: random.pick(['TIMESTAMP', 'TIMESTAMP', 'TOKENS', 'CASH'] as const),
      isAscending: random.chance(50),
      ...random.pick([
        { markets: undefined, events: undefined },
        { markets: [some.conditionId, random.pick(markets)], events: undefined },
        { markets: undefined, events: [events.get(some.conditionId) ?? 0] },
      ]),
      limit: random.pick([1, 5, 500]),
      offset: random.pick([0, 0, 2]),
    };
    const page: { id: string; type: string }[] = JSON.parse(activityText(reads, question));
    for (const { type } of page) kinds.add(type);
    const ids = page.map(({ id }) => id);
    const should = plainActivity(question);
    if (JSON.stringify(ids) !== JSON.stringify(should)) wrong.push({ question, ids, should });
  }
  t.same(wrong.slice(0, 2), []);
  t.same([...kinds].sort(), ['CONVERSION', 'MERGE', 'REDEEM', 'SPLIT', 'TRADE']);
  t.end();
});

t.test('by size, an account with more rows than may be looked at is refused', (t) => {
  const [{ account: user = '' } = {}] = rows;
  const own = rows.filter(({ account }) => account === user).length;
  const question = {
    ...ANY,
    user,
    types: ['TRADE'],
    startSeconds: undefined,
    endSeconds: undefined,
    sortBy: 'CASH',
    isAscending: false,
  } as const;
  t.equal(activityPage(reads, { ...question, limit: 500 }, own).length, Math.min(own, 500));
  t.throws(() => activityPage(reads, question, own - 1), { code: 'search_too_wide' });
  t.end();
});

const FILTERS: readonly FillFilter[] = [true, false].flatMap((takersOnly) =>
  ([undefined, 'SELL'] as const).flatMap((side) =>
    (['lots', 'micros'] as const).flatMap((unit) =>
      [0, 5].map((least) => ({ takersOnly, side, unit, least })),
    ),
  ),
);
const SCOPES = ['all', 'market', 'account'] as const;
const DIRECTIONS = [true, false];

/** Every statement that is written by hand, and those of every shape. */
function everySql(): string[] {
  return [
    ...Object.values(NAME_SQL),
    ...Object.values(ACTIVITY_TIME_SQL),
    FIRST_TRADE_SQL,
    FILL_SQL,
    OTHER_SQL,
    RUN_AT_SQL,
    ...SCOPES.flatMap((scope) => Object.values(runSql(scope))),
    ...DIRECTIONS.flatMap((isAscending) => [
      othersSql({ inMarket: true, isAscending }),
      othersSql({ inMarket: false, isAscending }),
      ...SCOPES.flatMap((scope) => [
        plainSql(scope, false, isAscending),
        ...(scope === 'account' ? [] : [plainSql(scope, true, isAscending)]),
      ]),
      ...FILTERS.flatMap((filter) => [
        runsSql(filter, isAscending),
        accountInMarketSql(filter, isAscending),
        ...SCOPES.map((scope) => runRowsSql({ scope }, filter, isAscending)),
        runRowsSql({ scope: 'account', marketKeys: [1] }, filter, isAscending),
      ]),
    ]),
  ];
}

t.test('no statement scans a table or sorts', (t) => {
  const plans = everySql().map((sql) => {
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 1] as const);
    const marks = [...sql.matchAll(/\?/g)].map(() => 1);
    const explain = reads.database.prepare<unknown[], { detail: string }>(
      `EXPLAIN QUERY PLAN ${planStableSql(sql)}`,
    );
    const steps = names.length > 0 ? explain.all(Object.fromEntries(names)) : explain.all(...marks);
    return { sql, steps: steps.map(({ detail }) => detail) };
  });
  const isBad = (step: string): boolean =>
    /USE TEMP B-TREE|AUTOMATIC/.test(step) ||
    (step.startsWith('SCAN') && !/^SCAN (json_each VIRTUAL TABLE|progress)/.test(step));
  t.same(
    plans.filter(({ steps }) => steps.some(isBad)),
    [],
  );
  t.ok(plans.length > 150, `${plans.length} statements`);
  t.end();
});

t.test('runs are the same however the fills came', (t) => {
  const { database } = reads;
  const contents = () => database.prepare('SELECT * FROM fill_peaks ORDER BY 1, 2, 3, 4').all();
  const before = contents();
  t.ok(
    before.some((run) => (run as { level: number }).level === 2),
    'there are groups',
  );
  database.exec('DELETE FROM fill_peaks');
  const parties = Map.groupBy(rows, ({ row }) => tradeKeyOf(row));
  database.exec(
    'CREATE TEMP TABLE later AS SELECT * FROM trade_parties; DELETE FROM trade_parties',
  );
  let peaks = new FillPeaks(database, { rows: 4, runs: 3 });
  const random = new Random(7);
  for (const [tradeKey, of] of [...parties].sort(([a], [b]) => a - b)) {
    // A new one knows what the tables say alone.
    if (random.chance(20)) peaks = new FillPeaks(database, { rows: 4, runs: 3 });
    const ordered = of.sort((a, b) => ordinalOf(a.row) - ordinalOf(b.row));
    const [{ marketKey = 0 } = {}] = ordered;
    peaks.take(tradeKey, marketKey, ordered);
    database.exec(`INSERT INTO trade_parties SELECT * FROM later WHERE trade_key = ${tradeKey}`);
  }
  t.same(contents(), before);
  t.end();
});

const PROFILE = `
INSERT INTO catalog.profiles (wallet, proxy_wallet, name, pseudonym, bio, profile_image,
  display_username_public, is_mod, record)
VALUES (?, ?, ?, 'Calm-Otter', '"quoted"', 'big.png', 0, 0, ?)`;

t.test('an account shows its own profile, or that of its wallet, or else of its owner', (t) => {
  const { database } = reads;
  const [first, second, third] = database
    .prepare<[], { key: number; address: string }>(
      'SELECT account_key AS key, address FROM accounts ORDER BY account_key LIMIT 3',
    )
    .all();
  if (!first || !second || !third) throw new Error('there are accounts');
  const owner = `0x${'ee'.repeat(20)}`;
  const ownerKey = 1_000_000;
  const own = database.prepare('UPDATE accounts SET owner_key = ? WHERE account_key = ?');
  database.prepare('INSERT INTO owners VALUES (?, ?)').run(ownerKey, owner);
  own.run(ownerKey, second.key);
  own.run(ownerKey, third.key);
  const put = database.prepare(PROFILE);
  const optimized = { profileImageOptimized: { imageUrlOptimized: 'small.png' } };
  put.run(first.address.toUpperCase().replace('0X', '0x'), '', 'First', JSON.stringify(optimized));
  put.run(owner, '', 'Owner', '{}');
  put.run(`0x${'dd'.repeat(20)}`, third.address, 'Third', '{}');
  const fresh = new AnalyticsReads(database);
  t.match(fresh.account(first.key), {
    name: 'First',
    pseudonym: 'Calm-Otter',
    bio: '"quoted"',
    profileImage: 'big.png',
    profileImageOptimized: 'small.png',
    displayUsernamePublic: false,
  });
  t.equal(fresh.account(second.key).name, 'Owner');
  t.equal(fresh.account(third.key).name, 'Third');
  database.exec('DELETE FROM catalog.profiles');
  t.equal(fresh.account(first.key).name, 'First', 'the same through a question');
  fresh.begin();
  t.match(fresh.account(first.key), { name: '', pseudonym: /^\w+-\w+$/, bio: '' });
  t.end();
});
