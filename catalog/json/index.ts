/**
 * Rows of the catalog as JSON text (wire 8), and the writer of texts with slots.
 */
export {
  type CommentColumns,
  CommentTexts,
  parentOf,
  SELECT_COMMENTS,
  writeComment,
} from './comment-text.ts';
export {
  furtherMembers,
  type JsonFragment,
  JsonWriter,
  plainJson,
  plainList,
  writtenList,
} from './json-writer.ts';
export {
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
  unnamedProfile,
} from './profile-text.ts';
export {
  type CommentCounted,
  type EventBriefRow,
  eventBrief,
  eventMembers,
  furtherEventMembers,
  type MarketTextRow,
  marketMembers,
  mirrorMembers,
  seriesMembers,
  tagText,
  untradedMembers,
} from './record-text.ts';
