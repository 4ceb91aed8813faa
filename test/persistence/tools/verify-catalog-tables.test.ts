/** Altered cells and missing rows of the catalog are found if they contradict other rows. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import { type Catalog, openCatalog } from '../../../catalog/catalog.ts';
import { Findings } from '../../../persistence/tools/findings.ts';
import { checkCatalogTables } from '../../../persistence/tools/verify-catalog-tables.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const ADA = `0x${'ad'.repeat(20)}`;
const BEN = `0x${'be'.repeat(20)}`;
const now = { nowIso: '2027-01-01T00:00:00Z', sinceIso: '2027-01-01T00:00:00Z' };
const said = { by: 'test', reason: 'to have one of each' };

/** Comments, replies, reactions, a report, and comments that are hidden or removed. */
function talk({ comments }: Catalog): void {
  const parent = { type: 'Event', id: 11 } as const;
  const say = (body: string, changes: object = {}): number =>
    comments.comment({ parent, userAddress: ADA, body, key: '', ...now, ...changes }).commentId;
  const first = say('First');
  const second = say('Second', { parentCommentId: first });
  const third = say('Third', { parentCommentId: second, userAddress: BEN });
  const hidden = say('Hidden', { parentCommentId: first });
  const removed = say('Removed', { parentCommentId: first });
  say('On a series', { parent: { type: 'Series', id: 1 } });
  comments.react({ id: second, userAddress: BEN, reactionType: 'HEART', ...now });
  comments.reportComment({ id: third, userAddress: ADA, reason: 'no', ...now });
  comments.moderateComment({ id: hidden, act: 'hide', said, ...now });
  comments.removeComment({ id: removed, userAddress: ADA, ...now });
  comments.removeComment({ id: second, userAddress: ADA, ...now });
}

/** Makes a catalog and imports rows again and edits them, so that its indexes are updated too. */
function makeCatalog(t: Test): string {
  const path = join(temporaryFolder(t), 'catalog.db');
  const catalog = openCatalog(path);
  const events = builtinEvents();
  catalog.importEvents(events.map((event) => ({ ...event, title: `Once ${event.title}` })));
  catalog.importEvents(events);
  for (let round = 0; round < 3; round += 1) catalog.importEvents(events.slice(0, 5 + round));
  catalog.edits.edit({ kind: 'tag', id: 1, changes: { label: 'Statecraft' }, said, ...now });
  catalog.edits.edit({ kind: 'event', id: 12, changes: { tags: ['weather'] }, said, ...now });
  talk(catalog);
  catalog.close();
  return path;
}

function verify(path: string): Findings {
  const findings = new Findings();
  const database = new SqliteDatabase(path, { readonly: true });
  findings.attempt('catalog', 'catalog.db', () => {
    database.transaction(() => checkCatalogTables(database, findings))();
  });
  database.close();
  return findings;
}

const good = makeCatalog(t);
function id(number: number): number {
  return 1_000_000_000 + number;
}

t.test('an edited catalog has no findings', async (t) => {
  const findings = verify(good);
  t.strictSame([findings.all(), findings.notes], [[], []]);
});

const faults: readonly (readonly [sql: string, of: string, sentence: RegExp])[] = [
  [
    'DELETE FROM market_figures WHERE market_id = 1100',
    'market_figures',
    /market 1100: .* is 0, .* give 1/,
  ],
  [
    'UPDATE market_figures SET state = 7 WHERE market_id = 1100',
    'market_figures',
    /market 1100: .* is 7,/,
  ],
  [
    'DELETE FROM event_figures WHERE event_id = 12',
    'event_figures',
    /event 12: .* is 0, .* give 1/,
  ],
  ['UPDATE event_figures SET state = 7 WHERE event_id = 12', 'event_figures', /event 12: .* is 7,/],
  [
    'UPDATE event_figures SET own_comments = 9 WHERE event_id = 11',
    'event_figures',
    /event 11: .* is 9, .* give 3/,
  ],
  [
    'DELETE FROM market_tokens WHERE market_id = 1200',
    'market_tokens',
    /market 1200: .* is 2, .* give 0/,
  ],
  ['UPDATE tags SET event_count = 99 WHERE id = 7', 'tags', /tag 7: .* is 99, .* give 4/],
  ['DELETE FROM event_tags WHERE event_id = 12', 'tags', /tag 11: .* is 4, .* give 3/],
  [
    `UPDATE comments SET reply_count = 5 WHERE id = ${id(0)}`,
    'comments',
    /replies is 5, .* give 1/,
  ],
  [`UPDATE comments SET reaction_count = 0 WHERE id = ${id(1)}`, 'comments', /reactions is 0,/],
  ['DELETE FROM reactions', 'comments', /reactions is 1, .* give 0/],
  ['DELETE FROM comment_reports', 'comments', /reports is 1, .* give 0/],
  [`UPDATE comments SET thread_id = 1 WHERE id = ${id(2)}`, 'comments', /conversation is 1,/],
  [
    `UPDATE comments SET body = 'x' WHERE id = ${id(1)}`,
    'comment_removals',
    /its text after its removal is/,
  ],
  [`DELETE FROM comments WHERE id = ${id(2)}`, 'comments', /comment|row/],
  ['DELETE FROM tags WHERE id = 7', 'event_tags', /refers to a row of tags that does not exist/],
  ['DELETE FROM events WHERE id = 45', 'markets', /refers to a row of events that does not exist/],
  ["UPDATE events SET title = 'Otherwise' WHERE id = 12", 'event_texts', /the entry for row 12 /],
  ["UPDATE events SET title = 'Qqqqq' WHERE id = 12", 'event_grams', /event_grams/],
  ["UPDATE markets SET question = 'Else' WHERE id = 1200", 'event_texts', /the entry for row 12 /],
  ['DELETE FROM event_texts WHERE rowid = 12', 'event_texts', /the entry for row 12 /],
  ['DELETE FROM event_grams WHERE rowid = 12', 'event_grams', /the entry for row 12 /],
  ["UPDATE tags SET label = 'Weathex' WHERE slug = 'weather'", 'tag_texts', /the term /],
  ['DELETE FROM tag_texts WHERE rowid = 7', 'tag_texts', /the entry for row 7 /],
  ['DELETE FROM tag_grams WHERE rowid = 7', 'tag_grams', /the entry for row 7 /],
];

for (const [sql, of, sentence] of faults) {
  t.test(`found: ${sql}`, async (t) => {
    const path = join(temporaryFolder(t), 'catalog.db');
    copyFileSync(good, path);
    const database = new SqliteDatabase(path);
    database.pragma('foreign_keys = OFF');
    // A fault of the disk would call no trigger.
    for (const name of database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      .pluck()
      .all()) {
      database.exec(`DROP TRIGGER ${name}`);
    }
    t.ok(database.prepare(sql).run().changes > 0);
    database.close();
    const found = verify(path).all();
    t.ok(
      found.some((one) => one.of === of && sentence.test(one.sentence)),
      JSON.stringify(found),
    );
  });
}

t.test('a catalog of another version is only noted', async (t) => {
  const path = join(temporaryFolder(t), 'catalog.db');
  copyFileSync(good, path);
  const database = new SqliteDatabase(path);
  database.pragma('user_version = 2');
  database.close();
  const findings = verify(path);
  t.strictSame(findings.all(), []);
  t.match(findings.notes, [/has version 2, not 1: its tables were not verified/]);
});
