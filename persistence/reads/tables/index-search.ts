/**
 * Searches that page through the keys of a table in the order of an index. A search is given plans:
 * each plan is a set of walks that together find the whole answer, and each walk is SQL that reads
 * one range of an index. Which plan reads the fewest rows is not known beforehand, so each is tried
 * with a small share of the budget before any gets more (iterative deepening).
 *
 * The SQL of a walk calls `walk_row(key)` for each row that it looks at. In a join, the argument
 * ties the call to the rows of one table. The function counts, and ends the walk at the bound by
 * throwing through SQLite: there is no other way to interrupt a query from JavaScript. Bound: the
 * rows of a search; beyond them it throws `search_too_wide`.
 */
import type { Database } from 'better-sqlite3';
import { STORE_BOUNDS, type StatementCache, StoreError } from '../../shared/index.ts';

/** The SQL selects keys after `@after` and before `@before`, in order, `@limit` of them at most. */
export interface Walk {
  readonly sql: string;
  /** Its other parameters. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface PagePart {
  readonly offset: number;
  readonly limit: number;
  readonly isAscending: boolean;
  /** Both ends are excluded. */
  readonly after: number;
  readonly before: number;
}

/** Above every key. */
export const NO_KEY = Number.MAX_SAFE_INTEGER;

/** Rows that the first try of each plan may look at; each round allows GROWTH times as many. */
const FIRST_TRY = 1_000;
const GROWTH = 4;
/** Keys that a walk reads at once after its first step. */
const STEP_KEYS = 256;
/** Each of several walks first reads an even share of the page plus this many keys. */
const SPARE_KEYS = 4;

const WALK_ENDED = new Error('the walk has looked at as many rows as it may');

export class IndexSearch {
  readonly #statements: StatementCache;
  readonly #mostRows: number;
  /** Rows that the current search has looked at, and the count at which the current try ends. */
  #rows = 0;
  #endRows = 0;

  /** Make only one for each connection, because `walk_row` is registered with the connection. */
  constructor(
    database: Database,
    statements: StatementCache,
    mostRows: number = STORE_BOUNDS.searchedRows,
  ) {
    this.#statements = statements;
    this.#mostRows = mostRows;
    database.function('walk_row', { directOnly: true }, (_key: unknown) => this.#countRow());
  }

  /** `limit` is at least 1. Throws StoreError `search_too_wide`. */
  page(plans: readonly (readonly Walk[])[], part: PagePart, mostRows = this.#mostRows): number[] {
    this.#rows = 0;
    let tryRows = plans.length === 1 ? mostRows : FIRST_TRY;
    while (this.#rows < mostRows) {
      for (const plan of plans) {
        this.#endRows = Math.min(this.#rows + tryRows, mostRows);
        const page = this.#try(plan, part);
        if (page !== undefined) return page;
      }
      tryRows *= GROWTH;
    }
    throw new StoreError(
      'search_too_wide',
      `the search would look at more than ${mostRows} rows: narrow it by market, user or time`,
    );
  }

  /** undefined if the plan needs more rows than it may look at. */
  #try(plan: readonly Walk[], part: PagePart): number[] | undefined {
    try {
      return this.#read(plan, part);
    } catch (error) {
      if (error !== WALK_ENDED) throw error;
      return undefined;
    }
  }

  #read(plan: readonly Walk[], part: PagePart): number[] {
    const [only] = plan;
    if (only === undefined || plan.length > 1) return this.#merge(plan, part);
    const { offset, limit, after, before } = part;
    const parameters = { ...only.values, after, before, limit: offset + limit };
    return this.#statements.column<number>(only.sql, parameters).slice(offset);
  }

  /** A k-way merge of the walks. What two of them find is in the page once. */
  #merge(plan: readonly Walk[], part: PagePart): number[] {
    const { offset, limit, isAscending } = part;
    const first = Math.ceil((offset + limit) / plan.length) + SPARE_KEYS;
    const heads = plan.flatMap((walk) => {
      const keys = this.#keysOf(walk, part, first);
      const { value } = keys.next();
      return typeof value === 'number' ? [{ keys, key: value }] : [];
    });
    const page: number[] = [];
    let lastKey = NO_KEY;
    for (let count = 0; ; ) {
      let [next] = heads;
      if (next === undefined) return page;
      for (const head of heads) {
        if (isAscending ? head.key < next.key : head.key > next.key) next = head;
      }
      if (next.key !== lastKey) {
        lastKey = next.key;
        count += 1;
        if (count > offset) page.push(lastKey);
        if (count === offset + limit) return page;
      }
      const { value } = next.keys.next();
      if (typeof value === 'number') next.key = value;
      else heads.splice(heads.indexOf(next), 1);
    }
  }

  *#keysOf({ sql, values }: Walk, part: PagePart, first: number): Generator<number, void> {
    let { after, before } = part;
    for (let limit = first; ; limit = STEP_KEYS) {
      const parameters = { ...values, after, before, limit };
      const keys = this.#statements.column<number>(sql, parameters);
      yield* keys;
      const last = keys.at(-1);
      if (last === undefined || keys.length < limit) return;
      if (part.isAscending) after = last;
      else before = last;
    }
  }

  /** Returns 1, which is true in SQL. */
  #countRow(): number {
    if (this.#rows === this.#endRows) throw WALK_ENDED;
    this.#rows += 1;
    return 1;
  }
}
