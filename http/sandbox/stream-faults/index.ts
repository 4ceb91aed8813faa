/**
 * Faults of streams, books and the status of trades: what the streams ask (`StreamFaults`), the
 * books that stand still, and the trades that are told another status than the true one.
 *
 * Invariant: only what clients are told changes. A restart, or the removal of a fault, shows the
 * truth again. Bound: `FAULT_BOUNDS.toldTrades` trades; two versions of each book.
 */
export { SandboxStreams } from './sandbox-streams.ts';
export type { ToldTrades } from './trade-walks.ts';
