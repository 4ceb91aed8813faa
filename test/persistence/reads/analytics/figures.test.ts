// Holders, values, open interest, volumes and leaderboards, compared with plain arithmetic over the
// same rows; and the plans of their SQL.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { BOUNDS } from '../../../../engine/model/index.ts';
import { periodsAt } from '../../../../persistence/projection/positions/math.ts';
import {
  ACCOUNT_DAY_SQL,
  profitText,
} from '../../../../persistence/reads/analytics/account-days.ts';
import {
  TRADED_SQL,
  tradedText,
  VOLUME_SQL,
  valueText,
} from '../../../../persistence/reads/analytics/account-figures.ts';
import {
  LEADERBOARD_ORDERS,
  LEADERBOARD_PERIODS,
} from '../../../../persistence/reads/analytics/board-terms.ts';
import { BUILDER_SQL } from '../../../../persistence/reads/analytics/builders.ts';
import { CATEGORY_SQL } from '../../../../persistence/reads/analytics/category-leaders.ts';
import { HOLDERS_SQL, holdersText } from '../../../../persistence/reads/analytics/holders.ts';
import {
  leaderboardSql,
  leaderboardText,
} from '../../../../persistence/reads/analytics/leaderboard.ts';
import {
  FIGURE_SQL,
  liveVolumeText,
  openInterestText,
} from '../../../../persistence/reads/analytics/market-figures.ts';
import {
  MARKET_POSITION_COUNT_SQL,
  MARKET_POSITION_STATUSES,
  marketPositionsSql,
} from '../../../../persistence/reads/analytics/market-positions.ts';
import { valueSql } from '../../../../persistence/reads/analytics/position-sql.ts';
import { pseudonymOf } from '../../../../persistence/shared/account-profile.ts';
import {
  addressOf,
  asking,
  conditionOf,
  insert,
  insertAccount,
  insertMarket,
  insertPosition,
  makeTables,
  planOf,
  tokenOf,
} from './made-tables.ts';

const OPEN = { cost: 0, bought: 1, paid: 0, realized: 0, changedMs: 1, closedMs: 0 };

t.test('holders are grouped by token, the largest first, up to the limit', (t) => {
  const tables = makeTables(t);
  const lots = [5, 300, 99, 300, 100, 0, 1_000];
  insertMarket(tables, { market: 1, title: 'One', endDate: null });
  insertMarket(tables, { market: 2, title: 'Two', endDate: null });
  for (const [index, size] of lots.entries()) {
    insertAccount(tables, index + 1);
    insertPosition(tables, { account: index + 1, market: 1, outcome: 0, lots: size, ...OPEN });
  }
  insert(tables.catalog, 'profiles', {
    wallet: addressOf(7),
    proxy_wallet: addressOf(7),
    name: 'Ada "the" Owl',
    pseudonym: 'Quiet-Otter',
    bio: 'Watches\nclouds',
    profile_image: 'https://img.example/ada.png',
    display_username_public: 1,
    record: '{"profileImageOptimized":{"imageUrlOptimized":"https://img.example/small.png"}}',
  });
  const holders = asking(tables.reads, holdersText);
  const markets = [conditionOf(2), conditionOf(99), conditionOf(1)];
  const groups = holders({ markets, limit: 3, leastLots: 100 });
  const nobody = { bio: '', name: '', profileImage: '', profileImageOptimized: '' };
  const asset = tokenOf(1, 0);
  const common = { asset, displayUsernamePublic: true, outcomeIndex: 0 };
  const unnamed = (account: number, amount: number) => {
    const proxyWallet = addressOf(account);
    return { ...common, ...nobody, proxyWallet, pseudonym: pseudonymOf(proxyWallet), amount };
  };
  const ada = {
    ...common,
    proxyWallet: addressOf(7),
    bio: 'Watches\nclouds',
    pseudonym: 'Quiet-Otter',
    amount: 10,
    name: 'Ada "the" Owl',
    profileImage: 'https://img.example/ada.png',
    profileImageOptimized: 'https://img.example/small.png',
  };
  t.same(groups, [
    { token: tokenOf(2, 0), holders: [] },
    { token: tokenOf(2, 1), holders: [] },
    { token: asset, holders: [ada, unnamed(2, 3), unnamed(4, 3)] },
    { token: tokenOf(1, 1), holders: [] },
  ]);
  const amounts = (leastLots: number): unknown => {
    const all = holders({ markets: [conditionOf(1)], limit: 500, leastLots });
    return Array.isArray(all)
      ? all[0].holders.map(({ amount }: { readonly amount: number }) => amount)
      : all;
  };
  t.same(amounts(0), [10, 3, 3, 1, 0.99, 0.05], 'accounts without tokens are not holders');
  t.same(amounts(100), [10, 3, 3, 1], 'the threshold is inclusive');
  t.same(holders({ markets: [conditionOf(1)], limit: 0, leastLots: 0 }), [
    { token: asset, holders: [] },
    { token: tokenOf(1, 1), holders: [] },
  ]);
  t.match(
    planOf(tables.reads, HOLDERS_SQL, {
      ...{ market: 1, outcome: 0, leastLots: 0 },
      ...{ last: 9, lastAccount: 0, limit: 1 },
    }),
    /COVERING INDEX positions_by_market/,
  );
  t.end();
});

