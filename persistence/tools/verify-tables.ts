/**
 * Compares the tables of two databases row by row in the order of their primary keys. Invariant:
 * nothing is written. Bound: one row of each in memory.
 */
import type { Database } from 'better-sqlite3';

type Cell = number | string | Buffer | null;
type Row = readonly Cell[];

export interface TableDifference {
  readonly table: string;
  readonly what: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The indexes of the key columns. */
  readonly key: readonly number[];
}

interface ColumnInfo {
  readonly name: string;
  readonly pk: number;
}

const SELECT_SCHEMA =
  "SELECT type || ' ' || name AS name, sql FROM sqlite_schema " +
  "WHERE name NOT LIKE 'sqlite_%' ORDER BY 1";
const SELECT_TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid";

/** The first difference between two schemas; undefined for none. */
export function schemaDifference(actual: Database, expected: Database): string | undefined {
  const definitionsOf = (database: Database): Map<string, string> =>
    new Map(database.prepare<[], [string, string]>(SELECT_SCHEMA).raw().all());
  const [found, made] = [definitionsOf(actual), definitionsOf(expected)];
  for (const [name, sql] of made) {
    if (!found.has(name)) return `the ${name} is missing`;
    if (found.get(name) !== sql)
      return `the ${name} has another definition than this program writes`;
  }
  for (const name of found.keys()) if (!made.has(name)) return `the ${name} should not be there`;
  return undefined;
}

/** The first difference in each table of `expected`. `onRows` gets the rows since its last call. */
export function tableDifferences(
  actual: Database,
  expected: Database,
  onRows: (rows: number) => void,
): TableDifference[] {
  const names = expected.prepare<[], string>(SELECT_TABLES).pluck().all();
  return names.flatMap((name) => {
    const table = tableOf(expected, name);
    const what = firstDifference(table, rowsOf(actual, table), rowsOf(expected, table), onRows);
    return what === undefined ? [] : [{ table: name, what }];
  });
}

function tableOf(database: Database, name: string): Table {
  // Safe: the pragma returns these columns.
  const infos = database.pragma(`table_info("${name}")`) as readonly ColumnInfo[];
  const inKey = infos.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return {
    name,
    columns: infos.map((column) => column.name),
    key: inKey.map((column) => infos.indexOf(column)),
  };
}

function rowsOf(database: Database, { name, columns, key }: Table): Iterator<Row> {
  const names = columns.map((column) => `"${column}"`);
  const order = key.map((place) => names[place]).join(', ');
  return database
    .prepare<[], Row>(`SELECT ${names.join(', ')} FROM "${name}" ORDER BY ${order}`)
    .raw()
    .iterate();
}

const ROWS_A_REPORT = 10_000;

function firstDifference(
  table: Table,
  actual: Iterator<Row>,
  expected: Iterator<Row>,
  onRows: (rows: number) => void,
): string | undefined {
  let rows = 0;
  for (const [is, should] of sideBySide(actual, expected)) {
    rows += 1;
    if (rows % ROWS_A_REPORT === 0) onRows(ROWS_A_REPORT);
    const what = rowDifference(table, is, should);
    if (what !== undefined) return what;
  }
  return undefined;
}

/** The rows of two lists in pairs; undefined after the end of the shorter one. */
export function* sideBySide<Row>(
  actual: Iterator<Row>,
  expected: Iterator<Row>,
): Generator<readonly [Row | undefined, Row | undefined]> {
  try {
    for (;;) {
      const [is, should] = [actual.next(), expected.next()];
      if (is.done === true && should.done === true) return;
      yield [
        is.done === true ? undefined : is.value,
        should.done === true ? undefined : should.value,
      ];
    }
  } finally {
    // An unfinished iteration keeps its database busy.
    actual.return?.();
    expected.return?.();
  }
}

function rowDifference(
  table: Table,
  actual: Row | undefined,
  expected: Row | undefined,
): string | undefined {
  const order = actual && expected ? keyOrder(table, actual, expected) : 0;
  if (actual === undefined || order > 0) return `${rowName(table, expected)} is missing`;
  if (expected === undefined || order < 0) {
    return `${rowName(table, actual)} should not be there`;
  }
  const place = expected.findIndex((cell, index) => !isSameCell(cell, actual[index]));
  if (place === -1) return undefined;
  const [was, should] = [cellText(actual[place]), cellText(expected[place])];
  const column = table.columns[place];
  return `${rowName(table, expected)} has ${column} ${was}, and by the journal it is ${should}`;
}

/** Negative if `a` comes first. All keys of the projection are numbers. */
function keyOrder({ key }: Table, a: Row, b: Row): number {
  for (const place of key) {
    const difference = Number(a[place]) - Number(b[place]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rowName({ name, columns, key }: Table, row: Row | undefined): string {
  return (
    `${name} row ` +
    `${key.map((place) => `${columns[place]} ${cellText(row?.[place])}`).join(', ')}`
  );
}

function isSameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b;
}

function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return 'NULL';
  if (Buffer.isBuffer(cell)) return `0x${cell.toString('hex')}`;
  return typeof cell === 'string' ? JSON.stringify(cell) : String(cell);
}
