// The tables of catalog.db: made once, refused if a newer program made them, and what they forbid.
import Database from 'better-sqlite3';
import t from 'tap';
import { openCatalog } from '../../../catalog/catalog.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord } from '../fixture.ts';

/** The version, and the SQL of every table. */
function schemaOf(path: string) {
  const database = new Database(path, { readonly: true });
  const version = database.pragma('user_version', { simple: true });
  const tables = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  database.close();
  return { version, tables };
}

t.test('opening twice makes the tables once and keeps what is stored', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const first = openCatalog(path);
  first.importEvents([eventRecord(1)]);
  const page = first.lookup.marketPage(0, 10);
  first.close();
  const schema = schemaOf(path);
  t.equal(schema.version, 1);
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
    message: /has catalog version 99 and this program knows 1: this is version/,
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
  const comment = `INSERT INTO comments (id, event_id, series_id, thread_id, user_address,
    reply_address, body, created_at, updated_at, record)
    VALUES (1, 1, 1, 1, '0xa', '', 'b', '', '', '{}')`;
  t.throws(() => database.exec(comment), /CHECK/, 'a comment has one parent');
});
