/**
 * Data folders made without an exchange, for tests of what happens to their files: a journal of
 * given commands, its projection, and snapshots that are whole and of that journal but hold nothing.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { IMAGE_VERSION } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { BatchBuilder } from '../../persistence/journal-batch.ts';
import { JournalReader } from '../../persistence/journal-reader.ts';
import { prepareJournal } from '../../persistence/journal-schema.ts';
import { JournalWriter, openJournal } from '../../persistence/journal-writer.ts';
import { prepareProjection } from '../../persistence/projection-schema.ts';
import { SNAPSHOT_VERSION } from '../../persistence/snapshot-file.ts';
import { writeSnapshot } from '../../persistence/snapshot-folder.ts';
import { type Scope, temporaryFolder } from '../temporary-folder.ts';

export interface FolderPlan {
  readonly durable: readonly DurableCommand[];
  /** The seqs of its snapshots. */
  readonly snapshots?: readonly number[];
  /** Where its projection says that it is; the journal's end when it is left out. */
  readonly projectedSeq?: number;
}

export const journalOf = (dataDir: string): string => join(dataDir, 'journal.db');

export function makeFolder(scope: Scope, plan: FolderPlan): string {
  const dataDir = temporaryFolder(scope);
  makeJournal(dataDir, plan.durable);
  const lastSeq = plan.durable.at(-1)?.seq ?? 0;
  const journal = new JournalReader(journalOf(dataDir));
  try {
    makeProjection(dataDir, plan.projectedSeq ?? lastSeq, journal);
    for (const seq of plan.snapshots ?? []) makeSnapshot(dataDir, seq, journal);
  } finally {
    journal.close();
  }
  return dataDir;
}

function makeJournal(dataDir: string, durable: readonly DurableCommand[]): void {
  const database = openJournal(journalOf(dataDir), true);
  prepareJournal(database, { funding: 'paper', streamId: 'test' }, () => undefined);
  const builder = new BatchBuilder(1);
  for (const applied of durable) builder.add(applied, undefined);
  new JournalWriter(database).write(builder.build(), () => undefined);
  database.close();
}

/** Only its cursor is true. */
function makeProjection(dataDir: string, seq: number, journal: JournalReader): void {
  const database = new SqliteDatabase(join(dataDir, 'analytics.db'));
  prepareProjection(database);
  const checksum = journal.checksumAt(seq) ?? 0;
  database.prepare('UPDATE progress SET seq = ?, checksum = ?').run(seq, checksum);
  database.close();
}

export function makeSnapshot(dataDir: string, seq: number, journal: JournalReader): void {
  const folder = join(dataDir, 'snapshots');
  mkdirSync(folder, { recursive: true });
  const head = {
    snapshotVersion: SNAPSHOT_VERSION,
    imageVersion: IMAGE_VERSION,
    seq,
    timeMs: 0,
    commandChecksum: journal.checksumAt(seq) ?? 0,
    funding: 'paper' as const,
  };
  writeSnapshot(folder, head, [{ name: 'nothing', bytes: Buffer.from('nothing') }]);
}
