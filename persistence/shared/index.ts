/**
 * What every room of persistence/ may use: errors, bounds, records, the facts that views show
 * beside the engine's state, and small helpers for files, databases and texts. It imports only the
 * engine.
 */
export {
  type AccountAddresses,
  type AccountProfile,
  type AccountProfileRow,
  accountProfile,
  accountProfileSql,
} from './account-profile.ts';
export { checksumsReady, toChecksumAddress } from './checksum-address.ts';
export type { CommandSource } from './command-source.ts';
export {
  type ContentStamp,
  contentBytes,
  contentText,
  readStamp,
  STAMP_BYTES,
  stampOfText,
  writeStamp,
} from './content-stamp.ts';
export { descriptorLimit } from './descriptor-limit.ts';
export { allDone, closeEach, DisposableStack } from './disposable-stack.ts';
export {
  type Effect,
  type EffectSources,
  readEffects,
  type StoredEffect,
  storedEffects,
  writeEffects,
} from './effects.ts';
export { bytesIn, freeBytesAt, namesIn } from './file-sizes.ts';
export { mistakeIn } from './finite-numbers.ts';
export { charactersOf, foldText, gramsOf, gramToken, wordsOf } from './fold.ts';
export {
  type DatabaseFormat,
  isNewerVersion,
  migrate,
  newestVersion,
  PROGRAM_VERSION,
  programToStart,
  refuseNewer,
  versionOf,
} from './format-version.ts';
export { joinSteps } from './join-steps.ts';
export { openPlanStableDatabase } from './plan-stable-database.ts';
export { assetOf, CASH, LARGE_LOTS } from './projection-units.ts';
export { pseudonymOf } from './pseudonym.ts';
export { openReadonly, readDatabase } from './readonly-database.ts';
export type {
  ActionRecord,
  Applied,
  Attribution,
  AuditReport,
  AuditTotals,
  BalanceView,
  DurableCommand,
  FillParty,
  MarketVolume,
  NotificationRecord,
  NotifiedFill,
  OrderNotification,
  OrderRecord,
  OrderStatus,
  PartyFees,
  PriceHistory,
  Recovered,
  ResolutionNotification,
  SnapshotMade,
  StoreHealth,
  ThreadHealth,
  TradeMaker,
  TradeRecord,
} from './records.ts';
export { replaceFile, syncPath } from './replace-file.ts';
export {
  type RestoredKey,
  type RestoredMarket,
  type RestoredState,
  restoredState,
} from './restored-state.ts';
export { SavedStateRefusal, type SavedStateRefusalCode } from './saved-state-refusal.ts';
export {
  ContinuedFacts,
  type Facts,
  type KeyTimes,
  type LastTradeFacts,
  type MarketFacts,
  ShownFacts,
  type ShownMarket,
  walks,
} from './shown-facts.ts';
export { StatementCache } from './statement-cache.ts';
export { STORE_BOUNDS, STORE_PACE } from './store-bounds.ts';
export { StoreError, type StoreErrorCode } from './store-error.ts';
export { commandOutcome, type StoreObserver } from './store-observer.ts';
export { codeOf, isMissingFile, messageOf, toError } from './thrown.ts';
export { isSameTrade, makerOf, type TradeHead, takerOf, tradesOf } from './trade-records.ts';
export { addWide, type WideSum, wideSum, wideText } from './wide-sum.ts';
