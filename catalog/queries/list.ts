/**
 * Lists of markets and of events: finds the ids that a search asks for, in its order, by one of
 * three plans.
 *
 * 1. Gather: an index finds few rows that meet one of the conditions; they are tested by the other
 *    conditions and sorted.
 * 2. Test: no condition is that narrow; the first rows of the order's index are tested until the
 *    page is full. Each state that the flags allow is one range of that index; ranges are merged.
 * 3. Walk: testing does not fill the page, because few rows meet all conditions or they come late.
 *    The indexes of the conditions give the ids that meet them, and the order's index is walked
 *    with these ids, without reading rows.
 *
 * A page after a place has one more condition: sort values and id follow those of the place.
 *
 * For a page deep in an order of several fields, the rows are first narrowed to the values that the
 * first field has on this page.
 *
 * Invariant: no table is scanned without an index of the order; values of a caller are parameters,
 * never parts of the SQL. Bounds: `LIST_BOUNDS.gathered` rows are sorted, `tested` rows
 * tested. A walk reads each index once, some 50 ms at 100,000 markets, and rows only if they hold
 * the second field of the order.
 */
import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import {
  CATALOG_BOUNDS,
  type EventRangeKind,
  type ListCondition,
  type ListFlags,
  type ListPart,
  type ListPlace,
  type ListRange,
} from '../model/index.ts';
import {
  afterPlace,
  columnText,
  type ListTable,
  type OrderColumn,
  type PlaceSearch,
  placeSql,
  placeValues,
  STATE_BITS,
} from './list-tables.ts';
import { type CacheSize, type CatalogVersions, VersionedCache } from './versioned-cache.ts';

/** `mirror` is a flag of markets only, `featured` of events only. */
interface FurtherFlags {
  readonly mirror?: boolean | undefined;
  readonly featured?: boolean | undefined;
}

/** A search of markets or of events. Names of other records were resolved to ids before. */
export interface ListSearch extends ListPart, PlaceSearch {
  readonly conditions: readonly ListCondition<string>[];
  readonly flags: ListFlags & FurtherFlags;
  readonly ranges?: readonly ListRange<EventRangeKind>[] | undefined;
  readonly order: readonly string[];
}

export interface ListPlans {
  /** Tried one after the other until the page is full. */
  readonly plans: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

const LIST_BOUNDS = {
  /** Rows that are gathered and sorted. If more meet a condition, the order's index is used. */
  gathered: 1_500,
  /** Rows of the order's index that are tested, in some 5 ms, before it is walked by ids. */
  tested: 2_000,
  /** Rows that are counted; a larger count is reported as this one. */
  counted: 10_000,
} as const;

interface PlanBounds {
  readonly gathered: number;
  readonly tested: number;
}

export interface CatalogListParts {
  readonly table: ListTable;
  readonly versions: CatalogVersions;
  /** For tests, which choose the plan by them. */
  readonly bounds?: PlanBounds;
}

const ID_CACHE_SIZE: CacheSize<readonly number[]> = {
  maxBytes: CATALOG_BOUNDS.keptIdsBytes,
  bytesOf: (ids) => 8 * ids.length,
};

const STATES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

interface BoundTest {
  readonly source: string | undefined;
  readonly without: string | undefined;
  readonly test: string;
  /** The column of an order whose index has the condition as a range. */
  readonly column?: OrderColumn;
}

/** The values of an order's first field on a page, and how many rows are before the first. */
interface PageRange {
  readonly column: OrderColumn;
  readonly min: string | number;
  readonly max: string | number;
  readonly before: number;
}

interface PageRangePlans {
  readonly column: OrderColumn;
  /** Selects the first field of each row of the page. */
  readonly page: string;
  readonly before: string;
}

export class CatalogList {
  readonly #table: ListTable;
  readonly #statements: StatementCache;
  readonly #versions: CatalogVersions;
  readonly #ids = new VersionedCache<string, readonly number[]>(ID_CACHE_SIZE);
  readonly #bounds: PlanBounds;

