// Lists of markets and of events: the ids of what a search asks for, in its order. There are two
// plans. Where an index finds few rows that fit one of the conditions, these are gathered, tested
// by the others and sorted. Where no condition is that narrow, the order's own index is walked, one
// range for each state that the flags allow, merged, and each row is tested until the page is full.
//
// Invariant: no table is read from its beginning without an index of the order asked for; whatever
// a caller wants found is a parameter and never SQL. Bound: `LIST_BOUNDS.gathered` rows sorted;
// a walk ends with the page, or with the index.

import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import { CATALOG_BOUNDS } from './catalog-bounds.ts';
import { type ListTable, type OrderColumn, STATE_BITS } from './catalog-list-tables.ts';
import type {
  ListCondition,
  ListFlags,
  ListPart,
  ListRange,
  RangeKind,
} from './catalog-questions.ts';
import { StatementCache } from './statement-cache.ts';

/** Of markets, and of events. */
interface FurtherFlags {
  readonly mirror?: boolean | undefined;
  readonly featured?: boolean | undefined;
}

/** A search of markets or of events, with ids in place of the slugs of other things. */
export interface ListSearch extends ListPart {
  readonly conditions: readonly ListCondition<string>[];
  readonly flags: ListFlags & FurtherFlags;
  readonly ranges?: readonly ListRange<RangeKind>[] | undefined;
  readonly order: readonly string[];
  readonly ascending: boolean;
}

export interface ListPlan {
  readonly sql: string;
  /** By the parameters' names. */
  readonly values: Readonly<Record<string, unknown>>;
}

const LIST_BOUNDS = {
  /** Rows that are gathered and sorted; where there are more, the order's index is walked. */
  gathered: 1_500,
  /** Rows that are counted: of more there are at least so many. */
  counted: 10_000,
} as const;

const STATES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** A condition as SQL, its values bound. */
interface BoundTest {
  readonly source: string | undefined;
  readonly test: string;
  /** The order whose own index has it as a range. */
  readonly column?: OrderColumn;
}

export class CatalogList {
  readonly #table: ListTable;
  readonly #statements: StatementCache;
  readonly #gathered: number;

  /** `gathered`: rows that are gathered and sorted at the most; tests choose the plan by it. */
  constructor(database: Database, table: ListTable, gathered: number = LIST_BOUNDS.gathered) {
    this.#table = table;
    this.#gathered = gathered;
    this.#statements = new StatementCache(database);
  }