t.test('the value of an account is exact to the half micro', (t) => {
  const tables = makeTables(t);
  insertAccount(tables, 1);
  const price = { last_ticks: 4_000 };
  insertMarket(tables, { market: 1, title: '', endDate: null, state: price });
  insertMarket(tables, { market: 2, title: '', endDate: null, state: { midpoint: 10_101 } });
  insertMarket(tables, { market: 3, title: '', endDate: null, state: { payout_ticks: 0 } });
  const held = { account: 1, ...OPEN };
  insertPosition(tables, { ...held, market: 1, outcome: 0, lots: 10_000 });
  insertPosition(tables, { ...held, market: 2, outcome: 1, lots: 3 });
  insertPosition(tables, { ...held, market: 3, outcome: 1, lots: 100 });
  insertPosition(tables, { ...held, market: 3, outcome: 0, lots: 900, closedMs: 5 });
  const value = asking(tables.reads, valueText);
  const user = addressOf(1);
  t.same(value({ user }), [{ user, value: 40 + 0.0148485 + 1 }]);
  t.same(value({ user, markets: [conditionOf(3), conditionOf(3)] }), [{ user, value: 1 }]);
  t.same(value({ user, markets: [] }), [{ user, value: 0 }]);
  t.same(value({ user: addressOf(2) }), [{ user: addressOf(2), value: 0 }]);
  insertAccount(tables, 3);
  const most = Number.MAX_SAFE_INTEGER / 10_000;
  insertPosition(tables, { ...held, account: 3, market: 1, outcome: 1, lots: Math.floor(most) });
  const text = tables.reads.tables.database.transaction(() =>
    valueText(tables.reads, { user: addressOf(3) }),
  )();
  t.match(text, '"value":5404319552.844}', 'above 2^53 half micros');
  t.match(planOf(tables.reads, valueSql(false), { account: 1 }), 'COVERING INDEX open_positions');
  t.match(planOf(tables.reads, valueSql(true), { account: 1, markets: '[]' }), 'PRIMARY KEY');

  insert(tables.analytics, 'account_totals', { account_key: 1, market_count: 47, trade_count: 90 });
  const traded = asking(tables.reads, tradedText);
  t.same(traded({ user }), { user, traded: 47 });
  t.same(traded({ user: addressOf(9) }), { user: addressOf(9), traded: 0 });
  for (const sql of [TRADED_SQL, VOLUME_SQL]) {
    t.match(planOf(tables.reads, sql, { account: 1 }), 'PRIMARY KEY');
  }
  const { days, unrealized, biggestWin } = ACCOUNT_DAY_SQL;
  const range = { account: 1, first: 0, last: 9, most: 9 };
  t.match(planOf(tables.reads, days, range), 'INDEX market_days_by_account');
  t.match(planOf(tables.reads, unrealized, { account: 1 }), 'INDEX open_positions');
  t.match(planOf(tables.reads, biggestWin, { account: 1 }), 'INDEX closed_positions_by_realized');
  t.notMatch(planOf(tables.reads, biggestWin, { account: 1 }), 'TEMP B-TREE');
  t.end();
});

