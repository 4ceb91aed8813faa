/**
 * What people add to the catalog: comments, reactions, profiles and the operator's edits.
 */
export { CatalogActions } from './actions.ts';
export { CommentActs } from './comment-acts.ts';
export { CatalogComments } from './comments.ts';
export { CatalogEdits } from './edits.ts';
export { CatalogProfiles, type ProfileColumns, profileText, SELECT_PROFILES } from './profiles.ts';
