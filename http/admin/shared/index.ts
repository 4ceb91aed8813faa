/**
 * What the operator's endpoints share: routes for one command, and the fields `by` and `reason`.
 */
export {
  ATTRIBUTION,
  actionRoute,
  DuplicateAction,
  saidIn,
  submitAction,
} from './action-route.ts';
export { firstDifference } from './first-difference.ts';
export { recordError } from './record-error.ts';
