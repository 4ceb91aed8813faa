import { join } from 'node:path';
import t from 'tap';
import { BatchBuilder, type JournalBatch } from '../../../persistence/journal/batch.ts';
import { OrderIdTables } from '../../../persistence/journal/order-id-tables.ts';
import { prepareJournal } from '../../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../../persistence/journal/writer.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** SQLite's number for FULL: every commit is synced. SIGKILL can't tell it from OFF. */
const FULL = 2;

function batchAt(seq: number): JournalBatch {
  const builder = new BatchBuilder(seq);
  builder.add({ seq, timeMs: 1, command: { kind: 'advance_time' }, events: [] }, undefined);
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
  prepareJournal(database, { funding: 'paper', streamId: 'test' }, () => {});
  const writer = new JournalWriter(database);
  const fail = (): never => {
    throw new Error('the disk is gone');
  };
  writer.write(batchAt(1), () => {});
  t.throws(() => writer.write(batchAt(2), fail), { message: 'the disk is gone' });
  t.throws(() => writer.write(batchAt(2), () => {}), { message: 'the disk is gone' });
  t.throws(() => writer.keepClockOffset(60_000), { message: 'the disk is gone' });
  t.equal(database.prepare('SELECT max(seq) FROM commands').pluck().get(), 1);
});

t.test('the journal keeps the last offset of the clock', async (t) => {
  const path = join(temporaryFolder(t), 'journal.db');
  const prepared = (write: (writer: JournalWriter) => void): number => {
    const database = openJournal(path, false);
    const terms = { funding: 'paper', streamId: 'test' } as const;
    const { clockOffsetMs } = prepareJournal(database, terms, () => {});
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
  prepareJournal(database, { funding: 'paper', streamId: 'test' }, () => {});
  const ids = Array.from({ length: 500 }, (_, at) => Buffer.alloc(32, `id ${at} `));
  const batch: JournalBatch = {
    ...batchAt(1),
    orderHex: Buffer.concat(ids).toString('hex'),
    orderNumbers: ids.flatMap((_, at) => [at + 1, 0, 0, 0]),
  };
  const writer = new JournalWriter(database);
  writer.write(batch, () => {});
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
  prepareJournal(database, { funding: 'paper', streamId: 'test' }, () => {});
  const writer = new JournalWriter(database);
  const twice = Buffer.alloc(32, 7).toString('hex').repeat(2);
  writer.write(
    { ...batchAt(1), orderHex: twice, orderNumbers: [1, 0, 0, 0, 1, 0, 0, 0] },
    () => {},
  );
  t.throws(() => writer.settle(), { code: /^SQLITE_CONSTRAINT/ });
});
