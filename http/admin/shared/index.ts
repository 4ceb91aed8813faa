/**
 * What the operator's endpoints share.
 */
export { act, Duplicate, WHO_AND_WHY } from './act.ts';
export { firstDifference } from './first-difference.ts';
