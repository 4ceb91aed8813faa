// Fills and activity of a random history: pages, cursors and filters are compared with a plain
// filter over all rows. Also tested: how many rows a search reads, and the plans of its SQL.

import fc from 'fast-check';
import t from 'tap';
import { Random } from '../../../../http/codec/random.ts';
import {
  ACTIVITY_TYPES,
  type ActivityQuestion,
  activityPage,
  activityText,
  OTHER_SQL,
  othersSql,
} from '../../../../persistence/reads/analytics/activity.ts';
import {
  AnalyticsReads,
  CONTENT_SQL,
} from '../../../../persistence/reads/analytics/analytics-reads.ts';
import { FILL_SQL } from '../../../../persistence/reads/analytics/fill-text.ts';
import {
  type FillsQuestion,
  fillKeys,
  fillsText,
} from '../../../../persistence/reads/analytics/fills.ts';
import { type FillFilter, fillWalks } from '../../../../persistence/reads/tables/fill-walks.ts';
import { planStableSql } from '../../../../persistence/shared/databases.ts';
import { StoreError } from '../../../../persistence/shared/index.ts';
import { times } from '../../../long-set.ts';
import { randomFillTables } from './fill-tables.ts';

const { reads, rows, others, markets, accounts, events } = randomFillTables(t);

