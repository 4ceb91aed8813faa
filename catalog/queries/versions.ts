/**
 * Versions of stored data, by which the caches of a reader know what is out of date.
 *
 * Invariant: between two queries that see the same data version nothing was written. With the same
 * content version, only figures (volume, liquidity, counts of comments) and records that are in no
 * list of events or markets were written. With the same version of an event, its JSON is the same.
 * The connection only reads, and `begin` is the first call in each read transaction.
 */
import type { Database, Statement } from 'better-sqlite3';

export class CatalogVersions {
  readonly #selectData: Statement<[], number>;
  readonly #selectContent: Statement<[], number>;
  readonly #selectEvent: Statement<[eventId: number], number>;
  #data = Number.NaN;
  #content = Number.NaN;
  /** Versions of events that were asked for since the data version changed. */
  readonly #events = new Map<number, number | undefined>();

  constructor(database: Database) {
    this.#selectData = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#selectContent = database
      .prepare<[], number>('SELECT words FROM catalog_changes WHERE id = 1')
      .pluck();
    this.#selectEvent = database
      .prepare<[number], number>('SELECT version FROM event_figures WHERE event_id = ?')
      .pluck();
  }

  /** Call it first in each read transaction. */
  begin(): void {
    const data = this.#selectData.get() ?? Number.NaN;
    if (data === this.#data) return;
    this.#data = data;
    this.#content = this.#selectContent.get() ?? Number.NaN;
    this.#events.clear();
  }

  /** Changes with every commit of another connection. */
  get data(): number {
    return this.#data;
  }

  /** Changes with every commit that changes more than figures in what lists show. */
  get content(): number {
    return this.#content;
  }

  /** Changes with the JSON of the event, its markets, tags and series. */
  ofEvent(eventId: number): number | undefined {
    if (this.#events.has(eventId)) return this.#events.get(eventId);
    const version = this.#selectEvent.get(eventId);
    this.#events.set(eventId, version);
    return version;
  }
}
