// Lists of positions compared with plain arithmetic over the same rows; and the plans of their SQL.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  refreshTitles,
  TITLES_SQL,
} from '../../../../persistence/reads/analytics/market-titles.ts';
import {
  CLOSED_SORTS,
  closedPositionsSql,
  OPEN_SORTS,
  openPositionsSql,
} from '../../../../persistence/reads/analytics/position-sql.ts';
import { POSITION_SQL } from '../../../../persistence/reads/analytics/position-text.ts';
import {
  closedPositionsText,
  openPositionsText,
} from '../../../../persistence/reads/analytics/positions.ts';
import {
  addressOf,
  asking,
  conditionOf,
  insertAccount,
  insertMarket,
  insertPosition,
  type MadeMarket,
  type MadePosition,
  makeTables,
  planOf,
} from './made-tables.ts';
import { naiveList, priceOf, settled, type World } from './naive-positions.ts';

const ACCOUNTS = [1, 2];
const MARKETS = 12;

const titles = fc.stringMatching(/^[A-Ca-c ]{0,4}$/);
const ends = fc.constantFrom(null, '2026-06-01T00:00:00Z', '2027-01-01T00:00:00Z');
const states = fc.record({
  last_ticks: fc.constantFrom(0, 4_000, 5_700),
  midpoint: fc.constantFrom(0, 10_101),
  payout_ticks: fc.constantFrom(null, null, 0, 5_000, 10_000),
});
function whole(max: number) {
  return fc.integer({ min: 0, max });
}
const amounts = fc.record({
  lots: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(100, 250)),
  cost: whole(3_000_000),
  bought: fc.integer({ min: 1, max: 900 }),
  paid: whole(5_000_000),
  realized: fc.integer({ min: -3, max: 3 }).map((units) => units * 500_000),
  timeMs: fc.integer({ min: 1, max: 4 }).map((seconds) => seconds * 1_500),
  isThere: fc.integer({ min: 0, max: 3 }),
  isGivenUp: fc.boolean(),
});

const worlds: fc.Arbitrary<World> = fc
  .record({
    markets: fc.array(fc.tuple(titles, ends, states), { minLength: MARKETS, maxLength: MARKETS }),
    positions: fc.array(amounts, {
      minLength: MARKETS * 2 * ACCOUNTS.length,
      maxLength: MARKETS * 2 * ACCOUNTS.length,
    }),
  })
  .map(({ markets, positions }) => {
    const made = markets.map(
      ([title, endDate, state], index): MadeMarket => ({
        market: index + 1,
        title,
        endDate,
        state,
      }),
    );
    const rows = positions.flatMap((amount, index): MadePosition[] => {
      if (amount.isThere === 0) return [];
      const outcome = index % 2;
      const market = made[Math.floor(index / 2) % MARKETS] as MadeMarket;
      const account = index < MARKETS * 2 ? 1 : 2;
      const isWorthless = market.state?.payout_ticks !== null && priceOf(market, outcome) === 0;
      const { timeMs, isThere: _, isGivenUp, ...row } = amount;
      const key = { ...row, account, market: market.market, outcome, changedMs: timeMs };
      if (isWorthless) return [{ ...key, cost: 0, closedMs: timeMs }];
      if (isGivenUp) return [{ ...key, lots: 0, cost: 0, closedMs: timeMs }];
      return [{ ...key, closedMs: 0 }];
    });
    return { markets: made, positions: rows };
  });

const part = {
  user: fc.constantFrom(...[1, 2, 1, 2, 3].map(addressOf)),
  scope: fc.constantFrom(
    {},
    {},
    { markets: [1, 3, 5, 99, 6, 8].map(conditionOf) },
    { events: [2, 4, 7, 2, 99] },
  ),
  title: fc.constantFrom('', '', '', 'a', 'B '),
  limit: fc.constantFrom(0, 3, 50, 50),
  offset: fc.constantFrom(0, 0, 0, 2, 100),
  isAscending: fc.boolean(),
};
/** Spreads the scope: all markets, some markets, or the markets of some events. */
function scoped<Question extends object>({ scope, ...question }: Question & { scope: object }) {
  return {
    ...question,
    ...scope,
  };
}
const closedQuestions = fc
  .record({ ...part, sortBy: fc.constantFrom(...CLOSED_SORTS) })
  .map(scoped);
const openQuestions = fc
  .record({
    ...part,
    sortBy: fc.constantFrom(...OPEN_SORTS),
    leastLots: fc.constantFrom(0, 100, 250),
    isRedeemable: fc.constantFrom(false, false, true),
    isMergeable: fc.constantFrom(false, false, true),
  })
  .map(scoped);

