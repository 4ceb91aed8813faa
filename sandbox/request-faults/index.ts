/**
 * Faults of requests: answers that are refused, held back or lost, and acts on the market of an
 * order. The server asks `RequestFaults` before it calls a handler.
 *
 * Invariant: what a request did stays done. Acts on a market are journaled commands.
 * Bound: answers that are held back count among `HTTP_BOUNDS.pendingRequests`.
 */
export { RequestFaults } from './request-faults.ts';
