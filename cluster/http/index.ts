/**
 * What a node of a cluster does differently from an exchange in one process: which requests it
 * answers, and what it passes on to the core.
 *
 * Invariant: without a current core, nothing that shows or changes trading state is answered. What
 * only the core has (deadlines of dead man's switches, resolutions that wait for a second operator)
 * is the same through each node.
 */
export { CoreApprovals } from './core-approvals.ts';
export { CoreHeartbeats } from './core-heartbeats.ts';
export { NodeGate } from './node-gate.ts';
