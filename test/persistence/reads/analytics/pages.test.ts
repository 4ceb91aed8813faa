// Pages of boards and holders in version 2: rows that are inserted between two pages neither repeat
// nor hide a row that was there all the time. An earlier version of the boards paged by ranks.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { periodsAt } from '../../../../persistence/projection/positions/math.ts';
import { ACCOUNTING_SQL } from '../../../../persistence/reads/analytics/accounting.ts';
import type { AnalyticsReads } from '../../../../persistence/reads/analytics/analytics-reads.ts';
import { builderBoardText } from '../../../../persistence/reads/analytics/builders.ts';
import { holdersText, NET_HOLDERS_SQL } from '../../../../persistence/reads/analytics/holders.ts';
import { leaderboardText } from '../../../../persistence/reads/analytics/leaderboard.ts';
import type { PageText, RowPlace } from '../../../../persistence/reads/analytics/page-text.ts';
import { RESOLUTION_SQL } from '../../../../persistence/reads/analytics/resolutions.ts';
import { winnersSql, winnersText } from '../../../../persistence/reads/analytics/winners.ts';
import {
  conditionOf,
  insert,
  insertAccount,
  insertMarket,
  insertPosition,
  type MadeTables,
  makeTables,
  planOf,
} from './made-tables.ts';

const NOW = Date.UTC(2027, 4, 5, 12);
const { day, week, month } = periodsAt(NOW);
const MARKET = 1;
const PERIOD = { period: 'DAY', nowMs: NOW, offset: 0 } as const;

type Shown = Readonly<Record<string, unknown>>;

interface List {
  /** Adds a row of an account, or builder, that had none. */
  add(tables: MadeTables, account: number, value: number): void;
  /** The rows of a page; a place without an answer's text would be of no use. */
  ask(reads: AnalyticsReads, limit: number, after: RowPlace | undefined): string | PageText;
  rowsOf(data: readonly Shown[]): readonly Shown[];
  /** What names a row. */
  readonly id: string;
  /** The member that has its place on the board. */
  readonly rank?: string;
}

function board(order: 'PNL' | 'VOL'): List {
  return {
    add: ({ analytics }, account, value) =>
      insert(analytics, 'market_days', {
        ...{ market_key: MARKET, day, account_key: account },
        ...{ volume_lots: value, realized_micros: value },
      }),
    ask: (reads, limit, after) =>
      leaderboardText(reads, { ...PERIOD, category: 'OVERALL', order, limit, after }),
    rowsOf: (data) => data,
    id: 'user_id',
    rank: 'rank',
  };
}

const HELD = { cost: 0, bought: 1, paid: 0, realized: 0, changedMs: 1, closedMs: 0 };

function holders(withProfit: boolean): List {
  return {
    add: (tables, account, lots) => {
      const held = { account, market: MARKET, ...HELD };
      insertPosition(tables, { ...held, outcome: 0, lots: lots + 3 });
      insertPosition(tables, { ...held, outcome: 1, lots: account % 3 });
    },
    ask: (reads, limit, after) => {
      const markets = [conditionOf(MARKET)];
      return holdersText(reads, { markets, limit, leastLots: 0, withProfit, after });
    },
    rowsOf: (data) => {
      const [{ holders = [] } = {}] = data.filter(({ token_id }) => token_id === '11');
      return holders as readonly Shown[]; // Safe: a group has them.
    },
    id: 'proxy_wallet',
  };
}

const LISTS: Readonly<Record<string, List>> = {
  'the board of profits': board('PNL'),
  'the board of volumes': board('VOL'),
  'the board of builders': {
    add: ({ analytics }, account, value) => {
      const builder = Buffer.alloc(32, account);
      for (const [period, number] of Object.entries({ DAY: day, WEEK: week, MONTH: month })) {
        const row = { period, number, volume_micros: value, user_count: 1 };
        insert(analytics, 'builder_periods', { ...row, builder } as never); // A column of bytes.
      }
    },
    ask: (reads, limit, after) => builderBoardText(reads, { ...PERIOD, limit, after }),
    rowsOf: (data) => data,
    id: 'builder_code',
    rank: 'rank',
  },
  'the biggest winners': {
    add: (tables, account, value) => {
      const won = { ...HELD, lots: 0, realized: value, closedMs: NOW };
      insertPosition(tables, { account, market: MARKET, outcome: 0, ...won });
      const sums = `received_micros = realized_micros WHERE account_key = ${account}`;
      tables.analytics.exec(`UPDATE positions SET ${sums}`);
    },
    ask: (reads, limit, after) =>
      winnersText(reads, { ...PERIOD, category: 'OVERALL', limit, after }),
    rowsOf: (data) => data,
    id: 'user_id',
    rank: 'win_rank',
  },
  'holders of differences': holders(false),
  'holders of whole balances': holders(true),
};

