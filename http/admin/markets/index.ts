/**
 * The operator's endpoints for markets and events.
 */
export { carryOutUndone } from './carry-out.ts';
export { postClose } from './post-close.ts';
export { postEventOpen, postEventResolve } from './post-events.ts';
export { postNewEvent, postNewMarket } from './post-new-events.ts';
export { postOpen } from './post-open.ts';
export { postResolve } from './post-resolve.ts';
export { postExchangeState, postMarketState } from './post-state.ts';
export { postTerms } from './post-terms.ts';