t.test('the value of the most tokens that there can be fits the integers of SQLite', (t) => {
  // All collateral is in an event of the largest size, as YES of each of its markets at 1.
  const tables = makeTables(t);
  insertAccount(tables, 1);
  const lots = Math.floor(BOUNDS.totalMicros / 10_000);
  const state = { payout_ticks: 10_000, yes_lots: lots, event_size: BOUNDS.marketsPerEvent };
  const fill = tables.analytics.transaction(() => {
    for (let market_key = 1; market_key <= BOUNDS.marketsPerEvent; market_key += 1) {
      insert(tables.analytics, 'market_states', { market_key, ...state });
      insertPosition(tables, { ...OPEN, account: 1, market: market_key, outcome: 0, lots });
    }
  });
  fill();
  const text = valueText(tables.reads, { user: addressOf(1) });
  t.match(text, `"value":${(BigInt(lots) * BigInt(BOUNDS.marketsPerEvent)) / 100n}}`);
  t.end();
});

t.test('open interest of single markets, of an event and of all markets', (t) => {
  const tables = makeTables(t);
  const market = (key: number, state: Readonly<Record<string, number>>) =>
    insertMarket(tables, { market: key, title: '', endDate: null, state });
  market(1, { yes_lots: 12_345, no_lots: 12_345 });
  // A neg-risk event of three markets, which have 200, 100 and 400 lots more of YES than of NO.
  const event = { event_key: 2, event_size: 3 };
  market(2, { ...event, yes_lots: 600, no_lots: 400 });
  market(3, { ...event, yes_lots: 600, no_lots: 500 });
  market(4, { ...event, yes_lots: 600, no_lots: 200 });
  market(5, { yes_lots: 700, no_lots: 50, payout_ticks: 2_500 });
  const locked = asking(tables.reads, openInterestText);
  const of = (key: number, value: number) => ({ market: conditionOf(key), value });
  const markets = [3, 99, 1, 5, 2].map(conditionOf);
  t.same(locked({ markets }), [
    of(3, 5.333333),
    of(1, 123.45),
    of(5, 700 * 0.0025 + 50 * 0.0075),
    of(2, 4.666667),
  ]);
  const ofEvent = 4 + 5 + 2 + (2 + 1 + 4) / 3;
  const all = 123.45 + 2.125 + Number(ofEvent.toFixed(6));
  t.same(locked({}), [{ market: 'GLOBAL', value: Number(all.toFixed(6)) }]);

  insert(tables.analytics, 'market_volumes', { market_key: 1, micros: 1_500_000 });
  insert(tables.analytics, 'market_volumes', { market_key: 3, micros: 250_001 });
  const volume = asking(tables.reads, liveVolumeText);
  t.same(volume({ markets: [3, 2, 99, 1].map(conditionOf) }), [
    { total: 1.750001, markets: [of(3, 0.250001), of(2, 0), of(1, 1.5)] },
  ]);
  tables.catalog.exec('UPDATE markets SET event_id = 1 WHERE id IN (1, 3)');
  t.same(volume({ markets: [], eventId: 1 }), [
    { total: 1.750001, markets: [of(1, 1.5), of(3, 0.250001)] },
  ]);
  t.same(volume({ markets: [], eventId: 77 }), [{ total: 0, markets: [] }]);
  for (const sql of [FIGURE_SQL.locked, FIGURE_SQL.volume]) {
    t.match(planOf(tables.reads, sql.replace('?', '1'), {}), 'PRIMARY KEY');
  }
  t.end();
});

