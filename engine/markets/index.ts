/**
 * Commands about markets: creation, terms, closing, resolution, neg-risk events and finer ticks.
 */
export { changeMarket } from './change-market.ts';
export { closeMarket } from './close-market.ts';
export { createMarket, malformedField, TERMS } from './create-market.ts';
export { refineTicks } from './finer-tick.ts';
export { openEvent } from './open-event.ts';
export { resolveEvent } from './resolve-event.ts';
export { resolveMarket } from './resolve-market.ts';
