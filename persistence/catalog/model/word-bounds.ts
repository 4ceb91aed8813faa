// Every bound of what account holders write into the catalog; what exceeds one is refused by name.
// Lengths are in characters as people count them: code points, after normalisation. What an import
// brings is bounded apart (catalog-bounds.ts).

import { CATALOG_BOUNDS } from './bounds.ts';

export const WORD_BOUNDS = {
  commentChars: 2_000,
  /** How many comments stand above one that answers. */
  commentDepth: 8,
  /** For so long after it was written its author may write it otherwise. */
  commentEditMs: 86_400_000,
  /** Of a kind of reaction, such as HEART, and of its icon. */
  reactionChars: 32,
  /** Kinds of reactions of one user to one comment. */
  reactionsAUser: 10,
  /** Why a comment is reported. */
  reportChars: 500,
  nameChars: 64,
  bioChars: 500,
  /** Of the key that names a request. */
  keyChars: 128,
} as const;

/** The first id of a comment or reaction that is written here: no import can hold it. */
export const FIRST_LOCAL_ID = CATALOG_BOUNDS.importedId + 1;
/** Behind the last; from here on are what was written elsewhere (catalog-foreign-comments.ts). */
export const LOCAL_IDS_END = 1_000_000_000_000;
