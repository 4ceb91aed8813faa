/**
 * The engine's public face without the machine: commands, events, codes, units, bounds, versions.
 * For threads that read what the engine wrote and run none: each loads its modules anew, at every
 * start of the exchange.
 */
export * from './bounds.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './image.ts';
export { InvariantError } from './invariant.ts';
export type * from './outline.ts';
export * from './rejects.ts';
export { RULES_VERSION } from './rules.ts';
export { FEE_ACCOUNT } from './text-forms.ts';
export * from './units.ts';
