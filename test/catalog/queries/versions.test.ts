// A reader with warm caches, compared with one with empty caches: after a change of each column
// from which the JSON of events and markets is made, and after rows are added and deleted.

import SqliteDatabase, { type Database } from 'better-sqlite3';
import t, { type Test } from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { CatalogVersions } from '../../../catalog/queries/versioned-cache.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, figuresOf, hex, marketRecord } from '../fixture.ts';

const RECORDS = [1, 2, 3].map((number) =>
  eventRecord(number, {
    tags: [
      { id: '1', slug: 'wet', label: 'Wet' },
      { id: `${10 + number}`, slug: `own-${number}`, label: `Own ${number}` },
    ],
    series: [{ id: `${20 + (number % 2)}`, slug: `series-${number % 2}`, title: 'Rains' }],
    markets: [marketRecord(number), marketRecord(10 + number)],
  }),
);

function opened(t: Test) {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  t.teardown(() => catalog.close());
  catalog.importEvents(RECORDS);
  const database = new SqliteDatabase(path, { readonly: true });
  const writing = new SqliteDatabase(path);
  writing.pragma('foreign_keys = ON');
  t.teardown(() => {
    database.close();
    writing.close();
  });
  return { database, writing, catalog };
}

const LIST = { conditions: [], flags: {}, order: [], ascending: true, offset: 0, limit: 20 };
const SEARCH = { text: 'event', limit: 20, page: 1, withTags: false };
const QUESTIONS: readonly (readonly [kind: string, question: object])[] = [
  ...['events', 'markets'].flatMap((kind) =>
    [
      LIST,
      { ...LIST, flags: { closed: false }, order: ['endDate'] },
      { ...LIST, flags: { active: true }, order: ['volume24hr'], ascending: false },
      { ...LIST, order: ['slug'], ranges: [{ kind: 'liquidity', min: 1 }] },
    ].map((search) => [kind, search] as const),
  ),
  ['events', { ...LIST, conditions: [{ kind: 'seriesId', anyOf: [21] }] }],
  ['markets', { ...LIST, conditions: [{ kind: 'tagId', anyOf: [1] }] }],
  ['markets', { ...LIST, conditions: [{ kind: 'tokenId', anyOf: ['1001', '1001x'] }] }],
  ['search', SEARCH],
];

function answersOf(answers: CatalogAnswers): string[] {
  return QUESTIONS.map(([kind, question]) => {
    const answer = answers.answer(kind, question);
    return answer !== undefined
      ? `${Buffer.from(answer.bytes)} ${answer.keys} ${answer.slots}`
      : '';
  });
}

/** A different valid value for a column. */
function otherValue(value: unknown, column: string): string | number {
  if (/^(active|closed|archived|neg_risk|enable_|accepting|requires)/.test(column)) {
    return value === 1 ? 0 : 1;
  }
  if (typeof value === 'number') return value + 1;
  if (column === 'record' || column === 'told') return '{"other":1}';
  if (/_(date|at)$/.test(column)) return '2031-01-01T00:00:00Z';
  if (column === 'mirror_tokens') return '["8", "9"]';
  return column === 'condition_id' ? hex(99) : `${value ?? ''}x`;
}

