import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { issueNextKey } from '../../auth/index.ts';
import { defineRoute } from '../../services/index.ts';

/** POST /auth/builder-api-key: a new key for the builder headers of wire 2.6; not good for L2. */
export const createBuilderApiKey = defineRoute({
  method: 'POST',
  path: '/auth/builder-api-key',
  summary: 'Create a builder API key',
  auth: 'l2',
  givesWay: true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Object({
    key: Type.String({ description: 'UUID' }),
    secret: Type.String({ description: '32 bytes as padded base64url' }),
    passphrase: Type.String({ description: '64 hex digits' }),
  }),
  needs: ['exchange', 'registry', 'keyRing'],
  handler: async ({ caller, services }) => {
    const { apiKey, secret, passphrase } = await issueNextKey(services, caller.owner, 'builder');
    return { key: apiKey, secret, passphrase };
  },
});
