/**
 * The work of the projector's thread: its own engine replays the durable journal, and its
 * events after the tables' cursor are projected into analytics.db. The replay begins from the
 * newest snapshot that is not beyond the cursor, or from the journal's first command. Invariant:
 * nothing is reported as projected before it is known that the tables belong to this journal.
 * Bound: one step of the journal at a time.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { Engine } from '../../engine/index.ts';
import { type JournaledOrderKeys, openOrderKeys } from '../journal/order-ids.ts';
import type { StoredCommand } from '../journal/part.ts';
import { JournalReader } from '../journal/reader.ts';
import { applyStored } from '../recovery/recovery.ts';
import { STORE_PACE, StoreError } from '../shared/index.ts';
import { restoreNewestNow } from '../snapshots/restore.ts';
import { holdingsFault } from './holdings-check.ts';
import { type ProjectedCommand, Projection } from './projection.ts';
import { clearProjection, disownProjection, prepareProjection } from './schema.ts';
import type { ProjectionCursor } from './statements.ts';

export interface ProjectorThreadData {
  readonly journalPath: string;
  readonly projectionPath: string;
  readonly snapshots: string;
  readonly temporary: boolean;
}

const NOTHING: ProjectionCursor = { seq: 0, checksum: 0 };

export class ProjectorWork {
  readonly #data: ProjectorThreadData;
  readonly #journal: JournalReader;
  readonly #orderKeys: JournaledOrderKeys;
  readonly #database: Database;
  #cursor: ProjectionCursor;
  /** Whether the tables are known to belong to this journal. */
  #isChecked: boolean;
  /** Loaded by the first step, because that takes time. */
  #engine: Engine | undefined;
  /** Made when the engine reaches the cursor. */
  #projection: Projection | undefined;
  /** The last command that the engine has replayed. */
  #replayedSeq = 0;

  /** Takes no longer for a longer journal. Throws StoreError `projection_ahead`. */
  constructor(data: ProjectorThreadData) {
    this.#data = data;
    this.#journal = new JournalReader(data.journalPath);
    this.#orderKeys = openOrderKeys(data.journalPath);
    this.#database = this.#namingDamage(() => openDatabase(data));
    this.#cursor = this.#namingDamage(() => {
      prepareProjection(this.#database);
      return cursorOf(this.#database);
    });
    if (this.#cursor.seq > this.#journal.lastSeq) {
      throw aheadError(this.#cursor.seq, data.projectionPath);
    }
    // A cursor in an archive is checked later: a missing archive is no reason to refuse a start.
    this.#isChecked = this.#cursor.seq >= this.#journal.archivedSeq;
    if (this.#isChecked) this.#check();
  }

  /** The last change in the tables; 0 until they are checked. */
  get projectedSeq(): number {
    return this.#isChecked ? this.#cursor.seq : 0;
  }

  /** Projects one step of the journal; returns whether there is more until `durableSeq`. */
  step(durableSeq: number): boolean {
    if (this.#replayedSeq >= durableSeq) return false;
    this.#engine ??= this.#begin();
    const engine = this.#engine;
    const fromSeq = this.#replayedSeq;
    if (fromSeq < this.#cursor.seq) {
      const commands = this.#read(engine, fromSeq, Math.min(durableSeq, this.#cursor.seq));
      for (const stored of commands) applyStored(engine, stored);
    }
    // Also on a quiet exchange, because it compares the tables with the engine.
    if (this.#replayedSeq === this.#cursor.seq) this.#projection ??= this.#openProjection(engine);
    if (this.#projection !== undefined && this.#replayedSeq < durableSeq) {
      const { seq } = this.#cursor;
      this.#project(engine, this.#projection, this.#read(engine, seq, durableSeq));
    }
    return this.#replayedSeq < durableSeq;
  }

  close(): void {
    this.#journal.close();
    this.#orderKeys.close();
    this.#database.close();
  }

  /** Reads the commands of the next step, which share their rules, and sets the engine's rules. */
  #read(engine: Engine, fromSeq: number, lastSeq: number): readonly StoredCommand[] {
    const toSeq = this.#journal.stepEnd(fromSeq, lastSeq);
    engine.rules = this.#journal.rulesAt(fromSeq + 1);
    this.#replayedSeq = toSeq;
    return this.#journal.commands(fromSeq, toSeq);
  }

  #begin(): Engine {
    if (!this.#isChecked) this.#check();
    this.#isChecked = true;
    if (this.#cursor.seq === 0) return new Engine();
    const restored = restoreNewestNow({
      folder: this.#data.snapshots,
      journal: this.#journal,
      // The exchange's start has already checked whether the journal lost its end.
      lastSeq: Number.MAX_SAFE_INTEGER,
      mostSeq: this.#cursor.seq,
    });
    this.#replayedSeq = restored?.head.seq ?? 0;
    return restored?.engine ?? new Engine();
  }

  /** Empties tables that belong to another journal. */
  #check(): void {
    const { seq, checksum } = this.#cursor;
    if (seq === 0 || this.#journal.checksumAt(seq) === checksum) return;
    this.#namingDamage(() => clearProjection(this.#database));
    this.#cursor = NOTHING;
  }

  /**
   * `engine` is at the cursor. Throws StoreError `projection_damaged` if the tables show other
   * holdings than it has; the next start of the thread makes them again.
   */
  #openProjection(engine: Engine): Projection {
    const fault = this.#namingDamage(() => holdingsFault(this.#database, engine));
    if (fault !== '') {
      disownProjection(this.#database);
      throw new StoreError(
        'projection_damaged',
        `${this.#data.projectionPath} is damaged and is made again from the journal: ${fault}`,
      );
    }
    const { markets } = engine.summary();
    const holdersOf = (conditionId: string) => engine.holders(conditionId);
    // The engine remembers live and recently closed orders; the journal's index knows the others.
    const { keyOf } = this.#orderKeys;
    const orderKeyOf = (orderId: string) => engine.acceptedSeq(orderId) ?? keyOf(orderId);
    return new Projection(this.#database, holdersOf, markets, orderKeyOf);
  }

  #project(engine: Engine, projection: Projection, commands: readonly StoredCommand[]): void {
    let applied: ProjectedCommand[] = [];
    for (const stored of commands) {
      const durable = applyStored(engine, stored);
      const { seq, timeMs, command, events } = durable;
      const { checksum } = stored;
      // The evidence of orders, most of the journal's bytes, is not projected.
      const evidence = command.kind === 'place_order' ? undefined : stored.evidence;
      applied.push({ seq, timeMs, command, events, checksum, evidence });
      // The holders at a resolution are read from the engine; the next command may change them.
      if (!durable.events.some(({ kind }) => kind === 'market_resolved')) continue;
      projection.take(applied);
      applied = [];
    }
    projection.take(applied);
    this.#cursor = projection.cursor;
  }

  /** Only for calls that use no other file: a damaged journal must not be reported as this file. */
  #namingDamage<Result>(use: () => Result): Result {
    try {
      return use();
    } catch (error) {
      const isBroken = error instanceof SqliteDatabase.SqliteError && BROKEN_FILE.test(error.code);
      if (!isBroken) throw error;
      throw new StoreError(
        'projection_damaged',
        `${this.#data.projectionPath} can't be used (${error.message}): ` +
          'the next start makes it again from the journal',
      );
    }
  }
}

const BROKEN_FILE = /^SQLITE_(CORRUPT|NOTADB)/;

function openDatabase(data: ProjectorThreadData): Database {
  const database = new SqliteDatabase(data.projectionPath, { timeout: STORE_PACE.busyMs });
  database.pragma('journal_mode = WAL');
  // NORMAL syncs only at checkpoints: a power loss may cost the last commits, never the file.
  database.pragma(`synchronous = ${data.temporary ? 'OFF' : 'NORMAL'}`);
  database.pragma(`wal_autocheckpoint = ${STORE_PACE.projectionCheckpointPages}`);
  database.pragma(`cache_size = -${STORE_PACE.projectionCacheKib}`);
  return database;
}

function cursorOf(database: Database): ProjectionCursor {
  const select = database.prepare<[], ProjectionCursor>('SELECT seq, checksum FROM progress');
  return select.get() ?? NOTHING;
}

function aheadError(seq: number, path: string): StoreError {
  return new StoreError(
    'projection_ahead',
    `${path} was made from a journal that went to seq ${seq}, and this journal ends before that: ` +
      'acknowledged commands are missing. Restore journal.db and journal.db-wal, or the newest ' +
      `backup; if the journal is right, remove ${path}* and the next start makes it again`,
  );
}
