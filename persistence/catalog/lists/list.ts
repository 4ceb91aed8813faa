// Lists of markets and of events: the ids of what a search asks for, in its order. There are three
// plans. Where an index finds few rows that fit one of the conditions, these are gathered, tested
// by the others and sorted. Where no condition is that narrow, the first rows of the order's own
// index are tested until the page is full, one range for each state that the flags allow, merged.
// Where that does not fill it, because few rows fit all conditions or all come late, the indexes of
// the conditions say which ids fit, and the order's index is walked with these alone.
// A page far behind in an order of several names is first narrowed to where its first name lies.
//
// Invariant: no table is read from its beginning without an index of the order asked for; whatever
// a caller wants found is a parameter and never SQL. Bound: `LIST_BOUNDS.gathered` rows sorted and
// `walked` rows tested; a walk by ids reads indexes, each once: at 100,000 markets some 50 ms, and
// rows only where a second name of the order is in them.

import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../shared/index.ts';
import type { ListCondition, ListFlags, ListPart, ListRange, RangeKind } from '../model/index.ts';
import { CATALOG_BOUNDS } from '../model/index.ts';
import { type ListTable, type OrderColumn, STATE_BITS } from './list-tables.ts';
import type { CatalogMoment } from './moment.ts';
import { type MemoryBound, MomentMemory } from './moment-memory.ts';

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

export interface ListPlans {
  /** One after the other, until a page is full. */
  readonly plans: readonly string[];
  /** By the parameters' names. */
  readonly values: Readonly<Record<string, unknown>>;
}

const LIST_BOUNDS = {
  /** Rows that are gathered and sorted; where there are more, the order's index is walked. */
  gathered: 1_500,
  /** Rows of the order that are tested one by one, some 5 ms, before ids are looked up. */
  walked: 2_000,
  /** Rows that are counted: of more there are at least so many. */
  counted: 10_000,
} as const;

interface PlanBounds {
  readonly gathered: number;
  readonly walked: number;
}

export interface CatalogListParts {
  readonly table: ListTable;
  readonly moment: CatalogMoment;
  /** Tests choose the plan by them. */
  readonly bounds?: PlanBounds;
}

const KEPT_IDS: MemoryBound<readonly number[]> = {
  mostBytes: CATALOG_BOUNDS.keptIdsBytes,
  bytesOf: (ids) => 8 * ids.length,
};

const STATES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** A condition as SQL, its values bound. */
interface BoundTest {
  readonly source: string | undefined;
  readonly without: string | undefined;
  readonly test: string;
  /** The order whose own index has it as a range. */
  readonly column?: OrderColumn;
}

/** The values between which the first name of a page lies, and how many rows come before them. */
interface Tie {
  readonly column: OrderColumn;
  readonly min: string | number;
  readonly max: string | number;
  readonly before: number;
}

interface TiePlans {
  readonly column: OrderColumn;
  /** The first name of each row of the page. */
  readonly page: string;
  readonly before: string;
}

export class CatalogList {
  readonly #table: ListTable;
  readonly #statements: StatementCache;
  readonly #moment: CatalogMoment;
  /** Lists of which figures say what is in them and where, and all others. */
  readonly #byFigures = new MomentMemory<string, readonly number[]>(KEPT_IDS);
  readonly #byWords = new MomentMemory<string, readonly number[]>(KEPT_IDS);
  readonly #gathered: number;
  readonly #walked: number;

  constructor(database: Database, { table, moment, bounds = LIST_BOUNDS }: CatalogListParts) {
    this.#table = table;
    this.#moment = moment;
    this.#gathered = bounds.gathered;
    this.#walked = bounds.walked;
    this.#statements = new StatementCache(database);
  }

