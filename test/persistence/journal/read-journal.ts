/** Reads a whole journal with its archives, to compare two journals. */
import SqliteDatabase from 'better-sqlite3';
import { JournalReader, type StoredCommand } from '../../../persistence/journal/reader.ts';
import { journalOf } from './fixture.ts';

export interface Everything {
  readonly commands: unknown;
  readonly fills: unknown;
  readonly checksums: unknown;
  readonly steps: readonly number[];
}

/** Numbers in place of names, which are the same in both journals. */
const NUMBERS = { account: String, owner: String, token: String };

/** All of commands, which decode their content on demand. */
export function contentOf(commands: readonly StoredCommand[]) {
  return commands.map((stored) => {
    const { seq, timeMs, checksum, endsBatch, evidence } = stored;
    return { seq, timeMs, checksum, endsBatch, evidence, command: stored.command(NUMBERS) };
  });
}

/** Reads all commands, fills and checksums in the reader's own steps. */
export function readAll(dataDir: string): Everything {
  const journal = new JournalReader(journalOf(dataDir));
  const { lastSeq } = journal;
  try {
    const commands: unknown[] = [];
    const fills: unknown[] = [];
    const steps: number[] = [];
    for (let fromSeq = 0; fromSeq < lastSeq; ) {
      const toSeq = journal.stepEnd(fromSeq, lastSeq);
      commands.push(...contentOf(journal.commands(fromSeq, toSeq)));
      fills.push(...journal.fills(fromSeq, toSeq));
      steps.push(toSeq);
      fromSeq = toSeq;
    }
    const seqs = Array.from({ length: lastSeq + 2 }, (_, seq) => seq);
    const checksums = seqs.map((seq) => journal.checksumAt(seq));
    return { commands, fills, checksums, steps };
  } finally {
    journal.close();
  }
}

/** The part that a compaction must not change. */
export function contentsOf({ commands, fills, checksums }: Everything) {
  return {
    commands,
    fills,
    checksums,
  };
}

/** How many rows of a table of the journal belong to commands up to `lastSeq`. */
export function countIn(dataDir: string, table: string, lastSeq: number): unknown {
  const database = new SqliteDatabase(journalOf(dataDir), { readonly: true });
  const count = database.prepare(`SELECT count(*) FROM ${table} WHERE seq <= ?`).pluck();
  const found = count.get(lastSeq);
  database.close();
  return found;
}
