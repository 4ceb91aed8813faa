/**
 * The operator's endpoints for markets and events.
 *
 * Invariant: a new event is created with all its markets or not at all.
 */
export { getApprovals } from './approval.ts';
export {
  postClose,
  postExchangeState,
  postMarketState,
  postResolve,
} from './market-actions.ts';
export { postEventOpen, postEventResolve } from './neg-risk-events.ts';
export { postNewEvent, postNewMarket } from './new-events.ts';
export { postOpen } from './open-market.ts';
export { finishPlans } from './run-plan.ts';
export { postTerms } from './terms.ts';
