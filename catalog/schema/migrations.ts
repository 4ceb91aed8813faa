/**
 * The migrations of catalog.db. `PRAGMA user_version` counts the migrations a file has; each runs
 * once, in order, in one transaction with its count. The numbered .sql files beside this one hold
 * their tables. A released migration never changes: a later change is a further migration.
 */
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { programToStart, StoreError } from '../../persistence/shared/index.ts';
import { indexEverything, indexSharpS } from '../search/index.ts';

/** The condition of markets that may be traded. An index has it too, so it names no table. */
export const TRADABLE =
  'active AND enable_order_book AND accepting_orders AND NOT closed AND NOT archived';

type Migration = (database: Database) => void;

function readSql(name: string): string {
  return readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8');
}

/** Runs a file of statements. */
function running(name: string): Migration {
  return (database) => {
    database.exec(readSql(name));
  };
}

/** The tables that searches look texts up in. */
export const SEARCH_TABLES = readSql('search');

const MIGRATIONS: readonly Migration[] = [
  running('1-records'),
  running('2-list-indexes'),
  running('3-ends-and-plans'),
  (database) => {
    database.exec(readSql('4-people-and-figures'));
    database.exec(SEARCH_TABLES);
    indexEverything(database);
  },
  running('5-synced-records'),
  running('6-comments-and-edits'),
  running('7-change-numbers'),
  indexSharpS,
  running('9-filters'),
  running('10-fees-of-sources'),
  running('11-ends-of-sources'),
  running('12-content-state'),
];

/** The version of a migrated file. */
export const CATALOG_VERSION = MIGRATIONS.length;

/**
 * Throws StoreError `catalog_newer` for a file of a newer program. `noted`: the newest program that
 * opened its folder, as the journal has it.
 */
export function refuseNewerCatalog(database: Database, noted: () => string | undefined): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version <= CATALOG_VERSION) return;
  throw new StoreError(
    'catalog_newer',
    `${database.name} has catalog version ${version} and this program knows ${CATALOG_VERSION}: ` +
      programToStart(noted()),
  );
}

/**
 * Runs the migrations that the file lacks. `upTo`: the version of an earlier program, for tests.
 */
export function migrateCatalog(database: Database, upTo = MIGRATIONS.length): void {
  const migrateAll = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }));
    for (const migrate of MIGRATIONS.slice(version, upTo)) migrate(database);
    database.pragma(`user_version = ${upTo}`);
  });
  // Immediate: two processes that open a new file at once must not both find it empty.
  migrateAll.immediate();
}
