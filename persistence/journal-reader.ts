/**
 * Reads the journal in order of seq over a read-only connection, in bounded steps. Each step is a
 * transaction of its own, so that a long replay never keeps the write-ahead log from being folded
 * in. Invariant: what it returns is what was written: every checksum and the run of the seqs are
 * checked.
 */
import { strict as assert } from 'node:assert';
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type { Command } from '../engine/index.ts';
import type { FillRow } from './journal-batch.ts';
import { commandChecksum } from './journal-schema.ts';
import { STORE_BOUNDS, STORE_PACE } from './store-bounds.ts';
import { StoreError } from './store-error.ts';

export interface StoredCommand {
  readonly seq: number;
  readonly timeMs: number;
  readonly command: Command;
  /** What was submitted with it; undefined for nothing. */
  readonly evidence: unknown;
  readonly checksum: number;
}

interface CommandRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: string;
  readonly payload: string;
  readonly checksum: number;
}

export class JournalReader {
  readonly #database: Database;
  readonly #selectCommands: Statement<[number, number], CommandRow>;
  readonly #selectFills: Statement<[number, number], FillRow>;
  readonly #selectStepFill: Statement<[number, number], number>;
  readonly #selectChecksum: Statement<[number], number>;

  constructor(path: string) {
    this.#database = new SqliteDatabase(path, { readonly: true, timeout: STORE_PACE.busyMs });
    this.#selectCommands = this.#database.prepare(
      'SELECT seq, time_ms AS timeMs, kind, payload, checksum FROM commands ' +
        'WHERE seq > ? AND seq <= ? ORDER BY seq',
    );
    this.#selectFills = this.#database
      .prepare<[number, number], FillRow>(
        'SELECT * FROM fills WHERE seq > ? AND seq <= ? ORDER BY seq, ordinal',
      )
      .raw();
    this.#selectStepFill = this.#database
      .prepare<[number, number], number>(
        'SELECT seq FROM fills WHERE seq > ? ORDER BY seq, ordinal LIMIT 1 OFFSET ?',
      )
      .pluck();
    this.#selectChecksum = this.#database
      .prepare<[number], number>('SELECT checksum FROM commands WHERE seq = ?')
      .pluck();
  }

  /** Where a step of a replay after `fromSeq` ends: bounded in commands and in their fills. */
  stepEnd(fromSeq: number, lastSeq: number): number {
    const { replayCommands, batchFills } = STORE_BOUNDS;
    const byFills = this.#selectStepFill.get(fromSeq, batchFills) ?? lastSeq;
    return Math.min(fromSeq + replayCommands, lastSeq, byFills);
  }

  /** The commands after `fromSeq` up to `toSeq`, all of them. Throws `journal_damaged`. */
  commands(fromSeq: number, toSeq: number): StoredCommand[] {
    const rows = this.#selectCommands.all(fromSeq, toSeq);
    const stored = rows.map((row, index) => checkedCommand(row, fromSeq + 1 + index));
    if (stored.length === toSeq - fromSeq) return stored;
    throw damaged(fromSeq + stored.length + 1, 'is missing');
  }

  /** The fills of the same commands, in order. */
  fills(fromSeq: number, toSeq: number): FillRow[] {
    return this.#selectFills.all(fromSeq, toSeq);
  }

  /** undefined when there is no such command. */
  checksumAt(seq: number): number | undefined {
    return this.#selectChecksum.get(seq);
  }

  close(): void {
    this.#database.close();
  }
}

function checkedCommand(row: CommandRow, seq: number): StoredCommand {
  if (row.seq !== seq) throw damaged(seq, 'is missing');
  if (commandChecksum(row.seq, row.timeMs, row.kind, row.payload) !== row.checksum) {
    throw damaged(seq, 'does not match its checksum');
  }
  // The checksum says that this text is what the sequencer made of a Command.
  const { command, evidence } = JSON.parse(row.payload) as { command: Command; evidence?: unknown };
  assert(command.kind === row.kind, 'a command is journaled under its own kind');
  return { seq, timeMs: row.timeMs, command, evidence, checksum: row.checksum };
}

function damaged(seq: number, what: string): StoreError {
  return new StoreError(
    'journal_damaged',
    `the journal's command ${seq} ${what}: the file was changed or damaged after it was written. ` +
      'Restore the newest backup',
  );
}
