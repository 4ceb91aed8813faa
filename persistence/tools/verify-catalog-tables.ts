/**
 * Checks the derived data of catalog.db: counts, states and search indexes, which follow from its
 * other rows and are computed again here. Invariant: nothing is written, and all reads are in the
 * caller's transaction, so they are consistent. Bounds: one finding a check; the search indexes are
 * built again in a temporary database.
 */
import { readFileSync } from 'node:fs';
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { CATALOG_FORMAT, SEARCH_TABLES } from '../../catalog/schema/index.ts';
import { indexEverything } from '../../catalog/search/word-index.ts';
import { newestVersion, versionOf } from '../shared/index.ts';
import type { Findings } from './findings.ts';
import { sideBySide } from './verify-tables.ts';

const FILE = 'catalog.db';

/** What catalog-checks.sql selects. */
interface Difference {
  readonly place: string;
  readonly record: string;
  readonly name: string;
  readonly value: string;
  readonly said: string | number | null;
  readonly derived: string | number | null;
}

/** A catalog of another version is only noted: an older one is migrated by the next start. */
export function checkCatalogTables(database: Database, findings: Findings): void {
  const [version, known] = [versionOf(database), newestVersion(CATALOG_FORMAT)];
  if (version !== known) {
    findings.note(`${FILE} has version ${version}, not ${known}: its tables were not verified`);
    return;
  }
  const add = (of: string, sentence: string): void =>
    findings.add('catalog', of, `${FILE}: ${sentence}`);
  checkFile(database, add);
  const checks = readFileSync(new URL('./catalog-checks.sql', import.meta.url), 'utf8');
  // The last piece is empty: the file ends with a semicolon.
  for (const sql of checks.split(';').slice(0, -1)) {
    const found = database.prepare<[], Difference>(sql).get();
    if (found === undefined) continue;
    const { place, record, name, value } = found;
    const [said, derived] = [found.said, found.derived].map((one) => JSON.stringify(one));
    add(place, `${record} ${name}: ${value} is ${said}, and other rows give ${derived}`);
  }
  compareSearch(database, add);
}

type Add = (of: string, sentence: string) => void;

/** SQLite's checks of pages, indexes and foreign keys. */
function checkFile(database: Database, add: Add): void {
  const [first] = database.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all();
  if (first !== undefined && first !== 'ok') add('file', `it is damaged: ${first}`);
  const [orphan] = database
    .prepare<[], { readonly table: string; readonly rowid: number; readonly parent: string }>(
      'PRAGMA foreign_key_check',
    )
    .all();
  if (orphan === undefined) return;
  const { table, rowid, parent } = orphan;
  add(table, `row ${rowid} of ${table} refers to a row of ${parent} that does not exist`);
}

/** The columns from which the search indexes are built again. */
const COPIES = [
  [
    'events',
    'id INTEGER PRIMARY KEY, slug TEXT, ticker TEXT, title TEXT',
    'id, slug, ticker, title',
  ],
  [
    'markets',
    'id INTEGER PRIMARY KEY, event_id INTEGER, slug TEXT, question TEXT',
    'id, event_id, slug, question',
  ],
  ['tags', 'id INTEGER PRIMARY KEY, slug TEXT, label TEXT', 'id, slug, label'],
] as const;

function compareSearch(database: Database, add: Add): void {
  const rebuilt = new SqliteDatabase('');
  try {
    for (const [table, columns, names] of COPIES) {
      rebuilt.exec(`CREATE TABLE ${table} (${columns})`);
      const places = names.replace(/\w+/g, '?');
      const put = rebuilt.prepare(`INSERT INTO ${table} (${names}) VALUES (${places})`);
      const rows = database.prepare<[], unknown[]>(`SELECT ${names} FROM ${table}`).raw(true);
      rebuilt.transaction(() => {
        for (const row of rows.iterate()) put.run(...row);
      })();
    }
    rebuilt.exec('CREATE INDEX markets_by_event ON markets (event_id, id)');
    rebuilt.exec(SEARCH_TABLES);
    rebuilt.transaction(() => indexEverything(rebuilt))();
    for (const table of ['event_texts', 'event_grams', 'tag_texts', 'tag_grams']) {
      const difference = differenceOf(table, database, rebuilt);
      if (difference !== undefined) add(table, `the search index ${table}: ${difference}`);
    }
  } finally {
    rebuilt.close();
  }
}

/** Compares the documents with their term counts, then the terms with their frequencies. */
function differenceOf(table: string, stored: Database, rebuilt: Database): string | undefined {
  const documents = [
    `SELECT id AS name, hex(sz) AS says FROM ${table}_docsize ORDER BY id`,
    'the entry for row',
  ] as const;
  const terms = [
    `SELECT term AS name, doc || ' ' || cnt AS says FROM temp.${table}_terms ORDER BY term`,
    'the term',
  ] as const;
  for (const one of [stored, rebuilt]) {
    one.exec(`CREATE VIRTUAL TABLE temp.${table}_terms USING fts5vocab(main, ${table}, row)`);
  }
  for (const [sql, what] of [documents, terms]) {
    const difference = firstDifference(stored.prepare(sql), rebuilt.prepare(sql));
    if (difference !== undefined) return `${what} ${difference} does not match the texts`;
  }
  return undefined;
}

interface Entry {
  readonly name: string | number;
  readonly says: string;
}

/** The first name at which two lists in the same order differ. */
function firstDifference(
  stored: Statement<[], Entry>,
  rebuilt: Statement<[], Entry>,
): string | number | undefined {
  for (const [one, other] of sideBySide(stored.iterate(), rebuilt.iterate())) {
    if (one?.name === other?.name && one?.says === other?.says) continue;
    if (one === undefined || other === undefined) return one?.name ?? other?.name;
    return one.name < other.name ? one.name : other.name;
  }
  return undefined;
}
