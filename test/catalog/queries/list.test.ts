// Lists of the catalog by each of the three plans, compared with a plain filter over all imported
// records; and the query plans: no table is read from its beginning.

import Database from 'better-sqlite3';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { CatalogList, type ListSearch } from '../../../catalog/queries/list.ts';
import { EVENT_LIST, type ListTable, MARKET_LIST } from '../../../catalog/queries/list-tables.ts';
import { CatalogVersions } from '../../../catalog/queries/versioned-cache.ts';
import { times } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ALL, events, type Listed, markets, oracle, records, searches } from './list-oracle.ts';

/** Bounds that lead to each plan: gather rows, test rows one by one, walk the order's index. */
const PLANS = {
  gathering: { gathered: 1_500, tested: 2_000 },
  testing: { gathered: -1, tested: 40 },
  walking: { gathered: -1, tested: 0 },
} as const;

interface ListCase {
  readonly name: string;
  readonly table: ListTable;
  readonly listed: readonly Listed[];
  readonly further: 'mirror' | 'featured';
}

const CASES: readonly ListCase[] = [
  { name: 'markets', table: MARKET_LIST, listed: markets, further: 'mirror' },
  { name: 'events', table: EVENT_LIST, listed: events, further: 'featured' },
];

function filled(t: Test): Database.Database {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  catalog.importEvents(records);
  catalog.close();
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  return database;
}

/** Tests write nothing while they use the list, so `begin` is called once. */
function listOf(
  database: Database.Database,
  table: ListTable,
  bounds?: (typeof PLANS)[keyof typeof PLANS],
): CatalogList {
  const versions = new CatalogVersions(database);
  versions.begin();
  return new CatalogList(database, { table, versions, ...(bounds && { bounds }) });
}

for (const { name, table, listed, further } of CASES) {
  t.test(`any search of ${name} finds what a plain filter finds`, async (t) => {
    const runs = times(150, 400);
    const database = filled(t);
    for (const [plan, bounds] of Object.entries(PLANS)) {
      const list = listOf(database, table, bounds);
      let found = 0;
      fc.assert(
        fc.property(searches(listed, further), (search) => {
          const [actual, expected] = [list.ids(search), oracle(listed, search)];
          found += expected.length > 0 ? 1 : 0;
          if (`${actual}` !== `${expected}`) throw new Error(`found ${actual}, not ${expected}`);
        }),
        { numRuns: runs },
      );
      t.ok(found > runs / 4, `${plan}: ${found} of ${runs} searches found something`);
    }
  });

  t.test(`each order of ${name} sorts as its values do, both ways`, async (t) => {
    const list = listOf(filled(t), table);
    for (const order of Object.keys(table.orders)) {
      for (const ascending of [true, false]) {
        const search = { ...ALL, order: [order], ascending };
        t.strictSame(list.ids(search), oracle(listed, search), `${order} ${ascending}`);
      }
    }
  });

  t.test(`pages of ${name} are parts of one list`, async (t) => {
    const database = filled(t);
    for (const bounds of Object.values(PLANS)) {
      const list = listOf(database, table, bounds);
      for (const order of [
        ['volume', 'endDate'],
        ['endDate', 'volume'],
        ['startDate', 'slug', 'volume'],
        ['closed', 'endDate'],
        ['liquidity', 'active', 'closedTime'],
        ['closedTime'],
        [],
      ]) {
        for (const ascending of [true, false]) {
          const search = { ...ALL, order, ascending, flags: { archived: false } };
          const whole = oracle(listed, search);
          const parts: number[] = [];
          for (let offset = 0; offset < whole.length + 7; offset += 7) {
            parts.push(...list.ids({ ...search, offset, limit: 7 }));
          }
          t.strictSame(parts, whole, `${order} ${ascending}`);
          t.strictSame(pagesByPlace(list, search), whole, `${order} ${ascending} by places`);
          t.ok(whole.length > 14);
        }
      }
    }
  });

  t.test(`no list of ${name} reads a table from its beginning`, async (t) => {
    const database = filled(t);
    let ranged = 0;
    for (const [plan, bounds] of Object.entries(PLANS)) {
      const list = listOf(database, table, bounds);
      const shapes = everyShape(table, further);
      const unfiltered = shapes.filter(({ conditions, flags, ranges }) => {
        return conditions.length === 0 && Object.keys(flags).length === 0 && ranges === undefined;
      });
      const later = unfiltered.map((search) => ({ ...search, after: list.placeOf(search, 5) }));
      for (const search of [...shapes, ...later]) {
        const { plans, values } = list.plans(search);
        const explain = (sql: string, of: object): string[] =>
          database
            .prepare<[object], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
            .all(of)
            .map(({ detail }) => detail);
        const range = list.pageRangePlans(search);
        const ofRange = range && [
          ...explain(range.page, { limit: 1, offset: 0 }),
          ...explain(range.before, { begin: 0 }),
        ];
        if (ofRange !== undefined) {
          ranged += 1;
          t.notMatch(`${ofRange}`, /USING (INTEGER PRIMARY KEY|INDEX)/, 'no row is read');
        }
        const steps = [...plans.flatMap((sql) => explain(sql, values)), ...(ofRange ?? [])];
        const scans = steps.filter((step) => /^SCAN /.test(step) && !isBounded(step));
        t.strictSame(scans, [], `${plan}: ${JSON.stringify(search)}`);
        const sorts = steps.filter((step) => /TEMP B-TREE FOR ORDER BY/.test(step));
        const isWalk = plan !== 'gathering' && search.order.length < 2;
        if (isWalk) t.strictSame(sorts, [], `not sorted: ${JSON.stringify(search)}`);
      }
    }
    t.ok(ranged > 4, `${ranged} shapes have a page range`);
  });

  t.test(`a search of ${name} beyond its bounds fails`, async (t) => {
    const list = listOf(filled(t), table);
    for (const changes of [{ offset: -1 }, { offset: 0.5 }, { limit: 0 }, { limit: 501 }]) {
      t.throws(() => list.ids({ ...ALL, ...changes }), /must be whole/);
    }
    t.throws(() => list.ids({ ...ALL, order: ['record'] }), /no order record/);
    const conditions = [{ kind: 'record', anyOf: ['x'] }];
    t.throws(() => list.ids({ ...ALL, conditions }), /no condition record/);
  });
}

