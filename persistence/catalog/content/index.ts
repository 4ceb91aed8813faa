/**
 * What people add to the catalog: comments, reactions, profiles and the operator's edits.
 */
export { CatalogActions } from './actions.ts';
export { CatalogComments } from './comments.ts';
export { CatalogEdits } from './edits.ts';
export { LocalCommentChanges } from './local-changes.ts';
export { CatalogProfiles } from './profiles.ts';
