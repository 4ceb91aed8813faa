/**
 * What catalog.db says twice: counts, states and texts to search in are made of its other rows, and
 * are made of them once more here. Invariant: nothing is written to it; all is of one moment, also
 * beside a running exchange. Bounds: one finding a check; the words to search in are indexed once
 * more in a temporary file of SQLite's own.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { CATALOG_VERSION, SEARCH_TABLES } from '../catalog/schema/index.ts';
import { indexEverything } from '../catalog/search/index.ts';
import type { Findings } from './findings.ts';

const FILE = 'catalog.db';

/** A row that does not say what the others make of it: its name, what it says, what it would. */
interface Difference {
  readonly name: string;
  readonly says: string | number | null;
  readonly derived: string | number | null;
}

interface Check {
  readonly of: string;
  /** What the name names, and what it says: `tag 7 says that its events are 3`. */
  readonly what: string;
  readonly says: string;
  /** Gives `Difference`s. */
  readonly sql: string;
}

function counted(check: Omit<Check, 'sql'> & { table: string; column: string; count: string }) {
  const { table, column, count, ...rest } = check;
  const row = `${table}.rowid AS name, ${column} AS says, (${count}) AS derived`;
  const sql = `SELECT * FROM (SELECT ${row} FROM ${table}) WHERE says IS NOT derived`;
  return { ...rest, sql };
}

function figures(kind: 'market' | 'event'): readonly Check[] {
  return [
    {
      of: `${kind}_figures`,
      what: kind,
      says: 'the rows of its figures',
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
  counted({
    of: 'market_tokens',
    what: 'market',
    says: 'its tokens',
    table: 'markets',
    column: '2',
    count: 'SELECT count(*) FROM market_tokens t WHERE t.market_id = markets.id',
  }),
  counted({
    of: 'tags',
    what: 'tag',
    says: 'its events',
    table: 'tags',
    column: 'event_count',
    count: 'SELECT count(*) FROM event_tags l WHERE l.tag_id = tags.id',
  }),
  counted({
    of: 'event_figures',
    what: 'event',
    says: 'its comments',
    table: 'event_figures',
    column: 'own_comments',
    count: `SELECT count(*) FROM comments c
      WHERE c.event_id = event_figures.event_id AND c.is_shown`,
  }),
  counted({
    of: 'comments',
    what: 'comment',
    says: 'its replies',
    table: 'comments',
    column: 'reply_count',
    count: `SELECT count(*) FROM comments r
      WHERE r.parent_comment_id = comments.id AND r.is_shown`,
  }),
  counted({
    of: 'comments',
    what: 'comment',
    says: 'its reactions',
    table: 'comments',
    column: 'reaction_count',
    count: 'SELECT count(*) FROM reactions r WHERE r.comment_id = comments.id',
  }),
  counted({
    of: 'comments',
    what: 'comment',
    says: 'its reports',
    table: 'comments',
    column: 'report_count',
    count: 'SELECT count(*) FROM comment_reports r WHERE r.comment_id = comments.id',
  }),
  counted({
    of: 'comments',
    what: 'comment',
    says: 'the first of its conversation',
    table: 'comments',
    column: 'thread_id',
    count: `iif(parent_comment_id IS NULL, id,
      (SELECT above.thread_id FROM comments above WHERE above.id = comments.parent_comment_id))`,
  }),
  {
    of: 'comments',
    what: 'comment',
    says: 'what it is on',
    sql: `SELECT c.id AS name, c.parent AS says, above.parent AS derived FROM comments c
      JOIN comments above ON above.id = c.parent_comment_id WHERE above.parent <> c.parent`,
  },
  {
    of: 'comment_removals',
    what: 'comment',
    says: 'the words of one that was removed',
    sql: `SELECT c.id AS name, c.body AS says, '' AS derived FROM comments c
      JOIN comment_removals r ON r.comment_id = c.id WHERE c.body <> ''`,
  },
];

/** A catalog of an earlier program is looked at after the start that raises it. */
export function checkCatalogTables(database: Database, findings: Findings): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version !== CATALOG_VERSION) {
    const consequence = 'the next start raises it: verify it after that';
    findings.note(`${FILE} is of version ${version}, of ${CATALOG_VERSION}: ${consequence}`);
    return;
  }
  const add = (of: string, sentence: string): void =>
    findings.add('catalog', of, `${FILE}: ${sentence}`);
  checkFile(database, add);
  for (const { of, what, says, sql } of CHECKS) {
    const found = database.prepare<[], Difference>(`${sql} LIMIT 1`).get();
    if (found === undefined) continue;
    const { name, says: said, derived } = found;
    add(of, `${what} ${name} says that ${says} are ${said}, and by its rows they are ${derived}`);
  }
  compareSearch(database, add);
}

type Add = (of: string, sentence: string) => void;

/** Pages, indexes, and rows that name others which are not there. */
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
  add(table, `row ${rowid} of ${table} names one of ${parent} that is not there`);
}

/** What is read once more, so that it can be indexed once more. */
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
      if (difference !== undefined) add(table, `${table}, which searches read: ${difference}`);
    }
  } finally {
    again.close();
  }
}

/** First the documents with the number of their terms, then each term with how often it occurs. */
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
    if (difference !== undefined) return `${what} ${difference} is not what the words make of it`;
  }
  return undefined;
}

type Entries = IterableIterator<{ readonly name: string | number; readonly says: string }>;

/** The name at which two lists in the same order part. */
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