/** The ids of a search, page by page, each after the place of the last one. */
function pagesByPlace(list: CatalogList, search: ListSearch): number[] {
  const read: number[] = [];
  for (let page: readonly number[] = [0]; page.length > 0; read.push(...page)) {
    const last = read.at(-1);
    const after = last === undefined ? undefined : list.placeOf(search, last);
    page = list.ids({ ...search, offset: 0, limit: 7, after });
  }
  return read;
}

/**
 * Whether a scan is bounded: of the values of a condition, of the merged ranges, or of an index
 * or table that has only the rows that meet the condition, or of the matches of a text.
 */
function isBounded(step: string): boolean {
  return (
    /^SCAN (json_each|\(subquery)/.test(step) ||
    // All markets by id: a walk of one small index, which ends with the page.
    step === 'SCAN markets USING COVERING INDEX markets_in_order' ||
    /VIRTUAL TABLE INDEX \d+:M/.test(step) ||
    /INDEX (markets_with_mirror|events_featured)/.test(step) ||
    step === 'SCAN ended_markets'
  );
}

/** Each filter and each order alone, and each order with filters of each kind. */
function everyShape(table: ListTable, further: 'mirror' | 'featured'): ListSearch[] {
  const filters: Partial<ListSearch>[] = [
    {},
    ...Object.keys(table.conditions).map((kind) => ({ conditions: [{ kind, anyOf: [1, 2] }] })),
    { flags: { closed: false } },
    { flags: { active: true, closed: false, archived: false } },
    { flags: { [further]: true } },
    { flags: { [further]: false } },
    { ranges: [{ kind: 'volume', min: 1 }] },
    { ranges: [{ kind: 'liquidity', max: 1 }] },
    { ranges: [{ kind: 'startDate', min: '2027-01-01T00:00:00Z', max: '2027-06-01T00:00:00Z' }] },
    { ranges: [{ kind: 'endDate', max: '2027-06-01T00:00:00Z' }] },
    ...('gameTime' in table.ranges
      ? [{ ranges: [{ kind: 'gameTime' as const, min: '2027-06-01T00:00:00Z' }] }]
      : []),
  ];
  // One order for each column.
  const columns = new Map(
    Object.entries(table.orders).map(([order, { column }]) => [column, [order]]),
  );
  const orders = [[], ...columns.values(), ['volume', 'endDate']];
  return filters.flatMap((filter) =>
    orders.flatMap((order) =>
      [true, false].map((ascending) => ({ ...ALL, ...filter, order, ascending, limit: 20 })),
    ),
  );
}
