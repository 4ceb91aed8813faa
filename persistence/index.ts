/** The one public face of the store: other folders import from here alone. */
export { ACTIVITY_SORTS, ACTIVITY_TYPES } from './analytics/activity-kinds.ts';
export type * from './analytics/analytics-questions.ts';
export { CLOSED_SORTS, OPEN_SORTS } from './analytics/position-plans.ts';
export { LEADERBOARD_ORDERS, LEADERBOARD_PERIODS } from './analytics/read-leaderboard.ts';
export type { BackupReport } from './backup.ts';
export { backupFolder } from './backup.ts';
export { builtinImage } from './builtin-catalog/images.ts';
export { checkNewEvent, checkNewMarket, planName } from './catalog-additions.ts';
export { CatalogFolder, importFile } from './catalog-folder.ts';
export { deriveHexIdentity, deriveTokenIds } from './catalog-identity.ts';
export type { IntakePage, PageReport, RecordCounts } from './catalog-intake.ts';
export type { CatalogMarket } from './catalog-markets.ts';
export type { CatalogReads, ExchangeCatalog } from './catalog-parts.ts';
export type { CatalogPlan } from './catalog-plans.ts';
export { pseudonymOf } from './catalog-pseudonym.ts';
export type { CatalogEvent, MarketScope, TradableMarket } from './catalog-queries.ts';
export * from './catalog-questions.ts';
export { CatalogImportError } from './catalog-record-reader.ts';
export * from './catalog-text.ts';
export { WORD_BOUNDS } from './catalog-word-bounds.ts';
export * from './catalog-writes.ts';
export { Closers, closeEach } from './closers.ts';
export type { CompactionOptions, CompactionReport } from './compaction.ts';
export { compactJournal } from './compaction.ts';
export type { BalanceOf, Exchange, ExchangeOptions } from './exchange.ts';
export { openExchange } from './exchange.ts';
export { type InspectedCommand, Inspector } from './inspect.ts';
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
export { threadSeconds } from './thread-place.ts';
export type { TradeHead } from './trade-records.ts';
export { tradesOf } from './trade-records.ts';
export type { VerifyProgress, VerifyReport } from './verify.ts';
export { verifyFolder } from './verify.ts';
