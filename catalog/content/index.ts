/**
 * What people add to the catalog: comments, reactions and profiles of account holders, and the
 * operator's edits of records, with a log of the operator's actions.
 *
 * Invariant: each change is one transaction, which is on the disk before the answer. Bounds:
 * CONTENT_BOUNDS.
 */
export { ActionLog } from './action-log.ts';
export { CatalogComments } from './comments.ts';
export { CatalogEdits } from './edits.ts';
export { LocalCommentChanges } from './local-changes.ts';
export { CatalogProfiles } from './profiles.ts';
