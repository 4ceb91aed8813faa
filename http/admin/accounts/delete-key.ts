import { Type } from 'typebox';
import { ApiError, echo } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';

/**
 * DELETE /keys/{api_key}: revokes anybody's key of any purpose, for good. From this answer on it is
 * refused, for what it has sent before too. The orders that it placed stay.
 */
export const deleteKey = defineRoute({
  method: 'DELETE',
  path: '/keys/{api_key}',
  summary: 'Revoke an API key',
  auth: 'operator',
  params: Type.Object({ api_key: Type.String({ description: 'UUID' }) }),
  body: Type.Object(WHO_AND_WHY),
  response: Type.Object({
    api_key: Type.String(),
    owner: Type.String(),
    purpose: Type.Enum(['trading', 'readonly', 'builder']),
    revoked: Type.Literal(true),
    duplicate: Duplicate,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services }) => {
    const key = services.registry.apiKey(params.api_key.toLowerCase());
    if (key === undefined) {
      const actual = echo(params.api_key);
      throw new ApiError('api_key_unknown', { field: 'api_key', actual });
    }
    const { apiKey, owner, purpose } = key;
    const command = { kind: 'revoke_api_key', owner, apiKey } as const;
    const { duplicate } = await act(services, command, body);
    return { api_key: apiKey, owner, purpose, revoked: true, duplicate };
  },
});
