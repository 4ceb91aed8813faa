/**
 * Read-only views of the state: whole snapshots for tools and tests, one owner, an outline without
 * single orders, and the validation of every invariant from first principles.
 */
export { viewOutline } from './outline-view.ts';
export { viewOwner } from './owner-view.ts';
export {
  restingHandles,
  viewBalance,
  viewHolders,
  viewState,
  viewSwitches,
  viewTotals,
  viewWaiting,
} from './snapshot-view.ts';
export { validate } from './validate.ts';
