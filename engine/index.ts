/** The one public face of the engine: other folders import from here alone. */
export * from './bounds.ts';
export * from './commands.ts';
export * from './engine.ts';
export * from './events.ts';
export { InvariantError } from './invariant.ts';
export * from './rejects.ts';
export * from './state-view.ts';
export * from './units.ts';
