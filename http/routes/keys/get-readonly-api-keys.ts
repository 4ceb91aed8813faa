import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET /auth/readonly-api-keys: the caller's read-only keys that are good (wire 1.3). */
export const getReadonlyApiKeys = defineRoute({
  method: 'GET',
  path: '/auth/readonly-api-keys',
  summary: 'Your read-only API keys',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Array(Type.String({ description: 'UUID' })),
  needs: ['registry'],
  handler: ({ caller, services }) =>
    [...services.registry.keysOf(caller.owner, 'readonly')]
      .filter(({ revokedMs }) => revokedMs === undefined)
      .map(({ apiKey }) => apiKey),
});
