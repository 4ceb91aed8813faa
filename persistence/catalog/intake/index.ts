/**
 * Taking records into the catalog: imports, syncs and the operator's additions.
 */
export { CatalogAdditions, checkNewEvent, checkNewMarket, planName } from './additions.ts';
export { CatalogConflicts } from './conflicts.ts';
export { CatalogEnds, type MarketEnds } from './ends.ts';
export {
  CatalogIntake,
  type Incoming,
  type IntakePage,
  type PageReport,
  type RecordCounts,
} from './intake.ts';
export { LostMarkets } from './lost.ts';
export { type CatalogPlan, CatalogPlans } from './plans.ts';
export { CatalogRecords } from './records.ts';
export { type KnownMarket, standInSlug } from './stand-in.ts';
export { CatalogWriter } from './write.ts';
