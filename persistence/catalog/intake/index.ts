/**
 * Taking records into the catalog: imports, syncs and the operator's additions.
 */
export { CatalogAdditions, checkNewEvent, checkNewMarket, planName } from './additions.ts';
export { CatalogConflicts } from './conflicts.ts';
export { CatalogEnds } from './ends.ts';
export { CatalogIntake, type Incoming } from './intake.ts';
export { LostMarkets } from './lost.ts';
export { CatalogPlans } from './plans.ts';
export { RecordStore } from './record-store.ts';
export { standInSlug } from './stand-in.ts';
export { CatalogWriter } from './write.ts';
