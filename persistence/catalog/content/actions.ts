// What the operator did to the catalog: listed with who asked for it and why, for good, in the
// transaction that did it. Such acts are no commands of the engine: the journal has none of them.

import type { Database, Statement } from 'better-sqlite3';
import type { WhoAndWhy } from '../model/index.ts';

export interface CatalogAct {
  readonly kind: string;
  /** What it was done to, and how. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly nowIso: string;
  readonly said: WhoAndWhy;
}

export class CatalogActions {
  readonly #put: Statement<[Readonly<Record<string, string>>]>;

  constructor(database: Database) {
    this.#put = database.prepare(
      `INSERT INTO catalog_actions (time, kind, by, reason, details)
       VALUES (@nowIso, @kind, @by, @reason, @details)`,
    );
  }

  put({ kind, details, nowIso, said: { by, reason } }: CatalogAct): void {
    this.#put.run({ kind, by, reason, nowIso, details: JSON.stringify(details) });
  }
}
