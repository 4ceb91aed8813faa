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

/** The event of a row, which gets the next change number when the row changes (changes.sql). */
const TOLD: Readonly<Record<string, (row: 'old' | 'new') => string>> = {
  events: (row) => `${row}.id`,
  markets: (row) => `${row}.event_id`,
  market_tokens: (row) => `(SELECT event_id FROM markets WHERE id = ${row}.market_id)`,
  event_tags: (row) => `${row}.event_id`,
  event_series: (row) => `${row}.event_id`,
};

const TOLD_TRIGGERS = Object.entries(TOLD).flatMap(([table, eventOf]) =>
  (['insert', 'delete', 'update'] as const)
    // Tokens are inserted only in a transaction that also writes their market.
    .filter((change) => table !== 'market_tokens' || change !== 'insert')
    .map((change) => {
      const rows = { insert: ['new'], delete: ['old'], update: ['old', 'new'] } as const;
      return `CREATE TRIGGER ${table}_told_${change} AFTER ${change} ON ${table} BEGIN
  UPDATE catalog_changes SET last = last + 1, words = last + 1;
  UPDATE event_figures SET version = (SELECT last FROM catalog_changes)
    WHERE event_id IN (${rows[change].map(eventOf).join(', ')});
END;\n`;
    }),
);

export const CATALOG_FORMAT: DatabaseFormat = {
  tables: readSql('tables') + readSql('changes') + TOLD_TRIGGERS.join('') + SEARCH_TABLES,
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
