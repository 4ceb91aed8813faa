/**
 * Endpoints for builders: their keys, fees and trades.
 */
export { createBuilderApiKey } from './create-builder-api-key.ts';
export { deleteBuilderApiKey } from './delete-builder-api-key.ts';
export { getBuilderApiKeys } from './get-builder-api-keys.ts';
export { getBuilderFees } from './get-builder-fees.ts';
export { getBuilderTrades } from './get-builder-trades.ts';
