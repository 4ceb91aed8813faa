/**
 * What the operator does with markets, in the order of a market's life: create it, change its
 * terms, pause it, open a neg-risk event, close and resolve. `finer-tick.ts` is the only change
 * that happens without a separate command.
 *
 * Invariants: `original` terms never change; a closed or resolved market has no orders; the markets
 * of an opened event resolve together, exactly one of them to YES. See
 * docs/decisions/0011-market-lives.md.
 */
export { changeMarket } from './change-market.ts';
export { closeMarket } from './close-market.ts';
export { createMarket } from './create-market.ts';
export { refineTicks } from './finer-tick.ts';
export { malformedTerm } from './market-terms.ts';
export { openEvent } from './open-event.ts';
export { resolveEvent } from './resolve-event.ts';
export { resolveMarket } from './resolve-market.ts';
export { setTradingState } from './set-trading-state.ts';