const NOW = Date.UTC(2026, 4, 20, 12);
const NOW_PERIODS = periodsAt(NOW);

interface Totals {
  readonly account: number;
  readonly isNow: boolean;
  readonly volume: bigint;
  readonly realized: bigint;
}

/** What the JSON of this many micros is parsed as. */
function unitsOf(micros: bigint): number {
  const sign = micros < 0n ? '-' : '';
  const digits = `${micros < 0n ? -micros : micros}`.padStart(7, '0');
  return Number(`${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`);
}

const PAGE = { category: 'OVERALL', nowMs: NOW, limit: 3, offset: 1 } as const;

t.test('leaderboards rank every account once, by volume or profit of a period', (t) => {
  const tables = makeTables(t);
  for (let account = 1; account <= 8; account += 1) insertAccount(tables, account);
  const board = asking(tables.reads, leaderboardText);
  // Of all sizes, with neighbours that differ by one micro.
  const bases = [0n, 1_000_000n, 2n ** 53n, 2n ** 63n, 10n ** 25n];
  const sums = fc
    .tuple(fc.constantFrom(...bases), fc.bigInt({ min: -1n, max: 1n }))
    .map(([base, more]) => base + more);
  const volumes = sums.map((sum) => (sum < 0n ? 0n : sum));
  const profits = fc.tuple(fc.boolean(), sums).map(([wins, sum]) => (wins ? sum : -sum));
  const totals = fc.array(fc.record({ isNow: fc.boolean(), volume: volumes, realized: profits }), {
    minLength: 1,
    maxLength: 8,
  });
  const fill = tables.analytics.transaction((rows: readonly Totals[]) => {
    tables.analytics.exec('DELETE FROM account_totals');
    for (const { account, isNow, volume, realized } of rows) {
      const row: Record<string, number | bigint> = { account_key: account };
      for (const [place, period] of ['', 'day', 'week', 'month'].entries()) {
        const own = period === '' ? '' : `${period}_`;
        row[`${own}volume_micros`] = volume + BigInt(place);
        row[`${own}realized_micros`] = realized + BigInt(place);
      }
      const { day, week, month } = periodsAt(isNow ? NOW : NOW - 40 * 86_400_000);
      insert(tables.analytics, 'account_totals', { ...row, day, week, month });
    }
  });
  const naive = (rows: readonly Totals[], period: string, order: string) => {
    const place = ['ALL', 'DAY', 'WEEK', 'MONTH'].indexOf(period);
    const ranked = rows
      .filter(({ isNow }) => isNow || period === 'ALL')
      .toSorted((left, right) => {
        const [high, low] =
          order === 'PNL' ? [right.realized, left.realized] : [right.volume, left.volume];
        return Number(high - low) || left.account - right.account;
      });
    return ranked.map(({ account, volume, realized }, index) => ({
      rank: `${index + 1}`,
      proxyWallet: addressOf(account),
      userName: pseudonymOf(addressOf(account)),
      vol: unitsOf(volume + BigInt(place)),
      pnl: unitsOf(realized + BigInt(place)),
      profileImage: '',
      xUsername: null,
      verifiedBadge: null,
    }));
  };
  const check = fc.property(totals, (made) => {
    const rows = made.map((row, index) => ({ ...row, account: index + 1 }));
    fill(rows);
    for (const period of LEADERBOARD_PERIODS) {
      for (const order of LEADERBOARD_ORDERS) {
        const all = naive(rows, period, order);
        const asked = { ...PAGE, period, order };
        assert.deepEqual(board(asked), all.slice(1, 4));
        for (let account = 1; account <= 9; account += 1) {
          const user = addressOf(account);
          const own = all.filter(({ proxyWallet }) => proxyWallet === user);
          assert.deepEqual(board({ ...asked, user }), own);
        }
      }
    }
  });
  fc.assert(check, { numRuns: 30 });
  t.end();
});

