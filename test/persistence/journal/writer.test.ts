import { join } from 'node:path';
import t from 'tap';
import { BatchBuilder, type JournalBatch } from '../../../persistence/journal/batch.ts';
import { OrderIdTables } from '../../../persistence/journal/order-id-tables.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { prepareJournal } from '../../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../../persistence/journal/writer.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { packOrderIds } from './packed-rows.ts';

/** SQLite's number for FULL: every commit is synced. SIGKILL can't tell it from OFF. */
const FULL = 2;

function batchAt(firstSeq: number, count = 1): JournalBatch {
  const builder = new BatchBuilder(firstSeq);
  for (let seq = firstSeq; seq < firstSeq + count; seq += 1) {
    const command = { kind: 'advance_time' } as const;
    builder.add({ seq, timeMs: 1, command, events: [] }, undefined, command);
  }
  return builder.build();
}

t.test('the writing connection syncs every commit; a temporary one never syncs', async (t) => {
  const folder = temporaryFolder(t);
  for (const [temporary, synchronous] of [
    [false, FULL],
    [true, 0],
  ] as const) {
    const database = openJournal(join(folder, `${temporary}.db`), temporary);
    t.equal(database.pragma('synchronous', { simple: true }), synchronous);
    t.equal(database.pragma('journal_mode', { simple: true }), 'wal');
    database.close();
  }
});

t.test('after a failed commit nothing more is written, even if it could be', async (t) => {
  const database = openJournal(join(temporaryFolder(t), 'journal.db'), false);
  t.teardown(() => database.close());
  prepareJournal(database, { funding: 'paper' }, () => {});
  const writer = new JournalWriter(database);
  database.exec(`CREATE TEMP TRIGGER gone BEFORE INSERT ON commands WHEN new.seq > 1
    BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END`);
  writer.write(batchAt(1));
  t.throws(() => writer.write(batchAt(2)), { message: 'the disk is gone' });
  database.exec('DROP TRIGGER gone');
  t.throws(() => writer.write(batchAt(2)), { message: 'the disk is gone' });
  t.throws(() => writer.keepClockOffset(60_000), { message: 'the disk is gone' });
  t.equal(database.prepare('SELECT max(seq) FROM commands').pluck().get(), 1);
});

t.test(
  'the journal knows which command ends its batch, and its checksum covers that',
  async (t) => {
    const path = join(temporaryFolder(t), 'journal.db');
    const database = openJournal(path, false);
    t.teardown(() => database.close());
    prepareJournal(database, { funding: 'paper' }, () => {});
    const writer = new JournalWriter(database);
    for (const [seq, count] of [
      [1, 3],
      [4, 1],
      [5, 2],
    ] as const) {
      writer.write(batchAt(seq, count));
    }
    const journal = new JournalReader(path);
    t.teardown(() => journal.close());
    const ends = journal.commands(0, 6).map(({ endsBatch }) => endsBatch);
    t.strictSame(ends, [false, false, true, true, false, true]);
    for (const seq of [2, 4]) {
      const turn = 'UPDATE commands SET ends_batch = 1 - ends_batch WHERE seq = ?';
      database.prepare(turn).run(seq);
      t.throws(() => journal.commands(seq - 1, seq), { code: 'journal_damaged' });
      database.prepare(turn).run(seq);
    }
  },
);

t.test('the journal keeps the last offset of the clock', async (t) => {
  const path = join(temporaryFolder(t), 'journal.db');
  const prepared = (write: (writer: JournalWriter) => void): number => {
    const database = openJournal(path, false);
    const { clockOffsetMs } = prepareJournal(database, { funding: 'paper' }, () => {});
    write(new JournalWriter(database));
    database.close();
    return clockOffsetMs;
  };
  const first = prepared((writer) => writer.keepClockOffset(60_000));
  const second = prepared((writer) => writer.keepClockOffset(-5));
  t.strictSame([first, second, prepared(() => {})], [0, 60_000, -5]);
});

t.test('ids that a full disk keeps out of the index enter it after the next start', async (t) => {
  const path = join(temporaryFolder(t), 'journal.db');
  const database = openJournal(path, false);
  prepareJournal(database, { funding: 'paper' }, () => {});
  const ids = Array.from({ length: 500 }, (_, at) => Buffer.alloc(32, `id ${at} `));
  const batch: JournalBatch = {
    ...batchAt(1),
    orderIds: packOrderIds(ids.map((id, at) => [id, at + 1, 'GTC', 0, 0])),
  };
  const writer = new JournalWriter(database);
  writer.write(batch);
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
  writer.settle();
  t.equal(new OrderIdTables(database).find(ids[499]!), undefined, 'not in the index');
  database.close();

  const roomy = openJournal(path, false);
  t.teardown(() => roomy.close());
  const tables = new OrderIdTables(roomy);
  tables.refresh();
  t.ok(ids.every((id, at) => tables.findNew(id)?.acceptedSeq === at + 1));
  new JournalWriter(roomy).settle();
  t.ok(ids.every((id, at) => tables.findIndexed(id)?.acceptedSeq === at + 1));
});

t.test('an error other than a full disk fails the last indexing of ids', async (t) => {
  const database = openJournal(join(temporaryFolder(t), 'journal.db'), false);
  t.teardown(() => database.close());
  prepareJournal(database, { funding: 'paper' }, () => {});
  const writer = new JournalWriter(database);
  const id = Buffer.alloc(32, 7);
  const orderIds = packOrderIds([
    [id, 1, 'GTC', 0, 0],
    [id, 1, 'GTC', 0, 0],
  ]);
  writer.write({ ...batchAt(1), orderIds });
  t.throws(() => writer.settle(), { code: /^SQLITE_CONSTRAINT/ });
});