const ANY: FillsQuestion = {
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

function isOf(fill: Fill, { user, markets, events: named, ...filter }: FillsQuestion): boolean {
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

/** Keys of fills by a plain filter over all rows, newest first. */
function plainly(question: FillsQuestion): number[] {
  return rows
    .filter((fill) => isOf(fill, question))
    .map(({ key }) => key)
    .sort((a, b) => b - a);
}

function randomQuestion(random: Random): FillsQuestion {
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

t.test('pages of fills by offset and by cursor equal those of a plain filter', (t) => {
  const random = new Random(5);
  let found = 0;
  let turned = 0;
  const wrong: unknown[] = [];
  for (let step = 0; step < 1_500; step += 1) {
    const question = randomQuestion(random);
    const all = plainly(question);
    const page = fillKeys(reads, question);
    const should = all.slice(question.offset, question.offset + question.limit);
    found += should.length;
    if (JSON.stringify(page) !== JSON.stringify(should)) wrong.push({ question, page, should });
    if (all.length < 3) continue;
    // A cursor may name any row, even one that does not pass the filter.
    const at = random.pick(rows);
    const shift = random.pick([0, 0, 0, -1, 1]);
    const timestamp = Math.floor(at.timeMs / 1_000) + shift;
    const isOlder = (key: number): boolean => {
      const other = rows.find((one) => one.key === key)?.timeMs ?? 0;
      const seconds = Math.floor(other / 1_000);
      return seconds < timestamp || (seconds === timestamp && key < at.key);
    };
    const next = { ...question, cursor: { timestamp, fillKey: at.key }, offset: 0 };
    const after = all.filter(isOlder).slice(0, question.limit);
    const turnedTo = fillKeys(reads, next);
    turned += after.length;
    if (JSON.stringify(turnedTo) !== JSON.stringify(after)) wrong.push({ next, turnedTo, after });
  }
  t.same(wrong.slice(0, 2), []);
  t.ok(found > 5_000 && turned > 5_000, `${found} rows, and ${turned} after a cursor`);
  t.end();
});

t.test('a search for large fills reads only blocks of trades that have one', (t) => {
  const sizes = rows.map(({ lots }) => lots).sort((a, b) => b - a);
  const rare = { ...ANY, unit: 'lots', least: sizes[4] ?? 0 } as const;
  const [large, should] = [rows.filter(({ lots }) => lots >= rare.least), plainly(rare)];
  const blockOf = (span: number) => (fill: Fill) => Math.floor(fill.tradeKey / span);
  const blocks = (span: number, of: readonly Fill[]) => new Set(of.map(blockOf(span)));
  const [far, near] = [blocks(256, large), blocks(16, large)];
  const within = [...blocks(16, rows)].filter((block) => far.has(Math.floor(block / 16)));
  const looked = rows.filter((fill) => near.has(blockOf(16)(fill)));
  const most = blocks(256, rows).size + within.length + looked.length;
  t.ok(most < rows.length / 5, `${most} of ${rows.length}`);
  t.same(fillKeys(reads, rare, most), should);
  t.throws(() => fillKeys(reads, rare, most - 1), { code: 'search_too_wide' });
  const [{ account: user = '', conditionId = '' } = {}] = large;
  for (const part of [{ user }, { markets: [conditionId] }, { user, markets: [conditionId] }]) {
    t.same(fillKeys(reads, { ...rare, ...part }), plainly({ ...rare, ...part }));
  }
  t.match(
    fillsText(reads, { ...rare, limit: 1 }).text,
    new RegExp(`^\\[\\{"id":"${should[0]}","proxyWallet":"0x[0-9a-fA-F]{40}"`),
  );
  t.end();
});

t.test('pages of rare fills are whole up to the last row of the budget, and refused below', (t) => {
  const tables: readonly FillsQuestion[] = [
    { ...ANY, unit: 'lots' },
    { ...ANY, takersOnly: true },
    { ...ANY, side: 'SELL', unit: 'lots' },
  ];
  const blocks = (span: number) => new Set(rows.map(({ tradeKey }) => Math.floor(tradeKey / span)));
  const whole = rows.length + blocks(16).size + blocks(256).size;
  const table = fc.constantFrom(...tables);
  const share = fc.integer({ min: 1, max: rows.length >> 1 });
  const runs = fc.property(table, share, fc.integer({ min: 1, max: 1_000 }), (any, rank, limit) => {
    const amountOf = (one: Fill) => (any.unit === 'lots' ? one.lots : one.lots * one.priceTicks);
    const least = rows.map(amountOf).sort((a, b) => b - a)[rank] ?? 1;
    const rare = { ...any, least, limit };
    const all = plainly(rare);
    const walked: number[] = [];
    for (let cursor: FillsQuestion['cursor']; ; cursor = { fillKey: walked.at(-1) ?? 0 }) {
      const question = { ...rare, cursor };
      const page = (mostRows: number) => fillKeys(reads, question, mostRows);
      const rest = all.slice(walked.length, walked.length + limit);
      const most = leastBudget(page);
      if (`${page(most)}` !== `${rest}`) throw new Error(`${page(most)}, not ${rest}`);
      if (most > whole) throw new Error(`${most} of ${whole} rows`);
      walked.push(...rest);
      if (rest.length < limit) break;
    }
    if (`${walked}` !== `${all}`) throw new Error('a fill is missing or there twice');
  });
  fc.assert(runs, { numRuns: times(12, 200) });
  t.end();
});

/** The fewest rows that a page may look at; with fewer it must be refused. */
function leastBudget(page: (mostRows: number) => unknown): number {
  const isEnough = (mostRows: number): boolean => {
    try {
      page(mostRows);
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'search_too_wide') return false;
      throw error;
    }
  };
  let [few, enough] = [0, 1];
  while (!isEnough(enough)) [few, enough] = [enough, 2 * enough];
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (isEnough(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}

t.test('a search for the fills of an account as taker reads only those', (t) => {
  const [{ account: user = '' } = {}] = rows;
  const taken = { ...ANY, user, takersOnly: true, limit: 1_000 };
  const { length } = plainly(taken);
  t.ok(length > 5);
  t.same(fillKeys(reads, taken, length), plainly(taken));
  t.throws(() => fillKeys(reads, taken, length - 1), { code: 'search_too_wide' });
  t.end();
});

t.test('a search for an account in a market reads only rows of both', (t) => {
  const counts = new Map<string, number>();
  for (const { account, conditionId } of rows) {
    const name = `${account} ${conditionId}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [[name = '', most = 0] = []] = [...counts].sort(([, a], [, b]) => b - a);
  const [user = '', market = ''] = name.split(' ');
  const question = { ...ANY, user, markets: [market], limit: 10_000 };
  t.equal(fillKeys(reads, question, most).length, most);
  t.throws(() => fillKeys(reads, question, most - 1), { code: 'search_too_wide' });
  t.end();
});

function plainActivity(question: ActivityQuestion): string[] {
  const { types, side, startSeconds = 0, endSeconds = Infinity, sortBy, isAscending } = question;
  const { user, markets, events: named } = question;
  const fills = rows.map((fill) => ({
    ...fill,
    id: `${fill.key}`,
    type: 'TRADE',
    micros: fill.lots * fill.priceTicks,
  }));
  const all = [...fills, ...others.map((other) => ({ ...other, side: '', key: 0 }))].filter(
    (one) =>
      one.account === user &&
      types.includes(one.type) &&
      (side === undefined || one.side === side) &&
      (markets === undefined || markets.includes(one.conditionId ?? 'cash')) &&
      (named === undefined || named.includes(events.get(one.conditionId ?? '') ?? -1)) &&
      Math.floor(one.timeMs / 1_000) >= startSeconds &&
      Math.floor(one.timeMs / 1_000) <= endSeconds,
  );
  const sizeOf = (one: (typeof all)[number]): number =>
    sortBy === 'TOKENS' ? one.lots : sortBy === 'CASH' ? one.micros : 0;
  const order = (one: (typeof all)[number]): number[] => [
    sizeOf(one),
    one.seq,
    one.key > 0 ? 0 : 1,
    one.key > 0 ? one.key : Number(one.id.slice(1)),
  ];
  all.sort((a, b) => {
    const [left, right] = [order(a), order(b)];
    const place = left.findIndex((value, index) => value !== right[index]);
    return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  });
  if (!isAscending) all.reverse();
  return all.map(({ id }) => id).slice(question.offset, question.offset + question.limit);
}

t.test('activity equals a plain merge of fills and other rows', (t) => {
  const random = new Random(6);
  const kinds = new Set<string>();
  const wrong: unknown[] = [];
  for (let step = 0; step < 400; step += 1) {
    const some = random.chance(50) ? random.pick(rows) : random.pick(others);
    const seconds = Math.floor(some.timeMs / 1_000);
    const question: ActivityQuestion = {
      user: some.account,
      types: random.pick([ACTIVITY_TYPES, ['SPLIT', 'MERGE'], ['TRADE', 'DEPOSIT'], ['REWARD']]),
      side: random.pick([undefined, undefined, undefined, 'BUY', 'SELL'] as const),
      startSeconds: random.pick([undefined, undefined, seconds, seconds - 50]),
      endSeconds: random.pick([undefined, undefined, seconds, seconds + 50]),
      sortBy: random.pick(['TIMESTAMP', 'TIMESTAMP', 'TOKENS', 'CASH'] as const),
      isAscending: random.chance(50),
      ...random.pick([
        { markets: undefined, events: undefined },
        { markets: [some.conditionId ?? '', random.pick(markets)], events: undefined },
        { markets: undefined, events: [events.get(some.conditionId ?? '') ?? 0] },
      ]),
      limit: random.pick([1, 5, 500]),
      offset: random.pick([0, 0, 2]),
    };
    const page: { id: string; type: string }[] = JSON.parse(activityText(reads, question).text);
    for (const { type } of page) kinds.add(type);
    const ids = page.map(({ id }) => id);
    const should = plainActivity(question);
    if (JSON.stringify(ids) !== JSON.stringify(should)) wrong.push({ question, ids, should });
  }
  t.same(wrong.slice(0, 2), []);
  t.same([...kinds].sort(), ACTIVITY_TYPES.toSorted());
  t.end();
});

t.test('activity by size is refused for an account with too many rows', (t) => {
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
      [0, 5, 2e9].map((least) => ({ takersOnly, side, unit, least })),
    ),
  ),
);
const SCOPES = [undefined, 1].flatMap((accountKey) =>
  [undefined, [1]].map((marketKeys) => ({ accountKey, marketKeys })),
);
const DIRECTIONS = [true, false];

/** The fixed statements, and those of every shape of a search. */
function everySql(): string[] {
  const walks = DIRECTIONS.flatMap((isAscending) =>
    FILTERS.flatMap((filter) =>
      SCOPES.flatMap((scope) => fillWalks(filter, scope, isAscending).flat()),
    ),
  );
  return [
    ...Object.values(CONTENT_SQL),
    FILL_SQL,
    OTHER_SQL,
    ...DIRECTIONS.flatMap((isAscending) => [
      othersSql({ inMarket: true, isAscending }),
      othersSql({ inMarket: false, isAscending }),
    ]),
    ...new Set(walks.map(({ sql }) => sql)),
  ];
}

t.test('no statement scans a table or sorts', (t) => {
  const plans = everySql().map((sql) => {
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 1] as const);
    const marks = [...sql.matchAll(/\?/g)].map(() => 1);
    const explain = reads.tables.database.prepare<unknown[], { detail: string }>(
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

const PROFILE = `
INSERT INTO catalog.profiles (wallet, proxy_wallet, name, pseudonym, bio, profile_image,
  display_username_public, is_mod, record)
VALUES (?, ?, ?, 'Calm-Otter', '"quoted"', 'big.png', 0, 0, ?)`;

t.test('an account shows its own profile, else that of its wallet, else that of its owner', (t) => {
  const { database } = reads.tables;
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
  const fresh = new AnalyticsReads(reads.tables);
  t.match(fresh.profile(first.key), {
    name: 'First',
    pseudonym: 'Calm-Otter',
    bio: '"quoted"',
    profileImage: 'big.png',
    profileImageOptimized: 'small.png',
    displayUsernamePublic: false,
  });
  t.equal(fresh.profile(second.key).name, 'Owner');
  t.equal(fresh.profile(third.key).name, 'Third');
  database.exec('DELETE FROM catalog.profiles');
  t.equal(fresh.profile(first.key).name, 'First', 'a profile does not change during a question');
  fresh.begin();
  t.match(fresh.profile(first.key), { name: '', pseudonym: /^\w+-\w+$/, bio: '' });
  t.end();
});