  constructor(database: Database, { table, versions, bounds = LIST_BOUNDS }: CatalogListParts) {
    this.#table = table;
    this.#versions = versions;
    this.#bounds = bounds;
    this.#statements = new StatementCache(database);
  }

  ids(search: ListSearch): readonly number[] {
    const { offset, limit } = search;
    assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.listed;
    assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.listed}`);
    // Trading changes figures all the time; lists that don't depend on them stay cached.
    const version = this.#dependsOnData(search) ? this.#versions.data : this.#versions.content;
    return this.#ids.getOrMake(JSON.stringify(search), version, () => this.#find(search));
  }

  #dependsOnData(search: ListSearch): boolean {
    const { conditions, ranges = [] } = search;
    return (
      conditions.some(({ kind }) => this.#table.conditions[kind]?.isOfData === true) ||
      this.#keys(search).some(isFigure) ||
      ranges.some(({ kind }) => isFigure(this.#rangeColumn(kind)))
    );
  }

  #find(search: ListSearch): readonly number[] {
    const range = this.#pageRange(search);
    if (range === 'empty') return [];
    const { plans, values } =
      range === undefined
        ? this.plans(search)
        : this.plans({ ...search, offset: search.offset - range.before }, range);
    let found: number[] = [];
    for (const sql of plans) {
      found = this.#statements.column<number>(sql, values);
      if (found.length === search.limit) break;
    }
    return found;
  }

  /** The number of results on all pages, at most `LIST_BOUNDS.counted`. */
  count(search: ListSearch): number {
    const { counted: limit } = LIST_BOUNDS;
    const { plans, values } = this.plans({ ...search, order: [], offset: 0, limit });
    const sql = plans.at(-1) ?? '';
    const [count = 0] = this.#statements.column<number>(`SELECT count(*) FROM (${sql})`, values);
    return count;
  }

  /** The SQL that finds the ids. Public for tests. */
  plans(search: ListSearch, range?: PageRange): ListPlans {
    const values: Record<string, unknown> = {};
    let count = 0;
    const bind = (value: unknown): string => {
      count += 1;
      values[`p${count}`] = value;
      return `@p${count}`;
    };
    const tests = this.#tests(search, bind);
    if (range !== undefined) {
      const ends = [`>= ${bind(range.min)}`, `<= ${bind(range.max)}`];
      tests.push(this.#columnTest(range.column, ends));
    }
    Object.assign(values, placeValues(search));
    const narrow = this.#narrowest(tests, values);
    const page = `LIMIT ${bind(search.limit)} OFFSET ${bind(search.offset)}`;
    if (narrow !== undefined) {
      return { plans: [this.#gather(search, tests, { narrow, page })], values };
    }
    const walk = this.#walk(search, tests, page);
    const isNear = search.offset + search.limit <= this.#bounds.tested;
    return {
      plans: isNear && tests.length > 0 ? [this.#testFirstRows(search, tests, page), walk] : [walk],
      values,
    };
  }

  /**
   * For a page deep in an order of several fields. The index of the first field tells which of its
   * values are on the page, so the other fields are read only for rows with these values. Public
   * for tests.
   */
  pageRangePlans(search: ListSearch): PageRangePlans | undefined {
    const { conditions, flags, ranges = [], offset, limit } = search;
    const isOfAll = conditions.length === 0 && ranges.length === 0 && !search.after;
    const hasFurther = flags.mirror !== undefined || flags.featured !== undefined;
    const [column, second] = this.#leading(search);
    const isTied = second !== undefined && second.of !== 'id';
    const isDeep = offset + limit > this.#bounds.tested && this.#leadingFlags(search).length === 0;
    if (column === undefined || !isTied || !isDeep || !isOfAll || hasFurther) return undefined;
    const first = search.order.slice(0, 1);
    const rows = this.#ranges(
      { ...search, order: first },
      { needed: '', columns: [], clauses: [] },
    );
    const { table, figures } = this.#table;
    const from = column.of === 'figures' ? `${figures} f` : `${table} m`;
    const name = columnText(column);
    // NULL comes before all values.
    const earlier = search.ascending
      ? [`${name} < @begin`, `${name} IS NULL`]
      : [`${name} > @begin`];
    const counts = statesOf(flags).flatMap((state) =>
      earlier.map(
        (clause) =>
          `SELECT count(*) AS count FROM ${from} INDEXED BY ${column.index}
           WHERE state = ${state} AND ${clause}`,
      ),
    );
    return {
      column,
      page: `SELECT k0 FROM (${rows} LIMIT @limit OFFSET @offset)`,
      before: `SELECT sum(count) FROM (${counts.join(' UNION ALL ')})`,
    };
  }

  #pageRange(search: ListSearch): PageRange | 'empty' | undefined {
    const plans = this.pageRangePlans(search);
    if (plans === undefined) return undefined;
    const { limit, offset } = search;
    const firsts = this.#statements.column<string | number | null>(plans.page, { limit, offset });
    const [begin, end] = [firsts[0], firsts.at(-1)];
    if (begin === undefined || end === undefined) return 'empty';
    if (begin === null || end === null) return undefined;
    const [before = 0] = this.#statements.column<number>(plans.before, { begin });
    const [min, max] = search.ascending ? [begin, end] : [end, begin];
    return { column: plans.column, min, max, before };
  }

  #tests(
    { conditions, flags, ranges = [] }: ListSearch,
    bind: (value: unknown) => string,
  ): BoundTest[] {
    const tests: BoundTest[] = [];
    for (const { kind, anyOf } of conditions) {
      const known = this.#table.conditions[kind];
      assert(known !== undefined, `there is no condition ${kind}`);
      const listed = `(SELECT value FROM json_each(${bind(JSON.stringify(anyOf))}))`;
      const bound = (sql: string | undefined) => sql?.replaceAll('VALUES', listed);
      const { source, without, test } = known;
      tests.push({
        source: bound(source),
        without: bound(without),
        test: test.replace('VALUES', listed),
      });
    }
    for (const range of ranges) tests.push(...this.#rangeTests(range, bind));
    for (const name of ['mirror', 'featured'] as const) {
      const further = this.#table.further[name];
      if (further === undefined || flags[name] === undefined) continue;
      const { source, without, test } = flags[name] ? further.yes : further.no;
      tests.push({ source, without, test });
    }
    return tests;
  }

  #rangeColumn(kind: EventRangeKind): OrderColumn {
    const column = this.#table.ranges[kind];
    assert(column !== undefined, `there is no range ${kind}`);
    return column;
  }

  #rangeTests({ kind, min, max }: ListRange<EventRangeKind>, bind: (value: unknown) => string) {
    const ends = [
      ...(min === undefined ? [] : [`>= ${bind(min)}`]),
      ...(max === undefined ? [] : [`<= ${bind(max)}`]),
    ];
    return ends.length === 0 ? [] : [this.#columnTest(this.#rangeColumn(kind), ends)];
  }

  #columnTest(column: OrderColumn, ends: readonly string[]): BoundTest {
    const value = columnText(column);
    const { table, figures, figuresId } = this.#table;
    const [from, id] = column.of === 'figures' ? [figures, figuresId] : [table, 'id'];
    const within = (name: string): string => ends.map((end) => `${name} ${end}`).join(' AND ');
    // The index begins with the state, so there is one range for each state.
    const source = STATES.map(
      (state) => `SELECT ${id} FROM ${from} WHERE state = ${state} AND ${within(column.column)}`,
    ).join(' UNION ALL ');
    return { source, without: undefined, test: within(value), column };
  }

  /** The source that finds the fewest ids; undefined if each finds more than `gathered`. */
  #narrowest(tests: readonly BoundTest[], values: ListPlans['values']): string | undefined {
    let narrowest: string | undefined;
    let fewest = this.#bounds.gathered + 1;
    for (const { source } of tests) {
      if (source === undefined) continue;
      const counted = `SELECT count(*) FROM (${source} LIMIT @fewest)`;
      const [count = 0] = this.#statements.column<number>(counted, { ...values, fewest });
      if (count < fewest) [narrowest, fewest] = [source, count];
    }
    return narrowest;
  }

  #gather(
    search: ListSearch,
    tests: readonly BoundTest[],
    { narrow, page }: { readonly narrow: string; readonly page: string },
  ): string {
    const { table, figures, figuresId } = this.#table;
    const states = statesOf(search.flags);
    const others = tests.filter(({ source }) => source !== narrow).map(({ test }) => test);
    const keys = this.#keys(search).map(columnText);
    const needed = [...others, ...keys].join(' ').replaceAll('m.id', '');
    const ordered = keys.map((key) => `${key} ${directionOf(search)}`).join(', ');
    // Rows of figures have the state too, and a tenth of the length.
    const isFiguresOnly = !/\bm\./.test(needed);
    const leader = isFiguresOnly ? 'f' : 'm';
    const clauses = [
      `m.id IN (${narrow})`,
      ...(states.length === STATES.length ? [] : [`${leader}.state IN (${states.join(', ')})`]),
      ...others,
      ...afterPlace(search, this.#keys(search), columnText),
    ].join(' AND ');
    if (isFiguresOnly) {
      const sql = `SELECT m.id FROM ${figures} f NOT INDEXED
        WHERE ${clauses} ORDER BY ${ordered} ${page}`;
      return sql.replaceAll(/\bm\.id\b/g, `f.${figuresId}`);
    }
    const join = needed.includes('f.')
      ? `CROSS JOIN ${figures} f NOT INDEXED ON f.${figuresId} = m.id`
      : '';
    return `SELECT m.id FROM ${table} m NOT INDEXED ${join}
      WHERE ${clauses} ORDER BY ${ordered} ${page}`;
  }

  /** Plan 2. Most pages are among the first rows of their order. */
  #testFirstRows(search: ListSearch, tests: readonly BoundTest[], page: string): string {
    const fits = tests.map(({ test }) => test).join(' AND ');
    const rows = this.#ranges(search, { needed: fits, columns: [`${fits} AS fits`], clauses: [] });
    return `SELECT id FROM (${rows} LIMIT ${this.#bounds.tested}) WHERE fits ${page}`;
  }

  #walk(search: ListSearch, tests: readonly BoundTest[], page: string): string {
    const { flags, order } = search;
    const isOfAll = flags.active === undefined && flags.closed === undefined;
    const { inOrder, table } = this.#table;
    // With nothing to test or merge, a deep page steps over the entries of one small index.
    if (inOrder !== '' && isOfAll && flags.archived === undefined && tests.length === 0) {
      const ordered = `ORDER BY id ${directionOf(search)}`;
      if (order.length === 0) {
        const [after] = afterPlace(search, this.#keys(search), () => 'id');
        const where = after === undefined ? '' : `WHERE ${after}`;
        return `SELECT id FROM ${table} INDEXED BY ${inOrder} ${where} ${ordered} ${page}`;
      }
    }
    const [first] = this.#leading(search);
    const clauses = tests.map(({ source, without, test, column }) => {
      // The walked index has the condition as a range.
      if (column !== undefined && column === first) return test;
      if (source !== undefined) return `+ID IN (${source})`;
      return without === undefined ? test : `+ID NOT IN (${without})`;
    });
    const needed = clauses.join(' AND ');
    return `SELECT id FROM (${this.#ranges(search, { needed, columns: [], clauses })} ${page})`;
  }

  /** The ranges of the states, merged in the order of the search. */
  #ranges(search: ListSearch, { needed, columns, clauses }: RowTests): string {
    const direction = directionOf(search);
    const keys = this.#keys(search);
    const [first] = this.#leading(search);
    const flags = this.#leadingFlags(search).length;
    const names = keys.map((_, index) => `k${index}`).slice(flags);
    const ordered = names.map((name) => `${name} ${direction}`).join(', ');
    const { table, figures, figuresId } = this.#table;
    const leadsFigures = first?.of === 'figures';
    const needsRow = needed.includes('m.') || keys.some(({ of }) => of === 'row');
    const needsFigures = needed.includes('f.') || keys.some(isFigure);
    const from = leadsFigures
      ? `${figures} f INDEXED BY ${first.index}${
          needsRow ? ` CROSS JOIN ${table} m NOT INDEXED ON m.id = f.${figuresId}` : ''
        }`
      : `${table} m INDEXED BY ${first?.index || `${table}_by_state`}${
          needsFigures ? ` CROSS JOIN ${figures} f NOT INDEXED ON f.${figuresId} = m.id` : ''
        }`;
    const [leader, id] = leadsFigures ? ['f', `f.${figuresId}`] : ['m', 'm.id'];
    const branch = (state: number): string => {
      const keyIn = (key: OrderColumn): string =>
        key.of === 'flag' ? `${flagOf(state, key)}` : key.of === 'id' ? id : columnText(key);
      const selected = [
        `${id} AS id`,
        ...keys.map((key, index) => `${keyIn(key)} AS k${index}`).slice(flags),
        ...columns,
      ];
      const place = afterPlace(search, keys, keyIn);
      const where = [`${leader}.state = ${state}`, ...place, ...clauses].join(' AND ');
      const sql = `SELECT ${selected.join(', ')} FROM ${from} WHERE ${where}`;
      return sql.replaceAll('+ID ', `+${id} `);
    };
    const groups = this.#groups(search).map(
      (states) => `${states.map(branch).join(' UNION ALL ')} ORDER BY ${ordered}`,
    );
    const [only = ''] = groups;
    if (groups.length === 1) return only;
    // A subquery with its own limit keeps its order.
    return groups.map((group) => `SELECT * FROM (${group} LIMIT -1)`).join(' UNION ALL ');
  }

