/**
 * The tables of catalog.db: their statements, the version of the file, and its migrations
 * (persistence/shared/format-version.ts).
 */
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import {
  type DatabaseFormat,
  migrate,
  newestVersion,
  programToStart,
  refuseNewer,
  versionOf,
} from '../../persistence/shared/index.ts';

function readSql(name: string): string {
  return readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8');
}

export const SEARCH_TABLES = readSql('search');

export const CATALOG_FORMAT: DatabaseFormat = {
  tables: readSql('tables') + readSql('changes') + SEARCH_TABLES,
  migrations: [],
};

/** The condition of markets that may be traded. An index has it too, so it names no table. */
export const TRADABLE =
  'active AND enable_order_book AND accepting_orders AND NOT closed AND NOT archived';

/**
 * Throws StoreError `catalog_newer` for a file of a newer program. `noted`: the newest program that
 * opened its folder, as the journal has it.
 */
export function refuseNewerCatalog(database: Database, noted: () => string | undefined): void {
  refuseNewer({
    code: 'catalog_newer',
    what: `${database.name} has catalog version`,
    found: versionOf(database),
    known: newestVersion(CATALOG_FORMAT),
    advice: () => programToStart(noted()),
  });
}

/** Creates the tables of a new file, or runs the migrations that an older one lacks. */
export function migrateCatalog(database: Database): void {
  // Immediate: two processes that open a new file at once must not both find it empty.
  database.transaction(() => migrate(database, CATALOG_FORMAT)).immediate();
}
