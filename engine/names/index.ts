/**
 * Between the names of the outside and the numbers of the engine: `inputs.ts` turns a command into
 * the input that the engine takes, and `events.ts` turns packed events into plain ones. What an
 * engine has named once keeps its number for good, so both may happen at any later time.
 */
export { nameEvents } from './events.ts';
export { inputOf, knowsNumbers, withNamesOf } from './inputs.ts';
export { engineNames } from './names.ts';
