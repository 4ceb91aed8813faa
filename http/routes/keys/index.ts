/**
 * Endpoints for the trading and read-only keys of an owner.
 *
 * Invariant: secrets are shown only to the owner who signs the request, and are never stored.
 */
export {
  createReadonlyApiKey,
  deleteReadonlyApiKey,
  getReadonlyApiKeys,
  validateReadonlyApiKey,
} from './readonly-keys.ts';
export { createApiKey, deleteApiKey, deriveApiKey, getApiKeys } from './trading-keys.ts';
