/**
 * Rows of the catalog as JSON text (wire 8).
 */
export {
  type CommentColumns,
  CommentTexts,
  parentOf,
  SELECT_COMMENTS,
  writeComment,
} from './comment-text.ts';
export {
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
  unknownProfile,
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
export { CatalogTextWriter, furtherMembers } from './text-writer.ts';
