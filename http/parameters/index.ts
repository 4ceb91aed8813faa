/**
 * Parameters that many endpoints share: cursors, filters, token ids and builder codes.
 */
export { builderCodeIn } from './builder-code.ts';
export {
  CursorParameter,
  cursorOf,
  END_CURSOR,
  endOfOrders,
  NEXT_OF_ORDERS,
  offsetOf,
  pageAfterEnd,
  pageOf,
  pageSchema,
} from './cursor.ts';
export { OptionalText, OptionalTrueFalse, OrNull, Text, TrueFalse } from './fields.ts';
export {
  addressFilter,
  builderFilter,
  hashFilter,
  hashIn,
  isHash,
  onlySet,
  timeFilter,
  tokenFilter,
  userIn,
  uuidFilter,
  uuidIn,
} from './filters.ts';
export { MIN_SEQ, refuseLaterSeq } from './min-seq.ts';
export { canonicalTokenId, TokenId } from './token-id.ts';