  /** Ids, in the order asked for. */
  ids(search: ListSearch): number[] {
    const { offset, limit } = search;
    assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.listed;
    assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.listed}`);
    const { sql, values } = this.plan(search);
    return this.#statements.column<number>(sql, values);
  }

  /** How many there are on all pages, up to a bound. */
  count(search: ListSearch): number {
    const { counted: limit } = LIST_BOUNDS;
    const { sql, values } = this.plan({ ...search, order: [], offset: 0, limit });
    const [count = 0] = this.#statements.column<number>(`SELECT count(*) FROM (${sql})`, values);
    return count;
  }

  /** How the ids are found; also for the tests of plans. */
  plan(search: ListSearch): ListPlan {
    const values: Record<string, unknown> = {};
    let count = 0;
    const bind = (value: unknown): string => {
      count += 1;
      values[`p${count}`] = value;
      return `@p${count}`;
    };
    const tests = this.#tests(search, bind);
    const narrow = this.#narrowest(tests, values);
    const part = `LIMIT ${bind(search.limit)} OFFSET ${bind(search.offset)}`;
    const sql =
      narrow === undefined
        ? this.#walk(search, tests, part)
        : this.#gather(search, tests, { narrow, part });
    return { sql, values };
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
      const source = known.source?.replace('VALUES', listed);
      tests.push({ source, test: known.test.replace('VALUES', listed) });
    }
    for (const range of ranges) tests.push(...this.#rangeTests(range, bind));
    for (const name of ['mirror', 'featured'] as const) {
      const further = this.#table.further[name];
      if (further === undefined || flags[name] === undefined) continue;
      const { yes, no } = further;
      tests.push(
        flags[name] ? { source: yes.source, test: yes.test } : { source: undefined, test: no },
      );
    }
    return tests;
  }

  #rangeTests({ kind, min, max }: ListRange<RangeKind>, bind: (value: unknown) => string) {
    const column = this.#table.ranges[kind];
    const value = columnText(column);
    const ends = [
      ...(min === undefined ? [] : [`>= ${bind(min)}`]),
      ...(max === undefined ? [] : [`<= ${bind(max)}`]),
    ];
    if (ends.length === 0) return [];
    const { table, figures, figuresId } = this.#table;
    const [from, id] = column.of === 'figures' ? [figures, figuresId] : [table, 'id'];
    const within = (name: string): string => ends.map((end) => `${name} ${end}`).join(' AND ');
    // Each state's range, for the index begins with it.
    const source = STATES.map(
      (state) => `SELECT ${id} FROM ${from} WHERE state = ${state} AND ${within(column.column)}`,
    ).join(' UNION ALL ');
    return [{ source, test: within(value), column }];
  }

  /** The look-up that finds fewest rows, if it finds few. */
  #narrowest(tests: readonly BoundTest[], values: ListPlan['values']): string | undefined {
    let narrowest: string | undefined;
    let fewest = this.#gathered + 1;
    for (const { source } of tests) {
      if (source === undefined) continue;
      const counted = `SELECT count(*) FROM (${source} LIMIT ${fewest})`;
      const [count = 0] = this.#statements.column<number>(counted, values);
      if (count < fewest) [narrowest, fewest] = [source, count];
    }
    return narrowest;
  }

  #gather(
    search: ListSearch,
    tests: readonly BoundTest[],
    { narrow, part }: { readonly narrow: string; readonly part: string },
  ): string {
    const { table, figures, figuresId } = this.#table;
    const states = statesOf(search.flags);
    const clauses = [
      `m.id IN (${narrow})`,
      ...(states.length === STATES.length ? [] : [`m.state IN (${states.join(', ')})`]),
      ...tests.filter(({ source }) => source !== narrow).map(({ test }) => test),
    ];
    const keys = this.#keys(search).map(columnText);
    return `SELECT m.id FROM ${table} m NOT INDEXED
      CROSS JOIN ${figures} f NOT INDEXED ON f.${figuresId} = m.id
      WHERE ${clauses.join(' AND ')}
      ORDER BY ${keys.map((key) => `${key} ${directionOf(search)}`).join(', ')} ${part}`;
  }

  #walk(search: ListSearch, tests: readonly BoundTest[], part: string): string {
    const direction = directionOf(search);
    const keys = this.#keys(search);
    const names = keys.map((_, index) => `k${index}`);
    const ordered = names.map((name) => `${name} ${direction}`).join(', ');
    const branches = statesOf(search.flags).map((state) => this.#branch({ state, keys, tests }));
    const [first = ''] = branches;
    if (branches.length === 1) return `${first} ORDER BY ${ordered} ${part}`;
    return `SELECT id FROM (${branches.join(' UNION ALL ')} ORDER BY ${ordered} ${part})`;
  }

  /** The range of one state, in the order of its index. */
  #branch({ state, keys, tests }: Branch): string {
    const { table, figures, figuresId } = this.#table;
    const [first] = keys;
    const leadsFigures = first?.of === 'figures';
    const needsRow = tests.some(({ test }) => test.includes('m.')) || keys.some(isOfRow);
    const needsFigures = tests.some(({ test }) => test.includes('f.')) || keys.some(isOfFigures);
    const from = leadsFigures
      ? `${figures} f INDEXED BY ${first.index}${
          needsRow ? ` CROSS JOIN ${table} m NOT INDEXED ON m.id = f.${figuresId}` : ''
        }`
      : `${table} m INDEXED BY ${first?.index || `${table}_by_state`}${
          needsFigures ? ` CROSS JOIN ${figures} f NOT INDEXED ON f.${figuresId} = m.id` : ''
        }`;
    const [leader, id] = leadsFigures ? ['f', `f.${figuresId}`] : ['m', 'm.id'];
    const clauses = [
      `${leader}.state = ${state}`,
      // Known from the state; said again, for the planner then knows that it sorts nothing.
      ...keys.filter(isFlag).map((key) => `${columnText(key)} = ${flagOf(state, key)}`),
      ...tests.map(({ test }) => test),
    ];
    const columns = keys.map(
      (key, index) => `${key.of === 'id' ? id : columnText(key)} AS k${index}`,
    );
    return `SELECT ${id} AS id, ${columns.join(', ')} FROM ${from} WHERE ${clauses.join(' AND ')}`;
  }

  /** What sorts: the names asked for and at last the id. */
  #keys({ order }: ListSearch): readonly OrderColumn[] {
    const { orders } = this.#table;
    const keys = order.map((name) => {
      const key = orders[name];
      assert(key !== undefined, `there is no order ${name}`);
      return key;
    });
    const end = keys.findIndex(({ of }) => of === 'id');
    const id = orders.id;
    assert(id !== undefined);
    return [...(end < 0 ? keys : keys.slice(0, end)), id];
  }
}

interface Branch {
  readonly state: number;
  readonly keys: readonly OrderColumn[];
  readonly tests: readonly BoundTest[];
}

const directionOf = ({ ascending }: ListSearch): string => (ascending ? 'ASC' : 'DESC');

const isOfRow = ({ of }: OrderColumn): boolean => of === 'row' || of === 'flag';
const isOfFigures = ({ of }: OrderColumn): boolean => of === 'figures';

const columnText = ({ of, column }: OrderColumn): string =>
  `${of === 'figures' ? 'f' : 'm'}.${column}`;

const isFlag = ({ of }: OrderColumn): boolean => of === 'flag';

const flagOf = (state: number, { column }: OrderColumn): 0 | 1 =>
  // Safe: a key that is a flag is named like one.
  (state & STATE_BITS[column as keyof typeof STATE_BITS]) === 0 ? 0 : 1;

/** The states that the flags allow. */
const statesOf = (flags: ListFlags): readonly number[] =>
  STATES.filter((state) =>
    (['active', 'closed', 'archived'] as const).every(
      (flag) => flags[flag] === undefined || ((state & STATE_BITS[flag]) !== 0) === flags[flag],
    ),
  );