  /** The flags that the order begins with. They are the same in all rows of a state. */
  #leadingFlags(search: ListSearch): readonly OrderColumn[] {
    const keys = this.#keys(search);
    return keys.slice(
      0,
      keys.findIndex(({ of }) => of !== 'flag'),
    );
  }

  /** The states that the flags allow, in order, grouped by the flags that the order begins with. */
  #groups(search: ListSearch): readonly (readonly number[])[] {
    const flags = this.#leadingFlags(search);
    const groups = new Map<string, number[]>();
    for (const state of statesOf(search.flags)) {
      const name = flags.map((flag) => flagOf(state, flag)).join('');
      groups.set(name, [...(groups.get(name) ?? []), state]);
    }
    const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
    return (search.ascending ? sorted : sorted.reverse()).map(([, states]) => states);
  }

  /** The place of a row in the order of the search: see `PlaceSearch`. */
  placeOf(search: ListSearch, id: number): ListPlace {
    const sql = placeSql(this.#table, this.#keys(search));
    const place = this.#statements.get<Readonly<Record<string, ListPlace[number]>>>(sql, id);
    assert(place !== undefined, 'the row was just found');
    return Object.values(place);
  }

  /** The keys without flags, which are the same in all rows of a state. */
  #leading(search: ListSearch): readonly OrderColumn[] {
    return this.#keys(search).filter(({ of }) => of !== 'flag');
  }

  #keys({ order }: ListSearch): readonly OrderColumn[] {
    const { orders } = this.#table;
    const keys = order.map((name) => {
      const key = orders[name];
      assert(key !== undefined, `there is no order ${name}`);
      return key;
    });
    const end = keys.findIndex(({ of }) => of === 'id');
    return [...(end < 0 ? keys : keys.slice(0, end)), orders.id];
  }
}

/** SQL that tests rows: selected columns or clauses. `needed`: its text, searched for aliases. */
interface RowTests {
  readonly needed: string;
  readonly columns: readonly string[];
  readonly clauses: readonly string[];
}

function directionOf({ ascending }: ListSearch): string {
  return ascending ? 'ASC' : 'DESC';
}

function isFigure({ of }: OrderColumn): boolean {
  return of === 'figures';
}

function flagOf(state: number, { column }: OrderColumn): 0 | 1 {
  // Safe: the column of a flag has its name.
  return (state & STATE_BITS[column as keyof typeof STATE_BITS]) === 0 ? 0 : 1;
}

function statesOf(flags: ListFlags): readonly number[] {
  return STATES.filter((state) =>
    (['active', 'closed', 'archived'] as const).every(
      (flag) => flags[flag] === undefined || ((state & STATE_BITS[flag]) !== 0) === flags[flag],
    ),
  );
}
