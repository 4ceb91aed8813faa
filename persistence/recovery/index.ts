/**
 * Recovery: applies the journal's commands after a snapshot, or all of them, by the same `apply` as
 * live commands, and compares the resulting fills with the stored ones. It is a room of its own so
 * that threads which only read the journal do not load the engine.
 *
 * Invariant: a recovered engine is equal to the one that wrote the journal, or the start is refused
 * with the first difference. Bound: one step of the journal in memory.
 */
export { fillDifference } from './fill-difference.ts';
export { applyStored, recover, replayStep } from './recovery.ts';
