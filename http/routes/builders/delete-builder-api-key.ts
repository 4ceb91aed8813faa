import { Type } from 'typebox';
import { type Caller, NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { Revoked, revokeKey } from '../../auth/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { Registry } from '../../views/index.ts';

/** Which keys a request means: a builder key speaks for itself alone. */
function keysMeant(
  { owner, apiKey, purpose }: Caller,
  named: string,
  registry: Registry,
): readonly string[] {
  if (purpose === 'builder') {
    if (named === '' || named.toLowerCase() === apiKey) return [apiKey];
    throw new ApiError('api_key_unknown', { field: 'key', limit: apiKey, actual: echo(named) });
  }
  if (named !== '') return [named];
  return [...registry.keysOf(owner, 'builder')]
    .filter(({ revokedMs }) => revokedMs === undefined)
    .map((key) => key.apiKey);
}

/**
 * DELETE /auth/builder-api-key: with builder headers revokes the builder key that signs them, as
 * some clients ask for it; with L2 headers, as others do, all builder keys of the owner, or the one
 * that `key` names (wire 1.3).
 */
export const deleteBuilderApiKey = defineRoute({
  method: 'DELETE',
  path: '/auth/builder-api-key',
  summary: 'Revoke builder API keys',
  auth: 'builder',
  params: NO_PARAMETERS,
  query: Type.Object({
    key: Type.Optional(Type.String({ description: 'One builder key of yours' })),
  }),
  body: NO_BODY,
  response: Revoked,
  needs: ['exchange', 'registry'],
  handler: async ({ query, caller, services }) => {
    const { owner } = caller;
    const keys = keysMeant(caller, query.key ?? '', services.registry);
    const field = 'key';
    await Promise.all(
      keys.map((apiKey) => revokeKey(services, { owner, purpose: 'builder', apiKey, field })),
    );
    return { revoked: true };
  },
});
