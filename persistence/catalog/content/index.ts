/**
 * What people add to the catalog: comments, reactions and profiles of account holders, and the
 * operator's edits of records, with the log of its actions.
 *
 * Invariant: each change is one transaction that is on the disk when it is answered. Bounds:
 * CONTENT_BOUNDS.
 */
export { ActionLog } from './action-log.ts';
export { CatalogComments } from './comments.ts';
export { CatalogEdits } from './edits.ts';
export { LocalCommentChanges } from './local-changes.ts';
export { CatalogProfiles } from './profiles.ts';
