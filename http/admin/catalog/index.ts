/**
 * The operator's endpoints for the content of the catalog: edits, moderation, and the list of both.
 */
export { CATALOG_EDIT_ROUTES } from './edits.ts';
export { getCatalogActions, getReported, postModeration, postProfileClear } from './moderation.ts';
