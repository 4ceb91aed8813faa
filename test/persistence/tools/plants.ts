/** Ways to spoil a data folder. */
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { commandChecksum } from '../../../persistence/journal/schema.ts';

/** Spoils a folder, whose path it gets. */
export type Plant = (folder: string) => void;

function inDatabase(name: string, sql: string): Plant {
  return (folder) => {
    const database = new SqliteDatabase(join(folder, name));
    const { changes } = database.prepare(sql).run();
    database.close();
    if (changes === 0) throw new Error(`nothing was changed by ${sql}`);
  };
}
/** Runs SQL that may change no row. */
export function planting(sql: string): Plant {
  return (folder) => {
    const database = new SqliteDatabase(join(folder, 'journal.db'));
    database.exec(sql);
    database.close();
  };
}
export function inJournal(sql: string): Plant {
  return inDatabase('journal.db', sql);
}
export function inAnalytics(sql: string): Plant {
  return inDatabase('analytics.db', sql);
}
export function inCatalog(sql: string): Plant {
  return inDatabase('catalog.db', sql);
}

export function flipByte(name: string, place: (length: number) => number): Plant {
  return (folder) => {
    const bytes = readFileSync(join(folder, name));
    const at = place(bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
    writeFileSync(join(folder, name), bytes);
  };
}

const COMMAND =
  'SELECT time_ms AS timeMs, kind, payload, ends_batch AS ends, digest ' +
  'FROM commands WHERE seq = ?';

/** Replaces a text in a command and updates its checksum. */
export function forgeCommand(seq: number, from: string, to: string): Plant {
  return (folder) => {
    const database = new SqliteDatabase(join(folder, 'journal.db'));
    type Row = { timeMs: number; kind: string; payload: string; ends: number; digest: number };
    const select = database.prepare<[number], Row>(COMMAND);
    const row = select.get(seq);
    const forged = row?.payload.replace(from, to);
    if (row === undefined || forged === undefined || forged === row.payload) {
      throw new Error(`command ${seq} has no ${from}`);
    }
    const checksum = commandChecksum({ ...row, seq, payload: forged, endsBatch: row.ends === 1 });
    database
      .prepare('UPDATE commands SET payload = ?, checksum = ? WHERE seq = ?')
      .run(forged, checksum, seq);
    database.close();
  };
}

/** Changes a packed order and updates its checksum. */
export function forgeOrder(seq: number, change: (packed: Buffer) => Buffer): Plant {
  return (folder) => {
    const database = new SqliteDatabase(join(folder, 'journal.db'));
    type Row = { timeMs: number; kind: string; payload: Buffer; ends: number; digest: number };
    const select = database.prepare<[number], Row>(COMMAND);
    const row = select.get(seq);
    assert.ok(row !== undefined, `command ${seq} is there`);
    const payload = change(row.payload);
    const checksum = commandChecksum({ ...row, seq, payload, endsBatch: row.ends === 1 });
    const update = 'UPDATE commands SET payload = ?, checksum = ? WHERE seq = ?';
    database.prepare(update).run(payload, checksum, seq);
    database.close();
  };
}