  /** Ids, in the order asked for. */
  ids(search: ListSearch): readonly number[] {
    const { offset, limit } = search;
    assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.listed;
    assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.listed}`);
    const name = JSON.stringify(search);
    const { written, words } = this.#moment;
    return this.#isOfFigures(search)
      ? this.#byFigures.of(name, written, () => this.#find(search))
      : this.#byWords.of(name, words, () => this.#find(search));
  }

  #isOfFigures(search: ListSearch): boolean {
    const { ranges = [] } = search;
    return (
      this.#keys(search).some(isOfFigures) ||
      ranges.some(({ kind }) => isOfFigures(this.#table.ranges[kind]))
    );
  }

  #find(search: ListSearch): readonly number[] {
    const tie = this.#tieOf(search);
    if (tie === 'none') return [];
    const { plans, values } =
      tie === undefined
        ? this.plans(search)
        : this.plans({ ...search, offset: search.offset - tie.before }, tie);
    let found: number[] = [];
    for (const sql of plans) {
      found = this.#statements.column<number>(sql, values);
      if (found.length === search.limit) break;
    }
    return found;
  }

  /** How many there are on all pages, up to a bound. */
  count(search: ListSearch): number {
    const { counted: limit } = LIST_BOUNDS;
    const { plans, values } = this.plans({ ...search, order: [], offset: 0, limit });
    const sql = plans.at(-1) ?? '';
    const [count = 0] = this.#statements.column<number>(`SELECT count(*) FROM (${sql})`, values);
    return count;
  }

  /** How the ids are found; also for the tests of plans. */
  plans(search: ListSearch, tie?: Tie): ListPlans {
    const values: Record<string, unknown> = {};
    let count = 0;
    const bind = (value: unknown): string => {
      count += 1;
      values[`p${count}`] = value;
      return `@p${count}`;
    };
    const tests = this.#tests(search, bind);
    if (tie !== undefined) {
      const ends = [`>= ${bind(tie.min)}`, `<= ${bind(tie.max)}`];
      tests.push(this.#columnTest(tie.column, ends));
    }
    const narrow = this.#narrowest(tests, values);
    const part = `LIMIT ${bind(search.limit)} OFFSET ${bind(search.offset)}`;
    if (narrow !== undefined) {
      return { plans: [this.#gather(search, tests, { narrow, part })], values };
    }
    const walk = this.#walk(search, tests, part);
    const isNear = search.offset + search.limit <= this.#walked;
    return {
      plans: isNear && tests.length > 0 ? [this.#look(search, tests, part), walk] : [walk],
      values,
    };
  }

  /**
   * Of a page far behind in an order of several names: where its first names begin and end, which
   * their index tells alone, so that the other names are read of these rows and not of all before.
   */
  tiePlans(search: ListSearch): TiePlans | undefined {
    const { conditions, flags, ranges = [], offset, limit } = search;
    const isOfAll = conditions.length === 0 && ranges.length === 0;
    const hasFurther = flags.mirror !== undefined || flags.featured !== undefined;
    const [column, second] = this.#leading(search);
    const isTied = second !== undefined && second.of !== 'id';
    const isDeep = offset + limit > this.#walked && this.#leadingFlags(search).length === 0;
    if (column === undefined || !isTied || !isDeep || !isOfAll || hasFurther) return undefined;
    const first = search.order.slice(0, 1);
    const rows = this.#ranges(
      { ...search, order: first },
      { needed: '', columns: [], clauses: [] },
    );
    const { table, figures } = this.#table;
    const from = column.of === 'figures' ? `${figures} f` : `${table} m`;
    const name = columnText(column);
    // What is not known comes before all that is.
    const sooner = search.ascending
      ? [`${name} < @begin`, `${name} IS NULL`]
      : [`${name} > @begin`];
    const counts = statesOf(flags).flatMap((state) =>
      sooner.map(
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

  #tieOf(search: ListSearch): Tie | 'none' | undefined {
    const plans = this.tiePlans(search);
    if (plans === undefined) return undefined;
    const { limit, offset } = search;
    const firsts = this.#statements.column<string | number | null>(plans.page, { limit, offset });
    const [begin, end] = [firsts[0], firsts.at(-1)];
    if (begin === undefined || end === undefined) return 'none';
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
      const bound = (sql: string | undefined) => sql?.replace('VALUES', listed);
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

  #rangeTests({ kind, min, max }: ListRange<RangeKind>, bind: (value: unknown) => string) {
    const ends = [
      ...(min === undefined ? [] : [`>= ${bind(min)}`]),
      ...(max === undefined ? [] : [`<= ${bind(max)}`]),
    ];
    return ends.length === 0 ? [] : [this.#columnTest(this.#table.ranges[kind], ends)];
  }

  /** A range of an order's index, by its ends. */
  #columnTest(column: OrderColumn, ends: readonly string[]): BoundTest {
    const value = columnText(column);
    const { table, figures, figuresId } = this.#table;
    const [from, id] = column.of === 'figures' ? [figures, figuresId] : [table, 'id'];
    const within = (name: string): string => ends.map((end) => `${name} ${end}`).join(' AND ');
    // Each state's range, for the index begins with it.
    const source = STATES.map(
      (state) => `SELECT ${id} FROM ${from} WHERE state = ${state} AND ${within(column.column)}`,
    ).join(' UNION ALL ');
    return { source, without: undefined, test: within(value), column };
  }

  /** The look-up that finds fewest rows, if it finds few. */
  #narrowest(tests: readonly BoundTest[], values: ListPlans['values']): string | undefined {
    let narrowest: string | undefined;
    let fewest = this.#gathered + 1;
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
    { narrow, part }: { readonly narrow: string; readonly part: string },
  ): string {
    const { table, figures, figuresId } = this.#table;
    const states = statesOf(search.flags);
    const others = tests.filter(({ source }) => source !== narrow).map(({ test }) => test);
    const keys = this.#keys(search).map(columnText);
    const needed = [...others, ...keys].join(' ').replaceAll('m.id', '');
    const ordered = keys.map((key) => `${key} ${directionOf(search)}`).join(', ');
    // Figures have the state too, and are a tenth as long as what they are of.
    const isOfFigures = !/\bm\./.test(needed);
    const leader = isOfFigures ? 'f' : 'm';
    const clauses = [
      `m.id IN (${narrow})`,
      ...(states.length === STATES.length ? [] : [`${leader}.state IN (${states.join(', ')})`]),
      ...others,
    ].join(' AND ');
    if (isOfFigures) {
      const sql = `SELECT m.id FROM ${figures} f NOT INDEXED
        WHERE ${clauses} ORDER BY ${ordered} ${part}`;
      return sql.replaceAll(/\bm\.id\b/g, `f.${figuresId}`);
    }
    const join = needed.includes('f.')
      ? `CROSS JOIN ${figures} f NOT INDEXED ON f.${figuresId} = m.id`
      : '';
    return `SELECT m.id FROM ${table} m NOT INDEXED ${join}
      WHERE ${clauses} ORDER BY ${ordered} ${part}`;
  }

  /** The first rows of the order, tested one by one: most pages are among them. */
  #look(search: ListSearch, tests: readonly BoundTest[], part: string): string {
    const fits = tests.map(({ test }) => test).join(' AND ');
    const rows = this.#ranges(search, { needed: fits, columns: [`${fits} AS fits`], clauses: [] });
    return `SELECT id FROM (${rows} LIMIT ${this.#walked}) WHERE fits ${part}`;
  }

  /** The whole order, narrowed by ids that indexes find: no row is read to be tested. */
  #walk(search: ListSearch, tests: readonly BoundTest[], part: string): string {
    const { flags, order } = search;
    const isOfAll = flags.active === undefined && flags.closed === undefined;
    const { inOrder, table } = this.#table;
    // Nothing to test and nothing to merge: deep pages step over the entries of one small index.
    if (inOrder !== '' && isOfAll && flags.archived === undefined && tests.length === 0) {
      const ordered = `ORDER BY id ${directionOf(search)}`;
      if (order.length === 0) {
        return `SELECT id FROM ${table} INDEXED BY ${inOrder} ${ordered} ${part}`;
      }
    }
    const [first] = this.#leading(search);
    const clauses = tests.map(({ source, without, test, column }) => {
      // A range of the index that is walked.
      if (column !== undefined && column === first) return test;
      if (source !== undefined) return `+ID IN (${source})`;
      return without === undefined ? test : `+ID NOT IN (${without})`;
    });
    const needed = clauses.join(' AND ');
    return `SELECT id FROM (${this.#ranges(search, { needed, columns: [], clauses })} ${part})`;
  }

