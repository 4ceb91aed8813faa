/** The one public face of the engine: other folders import from here alone. */
export * from './bounds.ts';
export * from './commands.ts';
export * from './engine.ts';
export * from './events.ts';
export { budgetFees, type FeeRates, mostFees } from './fees.ts';
export * from './image.ts';
export { ImageLoader } from './image-loader.ts';
export { InvariantError } from './invariant.ts';
export type * from './outline.ts';
export * from './rejects.ts';
export { RULES_VERSION } from './rules.ts';
export * from './state-view.ts';
export { FEE_ACCOUNT } from './text-forms.ts';
export * from './units.ts';
