/** The one public face of the store: other folders import from here alone. */
export type { BackupReport } from './backup.ts';
export { backupFolder } from './backup.ts';
export * from './catalog.ts';
export type { CompactionOptions, CompactionReport } from './compaction.ts';
export { compactJournal } from './compaction.ts';
export type { BalanceOf, Exchange, ExchangeOptions } from './exchange.ts';
export { openExchange } from './exchange.ts';
export { Inspector } from './inspect.ts';
export { inspectSnapshot, inspectSnapshots } from './inspect-snapshot.ts';
export type { Funding } from './journal-schema.ts';
export type { JournalFault } from './journal-thread.ts';
export type {
  KnownOrderId,
  OrderIdIndex,
  OrderIdIndexOptions,
  OrderIdLookup,
} from './order-ids.ts';
export { openOrderIdIndex } from './order-ids.ts';
export type {
  ActionsQuery,
  LiveOrdersQuery,
  NotificationsQuery,
  Page,
  PriceHistoryQuery,
  Reader,
  TradesQuery,
  VolumesQuery,
} from './reader.ts';
export * from './records.ts';
export type { RestoreReport } from './restore.ts';
export { restoreBackup } from './restore.ts';
export type * from './restored-state.ts';
export type { SnapshotPace } from './snapshot-maker.ts';
export type { StoreErrorCode } from './store-error.ts';
export { StoreError } from './store-error.ts';
export type { StoreObserver } from './store-observer.ts';
export type { TradeHead } from './trade-records.ts';
export { tradesOf } from './trade-records.ts';
export type { VerifyProgress, VerifyReport } from './verify.ts';
export { verifyFolder } from './verify.ts';
