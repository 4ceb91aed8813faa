import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { ApiCredentials, issueNextKey } from '../../auth/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * POST /auth/readonly-api-key: a new key that may call GET routes alone, and sees there what its
 * owner sees (wire 1.3). Published clients read `apiKey` alone; secret and passphrase stand beside
 * it because nothing can be signed without them, and are told here only.
 */
export const createReadonlyApiKey = defineRoute({
  method: 'POST',
  path: '/auth/readonly-api-key',
  summary: 'Create a read-only API key',
  auth: 'l2',
  givesWay: true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: ApiCredentials,
  needs: ['exchange', 'registry', 'keyRing'],
  handler: ({ caller, services }) => issueNextKey(services, caller.owner, 'readonly'),
});
