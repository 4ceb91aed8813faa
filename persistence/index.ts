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
export type { AppliedWrite, CatalogReads, ExchangeCatalog } from '../catalog/host.ts';
export { checkNewMarket, planName } from '../catalog/intake/additions.ts';
export type { MarketScope } from '../catalog/lookup/lookup.ts';
export type { CatalogMarket, TradableMarket } from '../catalog/lookup/market.ts';
export * from '../catalog/model/index.ts';
export { deriveHexIdentity, deriveTokenIds } from '../catalog/records/identity.ts';
export * from './backups/kept-backups.ts';
export { type RotationReport, rotateBackups } from './backups/rotated-backups.ts';
export { type Exchange, openExchange, openExchangeIn } from './exchange.ts';
export { DataFolder } from './folder/data-folder.ts';
export { commitSwap, finishSwap } from './folder/folder-swap.ts';
export * from './journal/order-ids.ts';
export type { Funding } from './journal/schema.ts';
export type { DiskModule } from './journal/writer.ts';
export * from './options.ts';
export * from './reads/analytics/index.ts';
export type { CommandPage, ExploredCommand, ListedCommand } from './reads/explorer/commands.ts';
export type { HoldingHistory } from './reads/explorer/holding-history.ts';
export * from './reads/explorer/orders.ts';
export * from './reads/records/index.ts';
export { type CommitPath, Sequencer } from './sequencer.ts';
export * from './shared/index.ts';
export type { SnapshotFile } from './snapshots/folder.ts';
export type { SnapshotPace } from './snapshots/maker.ts';
export type { ExchangeReads } from './table-reads.ts';
export { keepThreads, threadSeconds } from './threads/index.ts';
export * from './tools/index.ts';