t.test('lists of random positions equal those of plain arithmetic', (t) => {
  const tables = makeTables(t);
  const closed = asking(tables.reads, closedPositionsText);
  const open = asking(tables.reads, openPositionsText);
  for (const account of ACCOUNTS) insertAccount(tables, account);
  const fill = tables.analytics.transaction((world: World) => {
    for (const table of ['positions', 'markets', 'market_states']) {
      tables.analytics.exec(`DELETE FROM ${table}`);
    }
    tables.catalog.exec('DELETE FROM markets; DELETE FROM events');
    for (const market of world.markets) insertMarket(tables, market);
    for (const position of world.positions) insertPosition(tables, position);
  });
  const questions = fc.array(fc.tuple(closedQuestions, openQuestions), {
    minLength: 25,
    maxLength: 25,
  });
  let found = 0;
  const check = fc.property(worlds, questions, (world, asked) => {
    fill(world);
    for (const [closedOne, openOne] of asked) {
      const made = [naiveList(world, closedOne), naiveList(world, openOne)];
      assert.deepEqual(settled([closed(closedOne), open(openOne)], made), made);
      found += made.flat().length;
    }
  });
  fc.assert(check, { numRuns: 12, endOnFailure: true });
  t.ok(found > 300, `${found} positions were compared`);
  t.end();
});

t.test(
  'every list is a range of an index, and is sorted only where no index has its order',
  (t) => {
    const { reads } = makeTables(t);
    refreshTitles(reads);
    const indexed: readonly string[] = ['REALIZEDPNL', 'AVGPRICE', 'TIMESTAMP'];
    const values = { account: 1, limit: 1, offset: 1, markets: '[]', title: 'a', leastLots: 1 };
    for (const ofMarkets of [false, true]) {
      for (const ofTitle of [false, true]) {
        const shape = { isAscending: false, ofMarkets, ofTitle };
        const plans = [
          ...CLOSED_SORTS.map(
            (sortBy) => [sortBy, closedPositionsSql({ ...shape, sortBy })] as const,
          ),
          ...OPEN_SORTS.map((sortBy) => {
            const further = { isRedeemable: ofTitle, isMergeable: ofTitle };
            return [sortBy, openPositionsSql({ ...shape, ...further, sortBy })] as const;
          }),
        ];
        for (const [sortBy, sql] of plans) {
          const plan = planOf(reads, sql, values);
          const isIndexed = !ofMarkets && [...indexed, 'TOKENS'].includes(sortBy);
          const isOpenAverage = sortBy === 'AVGPRICE' && sql.includes('closed_ms = 0');
          t.notMatch(plan, /SCAN (?!named)/, `${sortBy}: ${plan}`);
          t.match(
            plan,
            ofMarkets ? /PRIMARY KEY \(account_key=\? AND market_key=\?\)/ : /account_key=\?/,
          );
          t.equal(plan.includes('TEMP B-TREE FOR ORDER'), !isIndexed || isOpenAverage, `${sortBy}`);
          if (isIndexed && !isOpenAverage) t.match(plan, 'COVERING INDEX', `${sortBy}: ${plan}`);
        }
      }
    }
    const look = planOf(reads, POSITION_SQL.replaceAll('?', '1'), {});
    t.notMatch(look, /SCAN/, look);
    const titles = planOf(reads, TITLES_SQL.replaceAll('?', '1'), {});
    t.notMatch(titles, /SCAN|TEMP B-TREE/, titles);
    t.end();
  },
);

t.test('a changed title is found by its new text', (t) => {
  const tables = makeTables(t);
  insertAccount(tables, 1);
  insertMarket(tables, { market: 1, title: 'Rain in Oslo', endDate: null });
  const amounts = { lots: 0, cost: 0, bought: 100, paid: 400_000, realized: 1, changedMs: 1 };
  insertPosition(tables, { account: 1, market: 1, outcome: 0, ...amounts, closedMs: 1_000 });
  const closed = asking(tables.reads, closedPositionsText);
  const found = (title: string): number => {
    const part = { user: addressOf(1), limit: 10, offset: 0, isAscending: false };
    const list = closed({ ...part, title, sortBy: 'TITLE' });
    return Array.isArray(list) ? list.length : -1;
  };
  t.equal(found('OSLO'), 1);
  t.equal(found('bergen'), 0);
  tables.catalog.exec("UPDATE markets SET question = 'Rain in Bergén'");
  t.equal(found('bergen'), 1, 'accents are ignored too');
  t.equal(found('oslo'), 0);
  insertMarket(tables, { market: 2, title: 'Snow in Oslo', endDate: null });
  insertPosition(tables, { account: 1, market: 2, outcome: 1, ...amounts, closedMs: 1_000 });
  t.equal(found('oslo'), 1, 'a new market is found at once');
  t.end();
});
