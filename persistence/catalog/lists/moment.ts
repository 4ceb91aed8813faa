// Of which moment a reader's answer is: how it tells that what it keeps is out of date. Invariant:
// between two questions of the same number nothing was written; between two of the same number of
// words nothing but figures (volume, liquidity, counts of comments) and what is in no list of
// markets or events. The connection only reads; `begin` comes first in its transaction.

import type { Database, Statement } from 'better-sqlite3';

export class CatalogMoment {
  readonly #dataVersion: Statement<[], number>;
  readonly #wordsVersion: Statement<[], number>;
  readonly #eventVersion: Statement<[eventId: number], number>;
  #written = Number.NaN;
  #words = Number.NaN;

  constructor(database: Database) {
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#wordsVersion = database
      .prepare<[], number>('SELECT words FROM catalog_changes WHERE id = 1')
      .pluck();
    this.#eventVersion = database
      .prepare<[number], number>('SELECT version FROM event_figures WHERE event_id = ?')
      .pluck();
  }

  /** A question begins: from now on all is of its moment. */
  begin(): void {
    const written = this.#dataVersion.get() ?? Number.NaN;
    if (written === this.#written) return;
    this.#written = written;
    this.#words = this.#wordsVersion.get() ?? Number.NaN;
  }

  /** Another number after every commit of another connection. */
  get written(): number {
    return this.#written;
  }

  /** Another number after every commit that changed more than figures. */
  get words(): number {
    return this.#words;
  }

  /** Of the last change of what an event, its markets and its labels are told with. */
  versionOf(eventId: number): number | undefined {
    return this.#eventVersion.get(eventId);
  }
}
