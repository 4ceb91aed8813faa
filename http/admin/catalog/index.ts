/**
 * The operator's endpoints for the content of the catalog.
 */
export { CATALOG_WORD_ROUTES } from './catalog-words.ts';
export { getCatalogActions, getReported, postModeration, postProfileClear } from './moderation.ts';
