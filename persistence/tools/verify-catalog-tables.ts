/**
 * Checks the derived data of catalog.db: counts, states and search indexes, which follow from its
 * other rows and are computed again here. Invariant: nothing is written, and the caller's
 * transaction makes all of it of the same time. Bounds: one finding a check; the search indexes are
 * built again in a temporary database.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { CATALOG_VERSION, SEARCH_TABLES } from '../catalog/schema/index.ts';
import { indexEverything } from '../catalog/search/index.ts';
import type { Findings } from './findings.ts';

const FILE = 'catalog.db';

/** A row whose value differs from the derived one. */
interface Difference {
  readonly name: string;
  readonly says: string | number | null;
  readonly derived: string | number | null;
}

interface Check {
  readonly of: string;
  /** For the sentence `tag 7 says that its events are 3`. */
  readonly what: string;
  readonly says: string;
  /** Selects `Difference`s. */
  readonly sql: string;
}

/** Checks that each row of a table has a column equal to what a query over other rows makes it. */
function derived([of, what, says, column, query]: readonly string[]): Check {
  const row = `${of}.rowid AS name, ${column} AS says, (${query}) AS derived`;
  const sql = `SELECT * FROM (SELECT ${row} FROM ${of}) WHERE says IS NOT derived`;
  return { of, what, says, sql } as Check; // safe: all rows below have five texts
}

function figures(kind: 'market' | 'event'): readonly Check[] {
  return [
    {
      of: `${kind}_figures`,
      what: kind,
      says: 'the number of its figures rows',
      sql: `SELECT r.id AS name, 0 AS says, 1 AS derived FROM ${kind}s r
      LEFT JOIN ${kind}_figures f ON f.${kind}_id = r.id WHERE f.${kind}_id IS NULL`,
    },
    {
      of: `${kind}_figures`,
      what: `figures of ${kind}`,
      says: 'its state',
      sql: `SELECT r.id AS name, f.state AS says, r.state AS derived FROM ${kind}s r
      JOIN ${kind}_figures f ON f.${kind}_id = r.id WHERE f.state IS NOT r.state`,
    },
  ];
}

const CHECKS: readonly Check[] = [
  ...figures('market'),
  ...figures('event'),
  {
    of: 'market_tokens',
    what: 'market',
    says: 'the number of its tokens',
    sql: `SELECT * FROM (SELECT id AS name, 2 AS says,
      (SELECT count(*) FROM market_tokens t WHERE t.market_id = markets.id) AS derived
      FROM markets) WHERE says IS NOT derived`,
  },
  ...[
    [
      ...['tags', 'tag', 'the number of its events', 'event_count'],
      'SELECT count(*) FROM event_tags l WHERE l.tag_id = tags.id',
    ],
    [
      ...['event_figures', 'event', 'the number of its comments', 'own_comments'],
      `SELECT count(*) FROM comments c
        WHERE c.event_id = event_figures.event_id AND c.is_shown`,
    ],
    [
      ...['comments', 'comment', 'the number of its replies', 'reply_count'],
      'SELECT count(*) FROM comments r WHERE r.parent_comment_id = comments.id AND r.is_shown',
    ],
    [
      ...['comments', 'comment', 'the number of its reactions', 'reaction_count'],
      'SELECT count(*) FROM reactions r WHERE r.comment_id = comments.id',
    ],
    [
      ...['comments', 'comment', 'the number of its reports', 'report_count'],
      'SELECT count(*) FROM comment_reports r WHERE r.comment_id = comments.id',
    ],
    [
      ...['comments', 'comment', 'the first comment of its conversation', 'thread_id'],
      `iif(parent_comment_id IS NULL, id,
        (SELECT above.thread_id FROM comments above WHERE above.id = comments.parent_comment_id))`,
    ],
  ].map(derived),
  {
    of: 'comments',
    what: 'comment',
    says: 'its parent',
    sql: `SELECT c.id AS name, c.parent AS says, above.parent AS derived FROM comments c
      JOIN comments above ON above.id = c.parent_comment_id WHERE above.parent <> c.parent`,
  },
  {
    of: 'comment_removals',
    what: 'comment',
    says: 'its text after its removal',
    sql: `SELECT c.id AS name, c.body AS says, '' AS derived FROM comments c
      JOIN comment_removals r ON r.comment_id = c.id WHERE c.body <> ''`,
  },
];