const values = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 });

for (const [name, { add, ask, rowsOf, id, rank }] of Object.entries(LISTS)) {
  t.test(`${name}: new rows neither repeat nor hide others`, async (t) => {
    const tables = makeTables(t);
    const state = { payout_ticks: 10_000, resolved_ms: NOW };
    insertMarket(tables, { market: MARKET, title: 'One', endDate: null, state });
    for (let account = 1; account <= 40; account += 1) insertAccount(tables, account);
    const askPage = (limit: number, after: RowPlace | undefined) => {
      tables.reads.begin({ version: 2 });
      const answer = tables.reads.tables.database.transaction(() =>
        ask(tables.reads, limit, after),
      )();
      assert.ok(typeof answer !== 'string');
      return { rows: rowsOf(JSON.parse(answer.text)), next: answer.next };
    };
    const check = fc.property(values, fc.array(values, { maxLength: 3 }), (first, later) => {
      tables.analytics.exec(
        'DELETE FROM market_days; DELETE FROM positions; DELETE FROM builder_periods',
      );
      // Accounts that come later have keys before and after those of the first ones.
      const keys = Array.from({ length: 40 }, (_, index) => ((index * 11) % 40) + 1);
      const insertAll = (rows: readonly number[]): void => {
        for (const value of rows) add(tables, keys.pop() ?? 0, value);
      };
      insertAll(first);
      const before = askPage(100, undefined);
      assert.equal(before.next, undefined);
      const known = before.rows.map((row) => row[id]);
      const seen: unknown[] = [];
      let after: RowPlace | undefined;
      for (const inserted of [...later, [], [], [], [], [], [], [], [], [], [], [], [], []]) {
        const page = askPage(3, after);
        seen.push(...page.rows.map((row) => row[id]));
        if (rank !== undefined) {
          const now = askPage(100, undefined).rows.map((row) => row[id]);
          const places = page.rows.map((row) => now.indexOf(row[id]) + 1);
          assert.deepEqual(
            page.rows.map((row) => row[rank]),
            places,
          );
        }
        if (page.next === undefined) break;
        after = page.next;
        insertAll(inserted);
      }
      assert.equal(new Set(seen).size, seen.length, 'no row twice');
      assert.deepEqual(
        seen.filter((row) => known.includes(row)),
        known,
      );
    });
    fc.assert(check, { numRuns: 60 });
  });
}

t.test('the lists are ranges and look-ups of indexes', async (t) => {
  const { reads } = makeTables(t);
  const place = { win: 1, account: 1, market: 1, outcome: 0, limit: 1, most: 1 };
  for (const ofCategory of [false, true]) {
    for (const sql of Object.values(winnersSql(ofCategory))) {
      const plan = planOf(reads, sql, { sinceMs: 1, markets: '[]', ...place });
      t.match(plan, /SEARCH s USING .*INDEX markets_by_resolution/);
      t.match(plan, /SEARCH p USING .*INDEX positions_by_market/);
    }
  }
  const held = { market: 1, outcome: 0, leastLots: 1, last: 9, lastAccount: 1, limit: 1 };
  const plan = planOf(reads, NET_HOLDERS_SQL, held);
  t.match(plan, /SEARCH p USING .*INDEX positions_by_market/);
  t.match(plan, /SEARCH o USING PRIMARY KEY/);
  for (const sql of Object.values(ACCOUNTING_SQL)) {
    t.notMatch(planOf(reads, sql, { account: 1 }), /SCAN|TEMP B-TREE/, sql);
  }
  for (const [name, sql] of Object.entries(RESOLUTION_SQL)) {
    const named = { events: '[1]', questionId: '0x1' };
    const found = planOf(reads, sql, sql.endsWith('?') ? ([''] as never) : named);
    t.notMatch(found, /SCAN (?!named)/, `${name}: ${found}`);
  }
});
