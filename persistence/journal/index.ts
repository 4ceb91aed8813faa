/**
 * The journal: the durable log of commands, its writer thread, its readers, the index of order ids
 * and the recovery of the engine from it.
 */
export {
  ARCHIVE_TABLE,
  Archive,
  type ArchiveRange,
  archiveDamaged,
  archiveFolder,
  archiveName,
  checkRanges,
  rangeOf,
  rangeOfName,
  type SeqRange,
} from './archive.ts';
export { BatchBuilder, type FillRow, type JournalBatch } from './batch.ts';
export { checkDurableMark, writeDurableMark } from './durable-mark.ts';
export { fillDifference } from './fill-difference.ts';
export { bytesOfId, type ListedId, OrderIdTables, type StoredOrderId } from './order-id-tables.ts';
export {
  type KnownOrderId,
  type OrderIdIndex,
  type OrderIdIndexOptions,
  type OrderIdLookup,
  openOrderIdIndex,
} from './order-ids.ts';
export {
  type JournaledOrderKeys,
  type OrderKeyOf,
  openOrderKeys,
  ownOrderKeys,
} from './order-keys.ts';
export { JournalReader, type StoredCommand } from './reader.ts';
export { applyStored, recover, replayStep } from './recovery.ts';
export {
  type Funding,
  type JournalEnd,
  notedSecret,
  putMeta,
  RECORD_TABLES,
  SECRET_KEY,
} from './schema.ts';
export type { JournalFault, JournalMessage, JournalThreadData } from './thread.ts';
