/**
 * The projector's thread: an engine of its own replays the durable journal and what comes out is
 * projected into analytics.db. At a start it replays from the journal's first command and writes
 * only what lies after its cursor. Bound: one step of the journal at a time; between two steps it
 * hears its messages.
 */
import './node-version.ts';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { Engine } from '../engine/index.ts';
import { JournalReader, type StoredCommand } from './journal-reader.ts';
import { type HoldersOf, type ProjectedCommand, Projection } from './projection.ts';
import { clearProjection, prepareProjection } from './projection-schema.ts';
import { applyStored } from './recovery.ts';
import { STORE_PACE } from './store-bounds.ts';
import { StoreError } from './store-error.ts';
import { runThread, type ThreadWork } from './thread-entry.ts';

export interface ProjectorThreadData {
  readonly journalPath: string;
  readonly projectionPath: string;
  readonly temporary: boolean;
}

export interface ProjectorOpened {
  /** What the tables already hold. */
  readonly projectedSeq: number;
}

/** A seq that is durable now. */
export type ProjectorOrder = number;

export interface ProjectorMessage {
  readonly kind: 'projected';
  readonly seq: number;
}

class ProjectorWork implements ThreadWork<ProjectorOpened, ProjectorOrder> {
  readonly opened: ProjectorOpened;
  readonly #journal: JournalReader;
  readonly #database: Database;
  readonly #projection: Projection;
  readonly #engine = new Engine();
  readonly #post: (message: ProjectorMessage) => void;
  /** The last command that the engine has replayed. */
  #replayedSeq = 0;
  #durableSeq = 0;
  #isStepping = false;
  #isClosed = false;

  constructor(data: ProjectorThreadData, post: (message: ProjectorMessage) => void) {
    this.#post = post;
    this.#journal = new JournalReader(data.journalPath);
    this.#database = namingDamage(data.projectionPath, () => openDatabase(data));
    this.#projection = openProjection(this.#database, this.#journal, {
      path: data.projectionPath,
      holdersOf: (conditionId) => this.#engine.holders(conditionId),
    });
    this.opened = { projectedSeq: this.#projection.cursor.seq };
  }

  receive(durableSeq: ProjectorOrder): void {
    this.#durableSeq = Math.max(this.#durableSeq, durableSeq);
    if (this.#isStepping) return;
    this.#isStepping = true;
    this.#step();
  }

  close(): void {
    this.#isClosed = true;
    this.#journal.close();
    this.#database.close();
  }

  #step(): void {
    if (this.#isClosed) return;
    this.#isStepping = this.#replayedSeq < this.#durableSeq;
    if (!this.#isStepping) return;
    const toSeq = this.#journal.stepEnd(this.#replayedSeq, this.#durableSeq);
    this.#project(this.#journal.commands(this.#replayedSeq, toSeq));
    this.#replayedSeq = toSeq;
    this.#post({ kind: 'projected', seq: this.#projection.cursor.seq });
    setImmediate(() => this.#step());
  }

  #project(commands: readonly StoredCommand[]): void {
    let applied: ProjectedCommand[] = [];
    for (const stored of commands) {
      const durable = applyStored(this.#engine, stored);
      applied.push({ ...durable, checksum: stored.checksum, evidence: stored.evidence });
      // Who is told of a resolution is read off the engine, and the next command may change it.
      if (!durable.events.some(({ kind }) => kind === 'market_resolved')) continue;
      this.#projection.take(applied);
      applied = [];
    }
    this.#projection.take(applied);
  }
}

function openDatabase(data: ProjectorThreadData): Database {
  const database = new SqliteDatabase(data.projectionPath, { timeout: STORE_PACE.busyMs });
  database.pragma('journal_mode = WAL');
  // NORMAL syncs only when the log is folded in: a power loss may cost the tail, never the file.
  database.pragma(`synchronous = ${data.temporary ? 'OFF' : 'NORMAL'}`);
  database.pragma(`wal_autocheckpoint = ${STORE_PACE.checkpointPages}`);
  database.pragma(`cache_size = -${STORE_PACE.projectionCacheKib}`);
  return database;
}

/** Empties what is the projection of another journal; refuses what this journal fell behind. */
function openProjection(
  database: Database,
  journal: JournalReader,
  { path, holdersOf }: { readonly path: string; readonly holdersOf: HoldersOf },
): Projection {
  const projection = namingDamage(path, () => {
    prepareProjection(database);
    return new Projection(database, holdersOf);
  });
  const { seq, checksum } = projection.cursor;
  if (seq === 0) return projection;
  const stored = journal.checksumAt(seq);
  if (stored === undefined) throw aheadError(seq, path);
  if (stored === checksum) return projection;
  return namingDamage(path, () => {
    clearProjection(database);
    return new Projection(database, holdersOf);
  });
}

function aheadError(seq: number, path: string): StoreError {
  return new StoreError(
    'projection_ahead',
    `${path} was made from a journal that went to seq ${seq}, and this journal ends before that: ` +
      'acknowledged commands are missing. Put back journal.db and journal.db-wal as they were, ' +
      `or the newest backup; if the journal is right, remove ${path}* to have it made again`,
  );
}

/** Only for what touches this file alone: a damaged journal must not be taken for it. */
function namingDamage<Result>(path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    const isBroken = error instanceof SqliteDatabase.SqliteError && BROKEN_FILE.test(error.code);
    if (!isBroken) throw error;
    throw new StoreError(
      'projection_damaged',
      `${path} can't be used (${error.message}): ` +
        'it is made again from the journal at the next start',
    );
  }
}

const BROKEN_FILE = /^SQLITE_(CORRUPT|NOTADB)/;

runThread(
  (data: ProjectorThreadData, post: (message: ProjectorMessage) => void) =>
    new ProjectorWork(data, post),
);
