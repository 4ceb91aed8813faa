/**
 * Records of the public catalog's JSON form (wire 8): a schema for each kind, the identities of
 * records that come without one, and the splitter that cuts files into records.
 *
 * Invariant: a record that passes its check can be stored as it is; a refusal names the path of
 * the value, what it must be and what it is. Pure: nothing here reads the database or the clock.
 * Bounds: CATALOG_BOUNDS.
 */
export type { CheckedEvent, CheckedMarket, ParentEvent } from './checked-event.ts';
export { checkEvents, checkMarketRecord, checkSeries, checkTag } from './event-records.ts';
export {
  date,
  flag,
  isNumericId,
  line,
  prose,
  type RecordField,
  requiredLine,
  webAddress,
} from './fields.ts';
export {
  deriveHexIdentity,
  deriveNumericId,
  deriveTokenIds,
  type NumericIdKind,
} from './identity.ts';
export {
  checkComment,
  checkCreator,
  checkProfile,
  checkReaction,
  checkSport,
  checkTeam,
} from './people-records.ts';
export { type Candidate, RecordSchema, readList } from './record-schema.ts';
export { RecordSplitter, SplitFault, type SplitRecord } from './record-splitter.ts';
