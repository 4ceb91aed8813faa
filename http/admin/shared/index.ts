/**
 * What the operator's endpoints share: routes for one command, and who asked for it and why.
 */
export {
  ATTRIBUTION,
  actionRoute,
  DuplicateAction,
  submitAction,
} from './action-route.ts';
export { firstDifference } from './first-difference.ts';
export { recordError } from './record-error.ts';
