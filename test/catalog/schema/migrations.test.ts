// Files of every earlier version get the tables of the current one. They keep all that was stored,
// and newer tables are filled from it.

import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { migrateCatalog } from '../../../catalog/schema/migrations.ts';
import { Findings } from '../../../persistence/tools/findings.ts';
import { checkCatalogTables } from '../../../persistence/tools/verify-catalog-tables.ts';
import { answerValue } from '../../persistence/answer-value.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, hex } from '../fixture.ts';

/** Every table's SQL, and the count of migrations. */
function schemaOf(path: string): { version: number; tables: unknown } {
  const database = new Database(path, { readonly: true });
  const version = Number(database.pragma('user_version', { simple: true }));
  const tables = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  database.close();
  return { version, tables };
}

function newSchema(t: Test): { version: number; tables: unknown } {
  const path = `${temporaryFolder(t)}/catalog.db`;
  openCatalog(path).close();
  return schemaOf(path);
}

/** Records in the form of the first programs: all other fields are in the record. */
const MARKET_RECORD = {
  volume: '12.5',
  liquidityNum: 3,
  outcomePrices: '["0.4", "0.6"]',
  bestBid: 0.39,
  mirrorClobTokenIds: '["8", "9"]',
  events: [{ id: '7' }],
  feeType: 'none',
  feesEnabled: true,
  feeSchedule: { rate: 0.05, exponent: 1 },
  takerBaseFee: null,
  closedTime: '2026-02-03 04:05:06+00',
  umaResolutionStatus: 'resolved',
  flags: [true, false, null],
};
const EVENT_RECORD = { volume: 40, commentCount: 9, competitive: 0.5, featured: true, sortBy: 'x' };

const json = JSON.stringify;

const STORED = `
INSERT INTO events VALUES (7, 'oslo', 'oslo', 'Regen in Öslo', 'Words', '', NULL, NULL,
  '2027-06-01T00:00:00Z', '', '', 1, 0, 0, NULL, NULL, 0, '', '0xAb', '${json(EVENT_RECORD)}');
INSERT INTO markets VALUES (70, 7, '${hex(70)}', '', 'oslo-rain', 'Rain?', '', '', '', NULL, NULL,
  '', '', 1, 0, 0, 1, 1, NULL, NULL, 0, '${hex(71)}', '', 100, 500, '${json(MARKET_RECORD)}');
INSERT INTO market_tokens VALUES ('701', 70, 0, 'Yes'), ('702', 70, 1, 'No');
INSERT INTO tags VALUES (1, 'weather', 'Weather', 0, NULL, NULL, '{}');
INSERT INTO event_tags VALUES (7, 1, 0);
INSERT INTO series VALUES (2, 'rains', 'rains', 'Rains', '', '', '', '', 1, 0, 0, NULL, NULL,
  '{"events":[],"volume":1}');
INSERT INTO event_series VALUES (7, 2, 0);`;

/** The versions whose tables `STORED` fits. */
const OLD_VERSIONS = [1, 2, 3];

for (const version of OLD_VERSIONS) {
  t.test(`a file of version ${version} keeps its content and gets the newer tables`, async (t) => {
    const path = `${temporaryFolder(t)}/catalog.db`;
    const old = new Database(path);
    migrateCatalog(old, version);
    old.exec(STORED);
    old.close();
    openCatalog(path).close();
    t.strictSame(schemaOf(path), newSchema(t));
    const database = new Database(path, { readonly: true });
    t.teardown(() => database.close());
    const answers = new CatalogAnswers(database);
    const ask = (kind: string, question: unknown): unknown => {
      const text = answers.answer(kind, question);
      return text && answerValue(text);
    };
    const told = database.prepare('SELECT told FROM markets').pluck().get();
    t.match(JSON.parse(`${told}`), { feeType: 'none', feesEnabled: true }, 'live fields');
    t.match(JSON.parse(`${told}`), { umaResolutionStatus: 'resolved', closedTime: /^2026-02/ });
    t.match(ask('event', { event: { id: 7 } }), {
      ...{ title: 'Regen in Öslo', volume: 40, commentCount: 9, competitive: 0.5, sortBy: 'x' },
      tags: [{ slug: 'weather' }],
      series: [{ slug: 'rains', volume: 1 }],
      markets: [
        {
          ...{ volume: '12.5', volumeNum: 12.5, liquidity: '3', feeType: 'none' },
          ...{ outcomePrices: '["0.4", "0.6"]', bestBid: 0.39, flags: [true, false, null] },
          mirrorClobTokenIds: '["8", "9"]',
          ...{ feesEnabled: true, feeSchedule: { rate: 0.05, exponent: 1 } },
          events: [{ id: '7', title: 'Regen in Öslo' }],
        },
      ],
    });
    const search = { text: 'ÖSLO RE', limit: 5, page: 1, withTags: true };
    t.match(ask('search', search), { events: [{ id: '7' }], pagination: { totalResults: 1 } });
    const tag = { ...search, text: 'we' };
    t.match(ask('search', tag), { tags: [{ slug: 'weather', event_count: 1 }] });
    const part = { conditions: [], ranges: [], order: ['volume'], ascending: false };
    const featured = { ...part, flags: { featured: true }, offset: 0, limit: 5 };
    t.match(ask('events', featured), [{ id: '7' }]);
  });
}

