import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { ApiCredentials, issueCredentials } from '../../auth/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * POST /auth/api-key: the credentials of the signer's nonce, issued when they were not yet; the
 * signer's own account opens with them. The same signature later gives the same (wire 1.3), until
 * the key is revoked: then `nonce_revoked` names the next free nonce.
 */
export const createApiKey = defineRoute({
  method: 'POST',
  path: '/auth/api-key',
  summary: 'Create API credentials, or get those that exist',
  auth: 'l1',
  givesWay: true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: ApiCredentials,
  needs: ['settings', 'exchange', 'registry', 'keyRing'],
  handler: ({ caller, services }) => issueCredentials(services, caller.owner, caller.nonce),
});
