import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { Revoked, revokeKey } from '../../auth/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * DELETE /auth/api-key: revokes the key that signs, or another trading key of its owner (wire 1.3).
 * From this answer on the key is refused, for what it has sent before too. Its orders stay.
 */
export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/auth/api-key',
  summary: 'Revoke an API key',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: Type.Object({
    apiKey: Type.Optional(
      Type.String({ description: 'Another key of yours than the one that signs' }),
    ),
  }),
  body: NO_BODY,
  response: Revoked,
  needs: ['exchange', 'registry'],
  handler: async ({ query, caller, services }) => {
    const apiKey = query.apiKey || caller.apiKey;
    const { owner } = caller;
    await revokeKey(services, { owner, purpose: 'trading', apiKey, field: 'apiKey' });
    return { revoked: true };
  },
});
