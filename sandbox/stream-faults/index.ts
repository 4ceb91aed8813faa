/**
 * Faults of streams, books and trades. The streams ask this room whether a message may be sent
 * (`StreamFaults`); it also keeps the books that stand still and the trades with a false status.
 *
 * Invariant: only what clients are told changes. A restart, or the removal of a fault, shows the
 * truth again. Bound: `FAULT_BOUNDS.toldTrades` trades; two versions of each book.
 */
export { SandboxStreams } from './sandbox-streams.ts';
