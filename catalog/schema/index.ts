/** The tables of catalog.db and their migrations. */
export {
  CATALOG_VERSION,
  migrateCatalog,
  refuseNewerCatalog,
  SEARCH_TABLES,
  TRADABLE,
} from './migrations.ts';
