import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { ApiCredentials, hasTradingKey } from '../../auth/index.ts';
import { ApiError } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /auth/derive-api-key: the credentials of a nonce they were issued for (wire 1.3). Of a nonce
 * whose key was revoked it says so, and names the next free one (`nonce_revoked`).
 */
export const deriveApiKey = defineRoute({
  method: 'GET',
  path: '/auth/derive-api-key',
  summary: 'Get API credentials again',
  auth: 'l1',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: ApiCredentials,
  needs: ['registry', 'keyRing'],
  handler: ({ caller, services }) => {
    const { owner, nonce } = caller;
    if (!hasTradingKey(services.registry, owner, nonce)) {
      throw new ApiError('api_key_not_found', { field: 'nonce', actual: nonce });
    }
    return services.keyRing.credentialsOf(owner, nonce);
  },
});
