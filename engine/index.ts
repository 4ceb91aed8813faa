/** The public face of the engine: other folders import from here, or from facts.ts alone. */
export * from './engine.ts';
export * from './facts.ts';
export { budgetFees, type FeeRates, mostFees } from './fees.ts';
export { ImageLoader } from './image-loader.ts';
export * from './state-view.ts';
