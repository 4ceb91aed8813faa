/**
 * The journal: the durable log of every command that changed something, in `journal.db` and its
 * archives. The room `recovery` replays it. The projection and the snapshots are derived from it.
 *
 * Invariants: one thread writes, each batch in one synced transaction; a change that was answered
 * is in the journal; after a failed commit nothing more is written; seqs run from 1 without gaps;
 * every order id that was ever accepted is in the index of order ids, and every idempotency key
 * that left the engine's memory in that of keys. Bounds: STORE_BOUNDS.
 *
 * command-form.ts has a command on its way there, batch.ts makes a batch on the matching thread,
 * thread.ts and writer.ts write it, reader.ts reads; archive.ts and part.ts read what compaction
 * moved away; order-id-*.ts are the index of order ids, money-keys.ts that of idempotency keys.
 */
export {
  Archive,
  type ArchiveRange,
  archiveDamaged,
  archiveFolder,
  archiveName,
  checkRanges,
  createArchive,
  rangeOf,
  rangeOfName,
  type SeqRange,
} from './archive.ts';
export { BatchBuilder, FILL_COLUMNS, type FillRow, type JournalBatch } from './batch.ts';
export {
  type CommandForm,
  NamedForm,
  PackedForm,
  type PackedKind,
} from './command-form.ts';
export { type ContentRecords, openContentRecords } from './content-records.ts';
export { checkDurableMark, markRestoring, markSwapping, writeDurableMark } from './durable-mark.ts';
export { type Journal, type JournalEvents, startJournal } from './host.ts';
export {
  type MoneyKeyIndex,
  type MoneyKeyRef,
  moneyKeyFinder,
  moneyKeyRow,
  openMoneyKeyIndex,
} from './money-keys.ts';
export { cutOrderIds } from './order-id-intake.ts';
export { bytesOfId, type ListedId, OrderIdTables, type StoredOrderId } from './order-id-tables.ts';
export {
  type KnownOrderId,
  type OrderIdIndex,
  type OrderIdLookup,
  openOrderIdIndex,
} from './order-ids.ts';
export {
  type JournaledOrderKeys,
  type OrderKeyOf,
  openOrderKeys,
  ownOrderKeys,
} from './order-keys.ts';
export { type FillValues, StoredCommand } from './part.ts';
export { JournalReader } from './reader.ts';
export {
  commandChecksum,
  dropLogPlace,
  endBatchAt,
  type Funding,
  type JournalEnd,
  type JournalPlace,
  type JournalStart,
  journalEnd,
  journalFunding,
  notedProgram,
  notedSecret,
  putClockOffset,
  putMeta,
  SECRET_KEY,
} from './schema.ts';
export { UnnamedCommand } from './unnamed-command.ts';
export type { DiskModule, JournalGroup } from './writer.ts';
