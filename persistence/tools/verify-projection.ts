/**
 * Compares analytics.db with a new projection: the replayed commands are projected into a temporary
 * file, by the same code as live commands, up to the cursor of analytics.db, and then all tables
 * are compared row by row. Invariant: analytics.db is only read, in one transaction that begins
 * when the replay has almost caught up, so that it does not block a running exchange for long.
 * Bound: the temporary file is as large as analytics.db and is removed when it is closed.
 */
import { existsSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { Engine } from '../../engine/index.ts';
import { type ProjectedCommand, Projection } from '../projection/projection.ts';
import { clearProjection } from '../projection/schema.ts';
import type { ProjectionCursor } from '../projection/statements.ts';
import { openReadonly, STORE_PACE } from '../shared/index.ts';
import type { Findings } from './findings.ts';
import { schemaDifference, tableDifferences } from './verify-tables.ts';

const FILE = 'analytics.db';
/** SQLite removes a database without a name when it is closed. */
const NAMELESS = '';

export class ProjectionCheck {
  readonly #findings: Findings;
  readonly #actual: Database;
  readonly #expected: Database;
  readonly #projection: Projection;
  #pending: ProjectedCommand[] = [];

  /** Returns undefined, with a note or finding, if there is nothing to compare. */
  static open(path: string, engine: Engine, findings: Findings): ProjectionCheck | undefined {
    if (!existsSync(path)) {
      findings.note(`${FILE} is missing: the next start makes it from the journal`);
      return undefined;
    }
    return findings.attempt('projection', FILE, () => new ProjectionCheck(path, engine, findings));
  }

  constructor(path: string, engine: Engine, findings: Findings) {
    this.#findings = findings;
    this.#actual = openReadonly(path);
    this.#expected = new SqliteDatabase(NAMELESS);
    this.#expected.pragma('journal_mode = OFF');
    this.#expected.pragma('synchronous = OFF');
    this.#expected.pragma(`cache_size = -${STORE_PACE.projectionCacheKib}`);
    clearProjection(this.#expected);
    this.#projection = new Projection(this.#expected, (conditionId) => engine.holders(conditionId));
  }

  close(): void {
    this.#actual.close();
    this.#expected.close();
  }

  /**
   * Whether the file has this program's version. The next start rebuilds one of another version.
   */
  isComparable(): boolean {
    const versionOf = (database: Database): unknown =>
      database.pragma('user_version', { simple: true });
    if (versionOf(this.#actual) !== versionOf(this.#expected)) {
      this.#findings.note(
        `${FILE} has version ${versionOf(this.#actual)} and this program makes ` +
          `${versionOf(this.#expected)}: the next start rebuilds it from the journal`,
      );
      return false;
    }
    const definition = schemaDifference(this.#actual, this.#expected);
    if (definition !== undefined) {
      this.#findings.add('projection', 'schema', `in ${FILE} ${definition}`);
      return false;
    }
    dropIndexes(this.#expected);
    // Finds orders without the journal's index, whose faults are not faults of this file.
    this.#expected.exec('CREATE INDEX orders_by_id ON orders (order_id)');
    return true;
  }

  /** The file's cursor: now, or after `hold` as of that call. */
  cursor(): ProjectionCursor {
    const select = this.#actual.prepare<[], ProjectionCursor>('SELECT seq, checksum FROM progress');
    return select.get() ?? { seq: 0, checksum: 0 };
  }

  /** Begins the read transaction. */
  hold(): void {
    this.#actual.exec('BEGIN');
    this.cursor();
  }

  release(): void {
    if (this.#actual.inTransaction) this.#actual.exec('ROLLBACK');
  }

  take(applied: ProjectedCommand): void {
    this.#pending.push(applied);
    // The projection reads the holders of a resolved market from the engine, before its next
    // command.
    if (applied.events.some(({ kind }) => kind === 'market_resolved')) this.flush();
  }

  flush(): void {
    this.#projection.take(this.#pending);
    this.#pending = [];
  }

  /** Call it after `hold`, when both databases are at the same seq. */
  compare(checksum: number, onRows: (rows: number) => void): void {
    const cursor = this.cursor();
    if (cursor.seq > 0 && cursor.checksum !== checksum) {
      this.#findings.add(
        'projection',
        'progress',
        `${FILE} was made from another journal: command ${cursor.seq} has checksum ` +
          `${cursor.checksum} there and ${checksum} in this one`,
      );
      return;
    }
    for (const { table, what } of tableDifferences(this.#actual, this.#expected, onRows)) {
      this.#findings.add('projection', table, `${FILE} at seq ${cursor.seq}: ${what}`);
    }
  }
}

/** Drops the indexes, which only reads need: updating them would take most of the time. */
function dropIndexes(database: Database): void {
  const select = database.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  );
  for (const name of select.pluck().all()) database.exec(`DROP INDEX "${name}"`);
}
