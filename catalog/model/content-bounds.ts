/**
 * The bounds of what account holders write into the catalog. Excess is refused with its field.
 * Lengths are in code points after normalisation. Imported content has bounds of its own:
 * CATALOG_BOUNDS.
 */

import { CATALOG_BOUNDS } from './bounds.ts';

export const CONTENT_BOUNDS = {
  commentChars: 2_000,
  /** The number of comments above a reply. */
  commentDepth: 8,
  /** How long after posting it an author may edit a comment. */
  commentEditMs: 86_400_000,
  /** A kind of reaction, such as HEART, and its icon. */
  reactionChars: 32,
  /** Kinds of reactions by one user to one comment. */
  reactionsAUser: 10,
  /** The reason of a report. */
  reportChars: 500,
  nameChars: 64,
  bioChars: 500,
  /** The idempotency key of a request. */
  keyChars: 128,
} as const;

/** The first id of a comment or reaction that is written here. No import can contain it. */
export const FIRST_LOCAL_ID = CATALOG_BOUNDS.importedId + 1;
/** One above the last such id. Ids from here on: other exchanges (intake/foreign-comments.ts). */
export const LOCAL_IDS_END = 1_000_000_000_000;
