/**
 * Endpoints for builders: their keys, fees and trades.
 *
 * Invariant: a builder's code is its address. API keys are shown to their owner alone.
 */
export { createBuilderApiKey, deleteBuilderApiKey, getBuilderApiKeys } from './builder-keys.ts';
export { getBuilderFees } from './get-builder-fees.ts';
export { getBuilderTrades } from './get-builder-trades.ts';