t.test('migrating from any version leads to the same tables', async (t) => {
  const latest = newSchema(t);
  t.ok(latest.version >= OLD_VERSIONS.length);
  for (let version = 1; version < latest.version; version += 1) {
    const path = `${temporaryFolder(t)}/catalog.db`;
    const old = new Database(path);
    migrateCatalog(old, version);
    t.equal(old.pragma('user_version', { simple: true }), version);
    old.close();
    openCatalog(path).close();
    t.strictSame(schemaOf(path), latest, `from version ${version}`);
  }
});

/** A stored text, its replacement with the letter, and what version 7 indexed for that. */
const SHARP_S = [
  [
    'Regen in Öslo',
    'STRAẞE',
    "event_texts (rowid, title, names, markets) VALUES (7, 'straße', '', '')",
  ],
  ['Rain?', 'STRAẞE?', "event_texts (rowid, title, names, markets) VALUES (7, '', '', 'straße?')"],
  ["'Weather'", "'STRAẞE'", "tag_texts (rowid, label, slug) VALUES (1, 'straße', '')"],
] as const;

for (const [words, withLetter, index] of SHARP_S) {
  t.test(`${withLetter}, which was indexed as "ß", is found`, async (t) => {
    const path = `${temporaryFolder(t)}/catalog.db`;
    const old = new Database(path);
    migrateCatalog(old, 3);
    old.exec(STORED.replace(words, withLetter));
    migrateCatalog(old, 7);
    for (const table of ['event_texts', 'event_grams', 'tag_texts', 'tag_grams']) {
      if (table.startsWith(index.slice(0, 3))) old.exec(`DELETE FROM ${table}`);
    }
    old.exec(`INSERT INTO ${index}`);
    old.close();
    openCatalog(path).close();
    const database = new Database(path, { readonly: true });
    t.teardown(() => database.close());
    const answers = new CatalogAnswers(database);
    for (const text of ['strasse', 'straße', 'STRAẞE']) {
      const answer = answers.answer('search', { text, limit: 5, page: 1, withTags: true });
      if (answer === undefined) throw new Error('a search is always answered');
      const { events, tags } = answerValue(answer);
      t.equal(events.length + tags.length, 1, text);
    }
    const findings = new Findings();
    database.transaction(() => checkCatalogTables(database, findings))();
    t.strictSame(
      findings.all().filter(({ of }) => /texts|grams/.test(of)),
      [],
      'the index matches the texts',
    );
  });
}

t.test('opening twice migrates once and keeps what is stored', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const first = openCatalog(path);
  first.importEvents([eventRecord(1)]);
  const page = first.lookup.marketPage(0, 10);
  first.close();
  const schema = schemaOf(path);
  const second = openCatalog(path);
  t.strictSame(second.lookup.marketPage(0, 10), page);
  second.close();
  t.strictSame(schemaOf(path), schema);
});

t.test('a file of a newer program is refused and left as it is', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const database = new Database(path);
  t.equal(database.pragma('journal_mode = WAL', { simple: true }), 'wal');
  database.pragma('user_version = 99');
  database.close();
  t.throws(() => openCatalog(path), {
    message: /has catalog version 99 and this program knows \d/,
  });
  t.strictSame(schemaOf(path), { version: 99, tables: [] });
});

t.test('an event with markets can not be deleted, and a comment has one parent', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  t.teardown(() => catalog.close());
  catalog.importEvents([eventRecord(1)]);
  const database = new Database(path);
  t.teardown(() => database.close());
  database.pragma('foreign_keys = ON');
  t.throws(() => database.exec('DELETE FROM events WHERE id = 1'), /FOREIGN KEY/);
  const comment = `INSERT INTO comments (id, event_id, market_id, thread_id, user_address,
    reply_address, body, created_at, updated_at, record)
    VALUES (1, 1, 1, 1, '0xa', '', 'b', '', '', '{}')`;
  t.throws(() => database.exec(comment), /CHECK/, 'a comment has one parent');
});
