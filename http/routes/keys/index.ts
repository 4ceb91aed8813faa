/**
 * Endpoints for API keys.
 */
export { createApiKey } from './create-api-key.ts';
export { createReadonlyApiKey } from './create-readonly-api-key.ts';
export { deleteApiKey } from './delete-api-key.ts';
export { deleteReadonlyApiKey } from './delete-readonly-api-key.ts';
export { deriveApiKey } from './derive-api-key.ts';
export { getApiKeys } from './get-api-keys.ts';
export { getReadonlyApiKeys } from './get-readonly-api-keys.ts';
export { validateReadonlyApiKey } from './validate-readonly-api-key.ts';
