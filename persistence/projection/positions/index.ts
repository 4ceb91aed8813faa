/**
 * Positions, account totals and market states as the projector writes them into analytics.db.
 */

export { LEDGER_TABLES } from './ledger-schema.ts';
export { periodsAt } from './periods.ts';
export { PositionLedger } from './position-ledger.ts';