/** Columns that no list shows, and references to other tables. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  events: ['id'],
  markets: ['id'],
  market_tokens: ['outcome_index', 'market_id'],
  tags: ['id', 'event_count'],
  series: ['id'],
  event_tags: ['event_id', 'tag_id'],
  event_series: ['event_id', 'series_id'],
  market_figures: ['market_id', 'state', 'is_own'],
  event_figures: ['event_id', 'state', 'is_own', 'version'],
};

function columnsOf(database: Database, table: string): string[] {
  return database
    .prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`)
    .pluck()
    .all();
}

t.test(
  'a change of any column shows in the next answers; only figures keep the content version',
  async (t) => {
    const { database, writing } = opened(t);
    const kept = new CatalogAnswers(database);
    const versions = new CatalogVersions(database);
    let shown = 0;
    let before = answersOf(kept);
    for (const [table, leftOut] of Object.entries(LEFT_OUT)) {
      for (const column of columnsOf(writing, table).filter((one) => !leftOut.includes(one))) {
        const select = writing.prepare(`SELECT ${column} FROM ${table} LIMIT 1`).pluck();
        versions.begin();
        const { content } = versions;
        const value = column === 'event_id' ? 2 : otherValue(select.get(), column);
        const key = table.startsWith('event_') ? 'event_id' : 'rowid';
        const where =
          table === 'market_tokens'
            ? `token_id = (SELECT min(token_id) FROM market_tokens)`
            : `${key} = (SELECT min(${key}) FROM ${table})`;
        const change = writing.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`);
        t.ok(change.run(value).changes > 0, `${table}.${column}`);
        const after = answersOf(kept);
        t.strictSame(after, answersOf(new CatalogAnswers(database)), `${table}.${column}`);
        shown += `${after}` === `${before}` ? 0 : 1;
        before = after;
        versions.begin();
        t.equal(
          versions.content === content,
          table.endsWith('_figures'),
          `content: ${table}.${column}`,
        );
      }
    }
    t.ok(shown > 60, `${shown} changes show`);
  },
);

t.test('added and deleted rows show in the next answers', async (t) => {
  const { database, writing } = opened(t);
  const kept = new CatalogAnswers(database);
  let before = `${answersOf(kept)}`;
  for (const sql of [
    'DELETE FROM event_tags WHERE event_id = 1 AND tag_id = 1',
    'INSERT INTO event_tags VALUES (1, 1, 3)',
    'UPDATE event_tags SET tag_id = 12 WHERE event_id = 1 AND tag_id = 11',
    'DELETE FROM event_series WHERE event_id = 2',
    'INSERT INTO event_series VALUES (2, 21, 0)',
    'UPDATE markets SET event_id = 2 WHERE id = 11',
    'DELETE FROM markets WHERE id = 12',
    `UPDATE market_tokens SET token_id = '77' WHERE token_id = '13001'`,
    'DELETE FROM markets WHERE event_id = 3; DELETE FROM events WHERE id = 3',
  ]) {
    writing.exec(sql);
    const after = answersOf(kept);
    t.strictSame(after, answersOf(new CatalogAnswers(database)), sql);
    t.not(`${after}`, before, sql);
    before = `${after}`;
  }
});

t.test('a new event with the id of a deleted one is not confused with it', async (t) => {
  const { database, writing, catalog } = opened(t);
  const kept = new CatalogAnswers(database);
  answersOf(kept);
  writing.exec('DELETE FROM markets WHERE event_id = 3; DELETE FROM events WHERE id = 3');
  catalog.importEvents([eventRecord(3, { title: 'Event made again' })]);
  t.strictSame(answersOf(kept), answersOf(new CatalogAnswers(database)));
  t.match(`${answersOf(kept)}`, /Event made again/);
});

t.test('pre-warmed events save statements, and are read again when they change', async (t) => {
  const { database, writing, catalog } = opened(t);
  catalog.importEvents([eventRecord(4, { closed: true })]);
  let statements = 0;
  const counted = new SqliteDatabase(database.name, {
    readonly: true,
    verbose: () => {
      statements += 1;
    },
  });
  t.teardown(() => counted.close());
  const statementsOf = (answers: CatalogAnswers): number => {
    statements = 0;
    const [kind, question] = QUESTIONS[0]!;
    answers.answer(kind, question);
    return statements;
  };
  const [warmed, cold] = [new CatalogAnswers(counted), new CatalogAnswers(counted)];
  const steps = [1, 2, 3, 4, 5].map(() => warmed.warmNext());
  t.strictSame(steps, [true, true, true, true, false], 'each event is visited once');
  const [spared, needed] = [statementsOf(warmed), statementsOf(cold)];
  t.ok(spared < needed, `${spared} statements, ${needed} without`);
  t.equal(statementsOf(warmed) < spared, true, 'the closed event was not pre-warmed');
  writing.exec(`UPDATE events SET title = 'Told otherwise' WHERE id = 2`);
  t.strictSame(answersOf(warmed), answersOf(new CatalogAnswers(database)));
  t.match(`${answersOf(warmed)}`, /Told otherwise/);
});

t.test('trading and comments change the version of their own event only', async (t) => {
  const { database, catalog } = opened(t);
  const versions = new CatalogVersions(database);
  const read = () => {
    versions.begin();
    return [1, 2, 3].map((id) => versions.ofEvent(id));
  };
  const [first, second, third] = read();
  const { content } = versions;
  catalog.putFigures([figuresOf(12, { volume: 7, volume24hr: 5, liquidity: 3 })]);
  const [, traded] = read();
  t.strictSame(read(), [first, traded, third]);
  t.not(traded, second);
  const comment = { id: '1', body: 'x', parentEntityType: 'Event', parentEntityID: 3 };
  const said = { ...comment, userAddress: `0x${'1'.repeat(40)}` };
  catalog.putRecords({ kind: 'comments', records: [said] });
  const [, , discussed] = read();
  t.strictSame(read(), [first, traded, discussed]);
  t.not(discussed, third);
  t.equal(versions.content, content);
  t.equal(versions.ofEvent(4), undefined);
});
