import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { revokeKey } from '../../auth/index.ts';
import { defineRoute } from '../../services/index.ts';

/** DELETE /auth/readonly-api-key: revokes a read-only key of the caller (wire 1.3). */
export const deleteReadonlyApiKey = defineRoute({
  method: 'DELETE',
  path: '/auth/readonly-api-key',
  summary: 'Revoke a read-only API key',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: Type.Object({ key: Type.String({ description: 'UUID' }) }),
  response: Type.Object({ deleted: Type.Literal(true) }),
  needs: ['exchange', 'registry'],
  handler: async ({ body, caller, services }) => {
    const { owner } = caller;
    await revokeKey(services, { owner, purpose: 'readonly', apiKey: body.key, field: 'key' });
    return { deleted: true };
  },
});
