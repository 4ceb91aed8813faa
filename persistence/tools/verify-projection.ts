/**
 * The read model beside the same one made anew: what the journal's replay brings about is
 * projected into a temporary file by the code that live commands go through, up to the cursor of
 * analytics.db, and then table by table and row by row compared. Invariant: analytics.db is only
 * read, in one transaction that begins when the new one has almost caught up, so that a running
 * exchange is not held up. Bound: the temporary file is as large as analytics.db; it goes with the
 * process.
 */
import { existsSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { Engine } from '../../engine/index.ts';
import type { ProjectionCursor } from '../projection/index.ts';
import { clearProjection, type ProjectedCommand, Projection } from '../projection/index.ts';
import { openReadonly, STORE_PACE } from '../shared/index.ts';
import type { Findings } from './findings.ts';
import { schemaDifference, tableDifferences } from './verify-tables.ts';

const FILE = 'analytics.db';
/** Without a name, SQLite keeps a file that nobody else sees and that is gone when it is closed. */
const NAMELESS = '';

export class ProjectionCheck {
  readonly #findings: Findings;
  readonly #actual: Database;
  readonly #expected: Database;
  readonly #projection: Projection;
  #pending: ProjectedCommand[] = [];

  /** undefined when there is nothing to compare, which is said. */
  static open(path: string, engine: Engine, findings: Findings): ProjectionCheck | undefined {
    if (!existsSync(path)) {
      findings.note(`${FILE} is not there: the next start makes it from the journal`);
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

  /** Whether there is a file of this program's version: another is made again by the next start. */
  isComparable(): boolean {
    const versionOf = (database: Database): unknown =>
      database.pragma('user_version', { simple: true });
    if (versionOf(this.#actual) !== versionOf(this.#expected)) {
      this.#findings.note(
        `${FILE} is of version ${versionOf(this.#actual)} and this program makes ` +
          `${versionOf(this.#expected)}: the next start makes it again from the journal`,
      );
      return false;
    }
    const definition = schemaDifference(this.#actual, this.#expected);
    if (definition !== undefined) {
      this.#findings.add('projection', 'schema', `in ${FILE} ${definition}`);
      return false;
    }
    dropIndexes(this.#expected);
    // The journal's index of ids is checked by itself: what it lacks is no fault of this file.
    this.#expected.exec('CREATE INDEX orders_by_id ON orders (order_id)');
    return true;
  }

  /** Where the file is now, or was when it was held. */
  cursor(): ProjectionCursor {
    const select = this.#actual.prepare<[], ProjectionCursor>('SELECT seq, checksum FROM progress');
    return select.get() ?? { seq: 0, checksum: 0 };
  }

  /** From now on the file is read as it is at this moment. */
  hold(): void {
    this.#actual.exec('BEGIN');
    this.cursor();
  }

  letGo(): void {
    if (this.#actual.inTransaction) this.#actual.exec('ROLLBACK');
  }

  take(applied: ProjectedCommand): void {
    this.#pending.push(applied);
    // Who is told of a resolution is read off the engine, and the next command may change it.
    if (applied.events.some(({ kind }) => kind === 'market_resolved')) this.flush();
  }

  flush(): void {
    this.#projection.take(this.#pending);
    this.#pending = [];
  }

  /** Both are at the same seq, and the file is held. */
  compare(checksum: number, onRows: (rows: number) => void): void {
    const cursor = this.cursor();
    if (cursor.seq > 0 && cursor.checksum !== checksum) {
      this.#findings.add(
        'projection',
        'progress',
        `${FILE} was made of another journal: command ${cursor.seq} has checksum ` +
          `${cursor.checksum} there and ${checksum} in this one`,
      );
      return;
    }
    for (const { table, what } of tableDifferences(this.#actual, this.#expected, onRows)) {
      this.#findings.add('projection', table, `${FILE} at seq ${cursor.seq}: ${what}`);
    }
  }
}

/** Reads want them, and keeping them takes most of the time; rows are compared by their keys. */
function dropIndexes(database: Database): void {
  const select = database.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  );
  for (const name of select.pluck().all()) database.exec(`DROP INDEX "${name}"`);
}
