// Archives that programs of formats before 7 wrote have fewer columns.
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { archiveName } from '../../../persistence/journal/archive.ts';
import { JournalReader } from '../../../persistence/journal/reader.ts';
import { commandChecksum } from '../../../persistence/journal/schema.ts';
import { type CompactionStep, compactJournal } from '../../../persistence/tools/compaction.ts';
import { cutJournal } from '../../../persistence/tools/journal-cut.ts';
import { journalOf, makeFolder, makeSnapshot } from '../journal/fixture.ts';
import { contentsOf, readAll } from '../journal/read-journal.ts';
import { valuesPayload } from '../rows/values-payload.ts';
import { randomStream } from '../store-fixture.ts';

t.test('an archive of an earlier format is finished, read, and put back', async (t) => {
  const { durable } = randomStream(11, 1_000);
  const lastSeq = durable.length;
  const archivedSeq = Math.floor(lastSeq / 2);
  const dataDir = makeFolder(t, { durable });
  const journal = new SqliteDatabase(journalOf(dataDir));
  const update = journal.prepare(
    'UPDATE commands SET payload = ?, packed = NULL, checksum = ? WHERE seq = ?',
  );
  for (const { seq, timeMs, command } of durable) {
    const { kind } = command;
    const payload = valuesPayload(command, undefined);
    update.run(payload, commandChecksum({ seq, timeMs, kind, payload, endsBatch: true }), seq);
  }
  journal.close();
  const reader = new JournalReader(journalOf(dataDir));
  for (const seq of [1, archivedSeq, lastSeq - 1]) makeSnapshot(dataDir, seq, reader);
  const projection = new SqliteDatabase(join(dataDir, 'analytics.db'));
  projection.prepare('UPDATE progress SET checksum = ?').run(reader.checksumAt(lastSeq));
  projection.close();
  reader.close();
  const before = readAll(dataDir);
  const onStep = (step: CompactionStep): void => {
    if (step === 'renamed') throw new Error('stopped');
  };
  await t.rejects(compactJournal({ dataDir, onStep }), { message: 'stopped' });
  const archive = join(dataDir, 'archive', archiveName({ firstSeq: 1, lastSeq: archivedSeq }));
  chmodSync(archive, 0o600);
  const older = new SqliteDatabase(archive);
  older.exec(
    'ALTER TABLE commands DROP COLUMN packed; ALTER TABLE commands DROP COLUMN ends_batch',
  );
  older.close();
  t.match(await compactJournal({ dataDir }), { firstSeq: 1, lastSeq: archivedSeq });
  t.same(contentsOf(readAll(dataDir)), contentsOf(before));
  t.equal(cutJournal(dataDir, { seq: archivedSeq - 1 }), archivedSeq - 1);
  const cut = readAll(dataDir);
  t.same(cut.commands, (before.commands as unknown[]).slice(0, archivedSeq - 1));
  t.notOk(existsSync(archive), 'they are in the journal again');
});
