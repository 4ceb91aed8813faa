/**
 * Positions, account totals and market states as the projector writes them into analytics.db.
 */

export { FillPeaks } from './fill-peaks.ts';
export {
  orderedKey,
  PEAK_SCOPES,
  PEAK_SOURCES,
  PEAK_TABLES,
  type PeakScope,
  RUN_ROWS,
} from './fill-peaks-schema.ts';
export { LEDGER_TABLES } from './ledger-schema.ts';
export { periodsAt } from './periods.ts';
export { PositionLedger } from './position-ledger.ts';