t.test('a series of profit has a bound, from the first day of the account on', (t) => {
  const tables = makeTables(t);
  insertAccount(tables, 1);
  insertMarket(tables, { market: 1, title: '', endDate: null });
  const lastDay = NOW_PERIODS.day;
  const hours = Array.from(
    { length: 365 * 24 },
    (_, hour) => (lastDay - 364) * 86_400 + hour * 3_600,
  );
  const profit = asking(tables.reads, profitText);
  const question = { user: addressOf(1), times: hours, fromFirst: true };
  const firstDay = (day: number): void => {
    tables.analytics.exec('DELETE FROM market_days');
    insert(tables.analytics, 'market_days', { market_key: 1, account_key: 1, day });
  };
  firstDay(lastDay - 90);
  t.equal((profit(question) as unknown[]).length, 91 * 24);
  firstDay(lastDay - 110);
  t.throws(() => profit(question), { code: 'search_too_wide', message: /2500 points/ });
  t.end();
});

t.test('a leaderboard is a range of the index of its period and order', (t) => {
  const { reads } = makeTables(t);
  for (const period of LEADERBOARD_PERIODS) {
    for (const order of LEADERBOARD_ORDERS) {
      const values = { number: NOW_PERIODS.day, account: 1, value: 1, limit: 1, offset: 1 };
      const named = period === 'ALL' ? { ...values, number: 0 } : values;
      for (const excludes of [false, true]) {
        const sql = leaderboardSql({ period, order, excludes });
        const all = excludes ? { ...named, excluded: '[1]' } : named;
        for (const text of Object.values(sql)) {
          // The list of excluded accounts, of which there are few, is walked.
          const plan = planOf(reads, text, all).replaceAll('SCAN json_each VIRTUAL TABLE', '');
          t.notMatch(plan, /TEMP B-TREE/, plan);
          if (text !== sql.page || period !== 'ALL') t.notMatch(plan, /SCAN (?!CONSTANT)/, plan);
        }
      }
    }
  }
  t.end();
});

t.test('boards of markets, builders and categories are ranges of indexes', (t) => {
  const { reads } = makeTables(t);
  const values = { market: 1, outcome: 0, limit: 1, offset: 1, most: 1 };
  for (const isAscending of [false, true]) {
    for (const status of MARKET_POSITION_STATUSES) {
      const sql = marketPositionsSql({ status, sortBy: 'TOKENS', isAscending });
      const plan = planOf(reads, sql, values);
      t.match(plan, /SEARCH p USING COVERING INDEX positions_by_market/, plan);
      t.notMatch(plan, /TEMP B-TREE/, plan);
    }
  }
  t.match(planOf(reads, MARKET_POSITION_COUNT_SQL, values), /SEARCH .* COVERING INDEX/);
  const place = { last: '~', lastBuilder: Buffer.alloc(32) };
  const page = { period: 'DAY', number: 1, limit: 1, offset: 1, bucket: 'WEEK', ...place };
  for (const sql of Object.values(BUILDER_SQL)) {
    const plan = planOf(reads, sql, page);
    t.match(plan, /SEARCH builder_periods USING .*INDEX builders_by_volume/, plan);
    t.notMatch(plan, /TEMP B-TREE/, plan);
  }
  for (const sql of Object.values(CATEGORY_SQL)) {
    const plan = planOf(reads, sql, { slugs: '[]', markets: '[]', first: 1, most: 1 });
    t.notMatch(plan, /SCAN (?!named)/, plan);
  }
  t.end();
});
