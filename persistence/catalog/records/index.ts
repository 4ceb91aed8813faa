/**
 * Catalog records in the public JSON form: reading and checking them, and writing them as text.
 */
export {
  type CheckedEvent,
  type CheckedMarket,
  checkEvents,
  checkMarket,
  checkSeries,
  checkTag,
  type ParentEvent,
} from './check.ts';
export {
  type CommentColumns,
  CommentTexts,
  parentOf,
  SELECT_COMMENTS,
  writeComment,
} from './comment-text.ts';
export { readBoolean, readDate, readFlag, readId, readRequiredText, readText } from './fields.ts';
export {
  deriveHexIdentity,
  deriveNumericId,
  deriveTokenIds,
  type NumericIdKind,
} from './identity.ts';
export { gameStartOf, pairOf, utcText } from './leftovers.ts';
export {
  CatalogImportError,
  describeValue,
  type ImportErrorKind,
  type ImportRefusal,
  RecordReader,
  RefusalList,
} from './record-reader.ts';
export { RecordSplitter, SplitFault } from './record-splitter.ts';
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
