/**
 * Read-only views of the state. `state-view.ts` shows everything in a fixed order, `owner-view.ts`
 * one owner, `summary-view.ts` everything but single orders; `validate.ts` checks every invariant
 * from scratch. Nothing here changes the state, and most of it is too slow for the hot path.
 *
 * To show a new part of the state: a record in model/state-view.ts, a line in `stateLines`, and a
 * reader here. That changes the state hash.
 */
export { copyOwner, type OwnerCopy, viewOwner } from './owner-view.ts';
export {
  viewBalance,
  viewDelayedOf,
  viewHolders,
  viewState,
  viewSwitches,
  viewTotals,
} from './state-view.ts';
export { viewSummary } from './summary-view.ts';
export { validate } from './validate.ts';