/** A catalog of another version is only noted: the next start migrates it. */
export function checkCatalogTables(database: Database, findings: Findings): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version !== CATALOG_VERSION) {
    const consequence = 'the next start migrates it. Verify it again after that';
    findings.note(`${FILE} has version ${version}, not ${CATALOG_VERSION}: ${consequence}`);
    return;
  }
  const add = (of: string, sentence: string): void =>
    findings.add('catalog', of, `${FILE}: ${sentence}`);
  checkFile(database, add);
  for (const { of, what, says, sql } of CHECKS) {
    const found = database.prepare<[], Difference>(`${sql} LIMIT 1`).get();
    if (found === undefined) continue;
    const { name, says: said, derived } = found;
    add(
      of,
      `${what} ${name}: ${says} is ${JSON.stringify(said)}, and other rows give ` +
        `${JSON.stringify(derived)}`,
    );
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
  const again = new SqliteDatabase('');
  try {
    for (const [table, columns, names] of COPIES) {
      again.exec(`CREATE TABLE ${table} (${columns})`);
      const places = names.replace(/\w+/g, '?');
      const put = again.prepare(`INSERT INTO ${table} (${names}) VALUES (${places})`);
      const rows = database.prepare<[], unknown[]>(`SELECT ${names} FROM ${table}`).raw(true);
      again.transaction(() => {
        for (const row of rows.iterate()) put.run(...row);
      })();
    }
    again.exec('CREATE INDEX markets_by_event ON markets (event_id, id)');
    again.exec(SEARCH_TABLES);
    again.transaction(() => indexEverything(again))();
    for (const table of ['event_texts', 'event_grams', 'tag_texts', 'tag_grams']) {
      const difference = differenceOf(table, database, again);
      if (difference !== undefined) add(table, `the search index ${table}: ${difference}`);
    }
  } finally {
    again.close();
  }
}

/** Compares the documents with their term counts, then the terms with their frequencies. */
function differenceOf(table: string, stored: Database, again: Database): string | undefined {
  const documents = [
    `SELECT id AS name, hex(sz) AS says FROM ${table}_docsize ORDER BY id`,
    'the document of',
  ] as const;
  const terms = [
    `SELECT term AS name, doc || ' ' || cnt AS says FROM temp.${table}_terms ORDER BY term`,
    'the term',
  ] as const;
  for (const one of [stored, again]) {
    one.exec(`CREATE VIRTUAL TABLE temp.${table}_terms USING fts5vocab(main, ${table}, row)`);
  }
  for (const [sql, what] of [documents, terms]) {
    const [left, right] = [stored, again].map((one) =>
      one.prepare<[], { readonly name: string | number; readonly says: string }>(sql).iterate(),
    );
    if (left === undefined || right === undefined) continue;
    const difference = firstDifference(left, right);
    if (difference !== undefined) return `${what} ${difference} does not match the texts`;
  }
  return undefined;
}

type Entries = IterableIterator<{ readonly name: string | number; readonly says: string }>;

/** The first name at which two lists in the same order differ. */
function firstDifference(left: Entries, right: Entries): string | number | undefined {
  try {
    for (;;) {
      const [one, other] = [left.next(), right.next()];
      if (one.done === true && other.done === true) return undefined;
      if (one.done === true || other.done === true) {
        return one.done === true ? other.value?.name : one.value.name;
      }
      if (one.value.name === other.value.name && one.value.says === other.value.says) continue;
      return one.value.name < other.value.name ? one.value.name : other.value.name;
    }
  } finally {
    left.return?.();
    right.return?.();
  }
}
