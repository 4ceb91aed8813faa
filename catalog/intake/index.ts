/**
 * How records enter the catalog: imports of files, pages of a sync, the operator's additions, and
 * placeholders for markets that the catalog lost.
 *
 * Invariant: a stored market keeps its identity, whatever a record says (conflicts.ts); a market
 * whose trading has ended is closed (ended-markets.ts). Bounds: CATALOG_BOUNDS.
 */
export { CatalogAdditions, checkNewEvent, checkNewMarket, planName } from './additions.ts';
export { CatalogWriter } from './catalog-writer.ts';
export { CatalogConflicts } from './conflicts.ts';
export { EndedMarkets } from './ended-markets.ts';
export type { IncomingRecord } from './incoming-record.ts';
export { RecordIntake } from './intake.ts';
export { placeholderSlug } from './placeholder-rows.ts';
export { Placeholders } from './placeholders.ts';
export { CatalogPlans } from './plans.ts';
export { RecordStore } from './record-store.ts';
