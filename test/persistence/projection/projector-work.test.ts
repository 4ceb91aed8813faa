import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { Random } from '../../../http/codec/random.ts';
import { archiveName } from '../../../persistence/journal/archive.ts';
import { ProjectorWork } from '../../../persistence/projection/projector-work.ts';
import { compactJournal } from '../../../persistence/tools/compaction.ts';
import { isLong } from '../../long-set.ts';
import type { Scope } from '../../temporary-folder.ts';
import { journalOf, makeFolder, makeTrueSnapshots } from '../journal/fixture.ts';
import { randomStream } from '../store-fixture.ts';
import { contents } from './contents.ts';

function dataOf(dataDir: string, name = 'analytics.db') {
  return {
    journalPath: journalOf(dataDir),
    projectionPath: join(dataDir, name),
    snapshots: join(dataDir, 'snapshots'),
    temporary: true,
  };
}

/** One life of the projector's thread: it starts, projects up to `seq`, and ends. */
function project(dataDir: string, seq: number, name?: string): void {
  const work = new ProjectorWork(dataOf(dataDir, name));
  try {
    while (work.step(seq));
    t.equal(work.projectedSeq, seq);
  } finally {
    work.close();
  }
}

function readContents(dataDir: string, name = 'analytics.db'): unknown[] {
  const database = new SqliteDatabase(join(dataDir, name), { readonly: true });
  const found = contents(database);
  database.close();
  return found;
}

/** A folder without a projection. */
function folderOf(scope: Scope, durable: ReturnType<typeof randomStream>['durable']): string {
  const dataDir = makeFolder(scope, { durable });
  rmSync(join(dataDir, 'analytics.db'));
  return dataDir;
}

for (const seed of isLong ? [21, 22, 23, 24, 25] : [21, 22]) {
  t.test(`a projector that is restarted often makes the same tables, stream ${seed}`, async (t) => {
    const { durable } = randomStream(seed, 1_500);
    const last = durable.length;
    const random = new Random(seed);
    const dataDir = folderOf(t, durable);
    project(dataDir, last, 'whole.db');
    const snapshots = Array.from({ length: 12 }, () => random.between(1, last));
    makeTrueSnapshots(dataDir, durable, snapshots);
    const oldest = Math.min(...snapshots);
    for (let seq = 0; seq < last; ) {
      seq = Math.min(seq + random.between(1, 90), last);
      project(dataDir, seq);
      if (seq > oldest && random.chance(20)) await compactJournal({ dataDir });
    }
    t.same(readContents(dataDir), readContents(dataDir, 'whole.db'));
    project(dataDir, last, 'again.db');
    t.same(readContents(dataDir, 'again.db'), readContents(dataDir, 'whole.db'), 'from archives');
  });
}

/** A folder that was compacted up to the older of two snapshots, with projections at other seqs. */
async function compactedFolder(scope: Scope) {
  const { durable } = randomStream(26, 1_500);
  const last = durable.length;
  const [older, newer] = [Math.floor(last / 2), Math.floor((last * 3) / 4)];
  const dataDir = folderOf(scope, durable);
  project(dataDir, older - 10, 'behind.db');
  project(dataDir, older, 'border.db');
  project(dataDir, newer - 10);
  makeTrueSnapshots(dataDir, durable, [older, newer]);
  await compactJournal({ dataDir });
  project(dataDir, last, 'whole.db');
  const archive = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: older }));
  return { dataDir, archive, last, older, newer };
}

t.test('a resumed projection needs no archive, a new one does', async (t) => {
  const { dataDir, archive, last } = await compactedFolder(t);
  renameSync(archive, `${archive}.away`);
  project(dataDir, last);
  t.same(readContents(dataDir), readContents(dataDir, 'whole.db'));
  project(dataDir, last, 'border.db');
  t.same(readContents(dataDir, 'border.db'), readContents(dataDir, 'whole.db'));
  for (const [name, is] of [
    ['new.db', 'new'],
    ['behind.db', 'older than the archive'],
  ] as const) {
    const work = new ProjectorWork(dataOf(dataDir, name));
    t.equal(work.projectedSeq, 0, `one that is ${is} reports no seq before its check`);
    t.throws(() => work.step(last), { code: 'archive_missing' });
    renameSync(`${archive}.away`, archive);
    while (work.step(last));
    work.close();
    t.same(readContents(dataDir, name), readContents(dataDir, 'whole.db'));
    renameSync(archive, `${archive}.away`);
  }
});

t.test(
  'a projection that ends within an archive is rebuilt if it is of another journal',
  async (t) => {
    const { dataDir, last } = await compactedFolder(t);
    const database = new SqliteDatabase(join(dataDir, 'behind.db'));
    database.exec('UPDATE progress SET checksum = 1; UPDATE orders SET lots = 99');
    database.close();
    project(dataDir, last, 'behind.db');
    t.same(readContents(dataDir, 'behind.db'), readContents(dataDir, 'whole.db'));
  },
);

t.test('a projection beyond the end of a compacted journal is refused', async (t) => {
  const { dataDir, last } = await compactedFolder(t);
  const journal = new SqliteDatabase(journalOf(dataDir));
  journal.prepare('DELETE FROM commands WHERE seq > ?').run(last - 1);
  journal.close();
  t.throws(() => new ProjectorWork(dataOf(dataDir, 'whole.db')), { code: 'projection_ahead' });
});

t.test('a missing index is created again, and a missing table with its rows', (t) => {
  const { durable } = randomStream(7, 300);
  const dataDir = folderOf(t, durable);
  project(dataDir, durable.length);
  const before = readContents(dataDir);
  const path = join(dataDir, 'analytics.db');
  for (const sql of ['DROP INDEX trades_by_time', 'DROP TABLE price_points']) {
    const database = new SqliteDatabase(path);
    const names = database.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck();
    const all = names.all();
    database.exec(sql);
    t.ok(names.all().length < all.length, sql);
    project(dataDir, durable.length);
    t.strictSame(names.all(), all, sql);
    database.close();
    t.same(readContents(dataDir), before, sql);
  }
  t.end();
});

/** Each flips a bit of a figure, in a page that is still well formed. */
const FLIPS: readonly (readonly [name: string, sql: string])[] = [
  ['tokens', 'UPDATE positions SET lots = lots | 1048576 WHERE lots > 0'],
  ['tokens of a closed position', 'UPDATE positions SET lots = 1 WHERE lots = 0'],
  ['the cost of a position', 'UPDATE positions SET cost_micros = cost_micros | 1099511627776'],
  ['a lost position', 'DELETE FROM positions WHERE lots > 0'],
  ['cash', 'UPDATE holding_points SET amount = amount | 1125899906842624 WHERE asset = 0'],
  ['the tokens of a market', 'UPDATE market_states SET yes_lots = yes_lots | 1048576'],
];

t.test('tables with a flipped bit in a holding are made again from the journal', async (t) => {
  const { durable } = randomStream(28, 800);
  const last = durable.length;
  const dataDir = folderOf(t, durable);
  project(dataDir, last);
  const whole = readContents(dataDir);
  for (const [name, sql] of FLIPS) {
    const database = new SqliteDatabase(join(dataDir, 'analytics.db'));
    t.ok(database.prepare(sql).run().changes > 0, name);
    database.close();
    const work = new ProjectorWork(dataOf(dataDir));
    const message = /analytics\.db is damaged and is made again from the journal: .*0x/;
    const steps = (): void => {
      while (work.step(last));
    };
    t.throws(steps, { code: 'projection_damaged', message }, name);
    work.close();
    project(dataDir, last);
    t.same(readContents(dataDir), whole, name);
  }
});
