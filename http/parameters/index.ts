/**
 * Parameters that many endpoints share: cursors, filters, token ids and builder codes.
 */

export {
  CursorParameter,
  cursorOf,
  cursorPlace,
  END_CURSOR,
  endOfOrders,
  NEXT_OF_ORDERS,
  offsetOf,
  pageAfterEnd,
  pageOf,
  pageSchema,
} from './cursor.ts';
export {
  builderCodeIn,
  canonicalTokenId,
  MIN_SEQ,
  OptionalText,
  OptionalTrueFalse,
  OrNull,
  refuseLaterSeq,
  Text,
  TokenId,
  TrueFalse,
  tokenIdIn,
} from './fields.ts';
export {
  addressFilter,
  builderFilter,
  hashFilter,
  hashIn,
  isHash,
  onlySet,
  secondsFilter,
  timeFilter,
  tokenFilter,
  userIn,
  uuidFilter,
  uuidIn,
} from './filters.ts';
