import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { type Scope, temporaryFolder } from '../temporary-folder.ts';
import { counterOrder, openBeside, openFor, order, submitAll, WORLD } from './store-fixture.ts';

/** As the program of format 1 made them. */
const FORMAT_1 = `
CREATE TABLE commands (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE fills (
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  match TEXT NOT NULL,
  condition_id BLOB NOT NULL,
  taker_order_id BLOB NOT NULL,
  maker_order_id BLOB NOT NULL,
  taker_account BLOB NOT NULL,
  maker_account BLOB NOT NULL,
  taker_outcome INTEGER NOT NULL,
  taker_side TEXT NOT NULL,
  maker_outcome INTEGER NOT NULL,
  maker_side TEXT NOT NULL,
  taker_price_ticks INTEGER NOT NULL,
  maker_price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE order_ids (
  order_id BLOB PRIMARY KEY,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY,
  format INTEGER NOT NULL,
  state BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

const FILL_COLUMNS_1 = 16;

interface Column {
  readonly name: string;
}

/** All that is to be known of a table. */
const columnsOf = (scope: Scope, dataDir: string, table: string): Column[] =>
  openBeside(scope, join(dataDir, 'journal.db'))
    .prepare<[], Column>(`PRAGMA table_xinfo(${table})`)
    .all();

const formatOf = (scope: Scope, dataDir: string): unknown =>
  openBeside(scope, join(dataDir, 'journal.db'))
    .prepare("SELECT value FROM meta WHERE key = 'format_version'")
    .pluck()
    .get();

/** Puts what a journal says into one of format 1. */
function makeOld(dataDir: string): void {
  const path = join(dataDir, 'journal.db');
  const old = new SqliteDatabase(`${path}.old`);
  old.exec(FORMAT_1);
  old.prepare('ATTACH ? AS new').run(path);
  for (const table of ['commands', 'fills', 'order_ids', 'meta']) {
    const columns = old
      .prepare<[], Column>(`PRAGMA main.table_info(${table})`)
      .all()
      .map(({ name }) => name);
    old.exec(`INSERT INTO ${table} SELECT ${columns.join(', ')} FROM new.${table}`);
  }
  old.exec(`
    UPDATE meta SET value = '1' WHERE key = 'format_version';
    UPDATE meta SET value = '3' WHERE key = 'rules_version';
  `);
  old.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  renameSync(`${path}.old`, path);
}

/** A closed data folder whose journal of format 1 has trades. */
async function oldFolder(scope: Scope): Promise<{ dataDir: string; hash: string }> {
  const dataDir = temporaryFolder(scope);
  const exchange = await openFor(scope, dataDir);
  await submitAll(exchange, [...WORLD, order(1), counterOrder(2), order(3), counterOrder(4)]);
  const hash = exchange.stateHash();
  await exchange.close();
  makeOld(dataDir);
  return { dataDir, hash };
}

t.test('a journal of format 1 is raised to what a new one is, and replays as it ran', async (t) => {
  const { dataDir, hash } = await oldFolder(t);
  t.equal(columnsOf(t, dataDir, 'fills').length, FILL_COLUMNS_1);
  const raised = await openFor(t, dataDir);
  t.equal(raised.stateHash(), hash);
  await submitAll(raised, [order(5), counterOrder(6)]);
  const traded = raised.stateHash();
  await raised.close();

  const newDir = temporaryFolder(t);
  await (await openFor(t, newDir)).close();
  for (const table of ['commands', 'fills', 'order_ids', 'snapshots', 'meta']) {
    t.strictSame(columnsOf(t, dataDir, table), columnsOf(t, newDir, table));
  }
  t.equal(formatOf(t, dataDir), '2', 'which a program that knows 1 refuses');
  const fees = openBeside(t, join(dataDir, 'journal.db')).prepare(
    'SELECT seq, taker_fee_micros, maker_fee_micros, taker_builder_micros, maker_builder_micros, ' +
      'taker_fee_bps, maker_fee_bps FROM fills ORDER BY seq',
  );
  t.strictSame(
    fees.raw().all(),
    [5, 7, 9].map((seq) => [seq, 0, 0, 0, 0, 0, 0]),
    'old fills cost nothing',
  );
  const again = await openFor(t, dataDir);
  t.equal(again.stateHash(), traded, 'and once raised it is opened as it is');
});

t.test('a journal of format 1 that is refused is not raised', async (t) => {
  const { dataDir } = await oldFolder(t);
  writeFileSync(join(dataDir, 'durable.seq'), '9');
  await t.rejects(openFor(t, dataDir), { code: 'journal_behind' });
  t.equal(formatOf(t, dataDir), '1');
  t.equal(columnsOf(t, dataDir, 'fills').length, FILL_COLUMNS_1);
});
