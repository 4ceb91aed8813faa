/**
 * The content of the catalog in a cluster (docs/decisions/0042-content-records.md): each write that
 * comes from outside is a record in the log of commands, which every node applies to its own
 * catalog.
 *
 * Invariant: two catalogs with the same lineage and number have the same content. Bound:
 * `RECORD_BOUNDS`.
 */
export { RECORD_BOUNDS } from './bounds.ts';
export { CatalogCopies } from './catalog-copies.ts';
export {
  type AppliedQuestion,
  ContentLog,
  type ContentLogOptions,
  leaveHistory,
} from './content-log.ts';
export { ContentReplica, type MissedRecords } from './content-replica.ts';
export {
  CONTENT_REQUEST_KINDS,
  type ContentRequestKind,
  decodeCopyQuestion,
  decodeMissed,
  decodeState,
  encodeCopyPart,
  encodeMissed,
  encodeState,
  type SendRequest,
} from './content-requests.ts';
export { ContentSequence } from './content-sequence.ts';
export { isCompleteCatalog, receiveCatalog } from './received-catalog.ts';
export { isContentKind } from './write-places.ts';
