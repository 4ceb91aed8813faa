/**
 * The tables of catalog.db and their migrations.
 */
export { CATALOG_VERSION, migrateCatalog, TRADABLE } from './migrations.ts';
export { SEARCH_TABLES } from './people.ts';
