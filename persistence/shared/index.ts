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
  checksumsReady,
  isPseudonym,
  pseudonymOf,
  toChecksumAddress,
} from './account-profile.ts';
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
export { openPlanStableDatabase, openReadonly, readDatabase, StatementCache } from './databases.ts';
export { allDone, closeEach, DisposableStack } from './disposable-stack.ts';
export {
  type Effect,
  type EffectSources,
  readEffects,
  type StoredEffect,
  storedEffects,
  writeEffects,
} from './effects.ts';
export { bytesIn, descriptorLimit, freeBytesAt, namesIn, replaceFile, syncPath } from './files.ts';
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
export { isoTimeMs, LATEST_MS } from './iso-time.ts';
export { joinSteps } from './join-steps.ts';
export { assetOf, CASH, LARGE_LOTS } from './projection-units.ts';
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
export {
  type RestoredKey,
  type RestoredMarket,
  type RestoredState,
  restoredState,
} from './restored-state.ts';
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
export { STORE_BOUNDS, STORE_PACE } from './store-bounds.ts';
export {
  codeOf,
  isMissingFile,
  messageOf,
  SavedStateRefusal,
  type SavedStateRefusalCode,
  StoreError,
  type StoreErrorCode,
  toError,
} from './store-error.ts';
export { commandOutcome, type StoreObserver } from './store-observer.ts';
export {
  isSameTrade,
  makerOf,
  moveHashOf,
  type TradeHead,
  takerOf,
  tradesOf,
} from './trade-records.ts';
export { addWide, mistakeIn, type WideSum, wideSum, wideText } from './wide-sum.ts';
