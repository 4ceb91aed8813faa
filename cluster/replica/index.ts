/**
 * What a node of a cluster does with the commands of the log: it applies them, writes them into its
 * journal behind the log, and passes commands of its own on to the core
 * (docs/decisions/0041-replicas-and-takeover.md).
 *
 * Invariants: the engine and the journal have only what the log has committed; a command is
 * answered when this node has applied it. Bounds: FEED_BOUNDS, BEHIND_BOUNDS.
 */
export { type AppliedPart, JournalBehind } from './journal-behind.ts';
export { ReplicaSource } from './replica-source.ts';
export { loggedCommands, SubmitDesk } from './submits.ts';
