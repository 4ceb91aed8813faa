/**
 * Everything that outlives a process: the single writer (sequencer), the journal and its recovery,
 * snapshots, projections and their reads, the catalog, and tools for data folders. `openExchange`
 * opens a data folder as an `Exchange`.
 *
 * Invariants: nothing is answered or shown before it is durable; after a failed commit nothing more
 * is answered; the projection and the snapshots can be rebuilt from the journal.
 */

export { builtinImage } from '../catalog/builtin/index.ts';
export { CatalogFolder, importFile } from '../catalog/folder.ts';
export type { CatalogReads, ExchangeCatalog } from '../catalog/host.ts';
export { checkNewMarket, planName } from '../catalog/intake/additions.ts';
export type { MarketScope } from '../catalog/lookup/lookup.ts';
export type { CatalogMarket, TradableMarket } from '../catalog/lookup/market.ts';
export {
  type AuthorSlot,
  authorSlotOf,
  type CatalogAddition,
  type CatalogEdit,
  type CatalogEdited,
  CatalogImportError,
  type CatalogPlan,
  CatalogRefusal,
  type CatalogRefusalCode,
  COMMENT_ORDERS,
  COMMENT_PARENTS,
  CONTENT_BOUNDS,
  type CommentChange,
  type CommentParent,
  type CommentSearch,
  CREATOR_ORDERS,
  EVENT_ORDER_NAMES,
  type EventCondition,
  type EventSearch,
  type EventSort,
  type EventsFound,
  fillSlots,
  type ImportRefusal,
  type ListPart,
  MARKET_ORDER_NAMES,
  type MarketCondition,
  type MarketFigures,
  type MarketName,
  type MarketQuery,
  type MarketSearch,
  type MarketSlot,
  MODERATIONS,
  marketSlotOf,
  type PageReport,
  type RecordBatch,
  type RecordCounts,
  type RecordKind,
  type RelatedTagsQuery,
  SERIES_ORDERS,
  type Slot,
  type SlottedJson,
  slotsOf,
  TAG_ORDERS,
} from '../catalog/model/index.ts';
export { deriveHexIdentity, deriveTokenIds } from '../catalog/records/identity.ts';
export type { AppliedWrite } from '../catalog/write-log.ts';
export {
  type BackupResult,
  type KeptBackup,
  KeptBackups,
  type RunningBackup,
} from './backups/kept-backups.ts';
export { type RotationReport, rotateBackups } from './backups/rotated-backups.ts';
export { type Exchange, openExchange, openExchangeIn } from './exchange.ts';
export { DataFolder } from './folder/data-folder.ts';
export { commitSwap, finishSwap } from './folder/folder-swap.ts';
export {
  type KnownOrderId,
  type OrderIdIndex,
  type OrderIdLookup,
  openOrderIdIndex,
} from './journal/order-ids.ts';
export type { Funding } from './journal/schema.ts';
export type { DiskModule } from './journal/writer.ts';
export type {
  AppliedState,
  ExchangeEvent,
  ExchangeOptions,
  NodeCatalog,
  NodeHost,
  NodePart,
  SealedState,
} from './options.ts';
export {
  ACTIVITY_SORTS,
  ACTIVITY_TYPES,
  type AnalyticsKind,
  type AnalyticsKinds,
  CLOSED_SORTS,
  LEADERBOARD_CATEGORIES,
  LEADERBOARD_ORDERS,
  LEADERBOARD_PERIODS,
  MARKET_POSITION_SORTS,
  MARKET_POSITION_STATUSES,
  OPEN_SORTS,
  type RowPlace,
  UNKNOWN_AMOUNTS,
} from './reads/analytics/index.ts';
export type { CommandPage, ExploredCommand, ListedCommand } from './reads/explorer/commands.ts';
export type { HoldingHistory } from './reads/explorer/holding-history.ts';
export type {
  ExploredAccount,
  ExploredFill,
  ExploredMarket,
  ExploredOrder,
} from './reads/explorer/orders.ts';
export type {
  ActionsQuery,
  LiveOrdersQuery,
  OpenOrdersQuery,
  PriceHistoryQuery,
  TradesQuery,
} from './reads/records/index.ts';
export { type CommitPath, Sequencer } from './sequencer.ts';
export {
  type AccountAddresses,
  type AccountProfile,
  type ActionRecord,
  type Applied,
  type Attribution,
  type AuditReport,
  type AuditTotals,
  allDone,
  type BalanceView,
  closeEach,
  DisposableStack,
  type DurableCommand,
  isPseudonym,
  isSameTrade,
  type LastTradeFacts,
  type MarketFacts,
  type MarketVolume,
  type NotificationRecord,
  type NotifiedFill,
  type OrderNotification,
  type OrderRecord,
  type OrderStatus,
  type PartyFees,
  type PriceHistory,
  pseudonymOf,
  type ResolutionNotification,
  type RestoredKey,
  type RestoredMarket,
  type RestoredState,
  SavedStateRefusal,
  type SavedStateRefusalCode,
  type SnapshotMade,
  StoreError,
  type StoreErrorCode,
  type StoreObserver,
  type ThreadHealth,
  type TradeHead,
  type TradeMaker,
  type TradeRecord,
  toError,
  tradesOf,
} from './shared/index.ts';
export type { SnapshotFile } from './snapshots/folder.ts';
export type { SnapshotPace } from './snapshots/maker.ts';
export type { ExchangeReads } from './table-reads.ts';
export { keepThreads, threadSeconds } from './threads/index.ts';
export {
  type BackupNote,
  type BackupReport,
  backupFolder,
  type CompactionOptions,
  type CompactionReport,
  compactJournal,
  type InspectedCommand,
  Inspector,
  inspectSnapshot,
  inspectSnapshots,
  type RestoreReport,
  restoreBackup,
  type VerifyReport,
  verifyFolder,
} from './tools/index.ts';
