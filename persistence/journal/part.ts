/**
 * Reads the commands and fills of one database: journal.db or an archive, which have the same
 * tables. Invariant: every checksum is checked, and a missing seq is an error.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { Command, Engine, EngineNames, Input } from '../../engine/index.ts';
import { type Payload, PayloadReader } from '../rows/payload.ts';
import type { StoreError } from '../shared/index.ts';
import { FILL_COLUMNS, type FillValues } from './fills.ts';
import { type CommandRow, commandChecksum } from './schema.ts';

/** A command as the journal has it. What it contains is decoded on demand. */
export class StoredCommand {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: Command['kind'];
  readonly checksum: number;
  /** Whether it is the last command of its batch. */
  readonly endsBatch: boolean;
  /** That of the engine after it; null within a batch, or if it is unknown. */
  readonly digest: number | null;
  readonly #row: CommandRow;

  constructor(row: CommandRow, checksum: number) {
    this.seq = row.seq;
    this.timeMs = row.timeMs;
    this.kind = row.kind as Command['kind']; // safe: the checksum is that of a journaled command
    this.checksum = checksum;
    this.endsBatch = row.endsBatch;
    this.digest = row.digest;
    this.#row = row;
  }

  /**
   * What the engine takes, whose state is the one before the command. It is valid until this is
   * called for another command.
   */
  input(engine: Pick<Engine, 'inputOf'>): Input {
    return reader.input(this.kind, this.#row.payload, engine);
  }

  /** `names`: those of an engine that has applied the command, or of the projection's tables. */
  command(names: EngineNames): Command {
    return reader.command(this.kind, this.#row.payload, names);
  }

  apiKey(): string {
    return reader.apiKey(this.kind, this.#row.payload);
  }

  /** The command with its evidence, in the form in which they are stored. */
  get payload(): Payload {
    return this.#row.payload;
  }

  /** What was submitted with the command; undefined if nothing was. */
  get evidence(): unknown {
    return reader.evidence(this.kind, this.#row.payload);
  }
}

const reader = new PayloadReader();

interface StoredRow extends Omit<CommandRow, 'payload' | 'endsBatch'> {
  /** A payload of JSON, or the length of a packed one. */
  readonly payload: string | number;
  readonly checksum: number;
  readonly endsBatch: number;
}

/** Makes the error for a damaged command; `what` continues the sentence after its seq. */
type DamageOf = (seq: number, what: string) => StoreError;

export class JournalPart {
  readonly #damageOf: DamageOf;
  readonly #selectCommands: Statement<[number, number], StoredRow>;
  readonly #selectPacked: Statement<[number, number], Buffer>;
  readonly #selectFills: Statement<[number, number], FillValues>;
  readonly #selectStepFill: Statement<[number, number, number], number>;
  readonly #selectChecksum: Statement<[number], number>;
  readonly #selectDigest: Statement<[number], number | null>;

  constructor(database: Database, damageOf: DamageOf) {
    this.#damageOf = damageOf;
    this.#selectCommands = database.prepare(
      "SELECT seq, time_ms AS timeMs, kind, iif(typeof(payload) = 'text', payload, " +
        'length(payload)) AS payload, checksum, ends_batch AS endsBatch, digest FROM commands ' +
        'WHERE seq > ? AND seq <= ? ORDER BY seq',
    );
    this.#selectPacked = database
      .prepare<[number, number], Buffer>(
        "SELECT CAST(group_concat(payload, '') AS BLOB) FROM (SELECT payload FROM commands " +
          "WHERE seq > ? AND seq <= ? AND typeof(payload) = 'blob' ORDER BY seq)",
      )
      .pluck();
    this.#selectFills = database
      .prepare<[number, number], FillValues>(
        `SELECT ${FILL_COLUMNS} FROM fills WHERE seq > ? AND seq <= ? ORDER BY seq, ordinal`,
      )
      .raw();
    this.#selectStepFill = database
      .prepare<[number, number, number], number>(
        'SELECT seq FROM fills WHERE seq > ? AND seq <= ? ORDER BY seq, ordinal LIMIT 1 OFFSET ?',
      )
      .pluck();
    this.#selectChecksum = database
      .prepare<[number], number>('SELECT checksum FROM commands WHERE seq = ?')
      .pluck();
    this.#selectDigest = database
      .prepare<[number], number | null>('SELECT digest FROM commands WHERE seq = ?')
      .pluck();
  }

  /**
   * Skips `count` fills of the commands after `fromSeq` up to `toSeq`; the seq of the next one, if
   * there is one.
   */
  fillAfter(fromSeq: number, toSeq: number, count: number): number | undefined {
    return this.#selectStepFill.get(fromSeq, toSeq, count);
  }

  /** All commands after `fromSeq` up to `toSeq`. Throws if one is missing or damaged. */
  commands(fromSeq: number, toSeq: number): StoredCommand[] {
    const rows = this.#selectCommands.all(fromSeq, toSeq);
    const isPacked = rows.some(({ payload }) => typeof payload === 'number');
    // In one piece, because SQLite's driver takes longer to make a buffer than to read a row.
    const packed = isPacked ? this.#selectPacked.get(fromSeq, toSeq) : undefined;
    let at = 0;
    const stored = rows.map((row, index) => {
      const from = at;
      if (typeof row.payload === 'number') at += row.payload;
      const payload = typeof row.payload === 'string' ? row.payload : packed!.subarray(from, at);
      return this.#checked(row, payload, fromSeq + 1 + index);
    });
    if (stored.length === toSeq - fromSeq) return stored;
    throw this.#damageOf(fromSeq + stored.length + 1, 'is missing');
  }

  fills(fromSeq: number, toSeq: number): FillValues[] {
    return this.#selectFills.all(fromSeq, toSeq);
  }

  /** undefined if there is no such command. */
  checksumAt(seq: number): number | undefined {
    return this.#selectChecksum.get(seq);
  }

  /** null if there is no such command, or it has none. */
  digestAt(seq: number): number | null {
    return this.#selectDigest.get(seq) ?? null;
  }

  #checked(stored: StoredRow, payload: Payload, seq: number): StoredCommand {
    if (stored.seq !== seq) throw this.#damageOf(seq, 'is missing');
    const { timeMs, kind, checksum, digest } = stored;
    const row = { seq, timeMs, kind, payload, endsBatch: stored.endsBatch !== 0, digest };
    if (commandChecksum(row) !== checksum) {
      throw this.#damageOf(seq, 'does not match its checksum');
    }
    return new StoredCommand(row, checksum);
  }
}