  /** The ranges of the states, merged in the order asked for. */
  #ranges(search: ListSearch, { needed, columns, clauses }: RowTests): string {
    const direction = directionOf(search);
    const keys = this.#keys(search);
    const [first] = this.#leading(search);
    const flags = this.#leadingFlags(search).length;
    const names = keys.map((_, index) => `k${index}`).slice(flags);
    const ordered = names.map((name) => `${name} ${direction}`).join(', ');
    const { table, figures, figuresId } = this.#table;
    const leadsFigures = first?.of === 'figures';
    const needsRow = needed.includes('m.') || keys.some(isOfRow);
    const needsFigures = needed.includes('f.') || keys.some(isOfFigures);
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
      const where = [`${leader}.state = ${state}`, ...clauses].join(' AND ');
      const sql = `SELECT ${selected.join(', ')} FROM ${from} WHERE ${where}`;
      return sql.replaceAll('+ID ', `+${id} `);
    };
    const groups = this.#groups(search).map(
      (states) => `${states.map(branch).join(' UNION ALL ')} ORDER BY ${ordered}`,
    );
    const [only = ''] = groups;
    if (groups.length === 1) return only;
    // One after the other: what has a limit of its own keeps its order.
    return groups.map((group) => `SELECT * FROM (${group} LIMIT -1)`).join(' UNION ALL ');
  }

  /** Flags that the order begins with: they tell states apart, not the rows of one. */
  #leadingFlags(search: ListSearch): readonly OrderColumn[] {
    const keys = this.#keys(search);
    return keys.slice(
      0,
      keys.findIndex(({ of }) => of !== 'flag'),
    );
  }

  /** The states that are asked for, those together that these flags don't tell apart, in order. */
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

  /** The keys but for the flags, which are the same in all of a state. */
  #leading(search: ListSearch): readonly OrderColumn[] {
    return this.#keys(search).filter(({ of }) => of !== 'flag');
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

/** What rows are tested by: as SQL, for the tables that it needs, and where it stands. */
interface RowTests {
  readonly needed: string;
  readonly columns: readonly string[];
  readonly clauses: readonly string[];
}

function directionOf({ ascending }: ListSearch): string {
  return ascending ? 'ASC' : 'DESC';
}

function isOfRow({ of }: OrderColumn): boolean {
  return of === 'row';
}
function isOfFigures({ of }: OrderColumn): boolean {
  return of === 'figures';
}

function columnText({ of, column }: OrderColumn): string {
  return `${of === 'figures' ? 'f' : 'm'}.${column}`;
}

function flagOf(state: number, { column }: OrderColumn): 0 | 1 {
  // Safe: a key that is a flag is named like one.
  return (state & STATE_BITS[column as keyof typeof STATE_BITS]) === 0 ? 0 : 1;
}

/** The states that the flags allow. */
function statesOf(flags: ListFlags): readonly number[] {
  return STATES.filter((state) =>
    (['active', 'closed', 'archived'] as const).every(
      (flag) => flags[flag] === undefined || ((state & STATE_BITS[flag]) !== 0) === flags[flag],
    ),
  );
}
