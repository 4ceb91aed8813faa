/**
 * Faults on demand, for programs that want to see how they fail: kinds of faults, the registry of
 * those that exist, and what each of them hit.
 *
 * Invariant: a fault changes what a client is told, never the journal's truth. Without a fault,
 * each site costs one property check.
 * Bound: `FAULT_BOUNDS`.
 */
export { FAULT_BOUNDS } from './bounds.ts';
export { definitionIn, FaultRequest } from './definition.ts';
export type { Fault } from './fault.ts';
export type { FaultKind } from './kind.ts';
export { PAUSE_MARKET, RESOLVE_MARKET, TICK_SIZE_CHANGE } from './market-kinds.ts';
export type { FaultParty, FaultSubject } from './match.ts';
export { FaultRecord, faultRecord } from './record.ts';
export {
  type FaultCandidate,
  type FaultObserver,
  FaultRegistry,
  type FaultSite,
  type Firing,
} from './registry.ts';
export {
  LOST_ACKNOWLEDGEMENT,
  POST_ONLY,
  RATE_LIMITED,
  RESTART,
  SLOW_ANSWER,
  TOO_EARLY,
  UNAVAILABLE,
} from './request-kinds.ts';
export {
  CLOSED_SOCKET,
  MUTED_SOCKET,
  SEQUENCE_GAP,
  STALE_BOOK,
  TRADE_STATUS,
} from './stream-kinds.ts';
