/** The builder keys of an owner, which sign builder headers and nothing else (wire 1.3, 2.6). */
import { Type } from 'typebox';
import type { Caller } from '../../api/index.ts';
import { issueRequestedKey, Revoked, revokeKey } from '../../auth/issue.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { OptionalText, OrNull, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { Registry } from '../../views/index.ts';

/** POST /auth/builder-api-key: a new builder key. */
export const createBuilderApiKey = defineRoute({
  method: 'POST',
  path: '/auth/builder-api-key',
  summary: 'Create a builder API key',
  auth: 'l2',
  givesWay: true,
  response: Type.Object({
    key: Text('UUID'),
    secret: Text('32 bytes as padded base64url'),
    passphrase: Text('64 hex digits'),
  }),
  needs: ['exchange', 'registry', 'keyRing'],
  handler: async ({ caller, services }) => {
    const { apiKey, secret, passphrase } = await issueRequestedKey(services, caller, 'builder');
    return { key: apiKey, secret, passphrase };
  },
});

/** GET /auth/builder-api-key: the caller's builder keys, also revoked ones. */
export const getBuilderApiKeys = defineRoute({
  method: 'GET',
  path: '/auth/builder-api-key',
  summary: 'Your builder API keys',
  auth: 'l2',
  response: Type.Array(
    Type.Object({
      key: Text('UUID'),
      createdAt: Text('ISO 8601'),
      revokedAt: OrNull(Type.String(), 'ISO 8601; null while it is active'),
    }),
  ),
  needs: ['registry'],
  handler: ({ caller, services }) =>
    [...services.registry.keysOf(caller.owner, 'builder')].map(
      ({ apiKey, issuedMs, revokedMs }) => ({
        key: apiKey,
        createdAt: isoTime(issuedMs),
        revokedAt: revokedMs === undefined ? null : isoTime(revokedMs),
      }),
    ),
});

/** The keys that a request revokes. A builder key may revoke only itself. */
function keysToRevoke(
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
 * DELETE /auth/builder-api-key: with builder headers, revokes the key that signs them; with L2
 * headers, revokes the key that `key` names, or all builder keys of the owner. Published clients do
 * both.
 */
export const deleteBuilderApiKey = defineRoute({
  method: 'DELETE',
  path: '/auth/builder-api-key',
  summary: 'Revoke builder API keys',
  auth: 'builder',
  query: Type.Object({
    key: OptionalText('One of your builder keys; by default the one that signs, or with L2 all'),
  }),
  response: Revoked,
  needs: ['exchange', 'registry'],
  handler: async ({ query, caller, services }) => {
    const { owner } = caller;
    const keys = keysToRevoke(caller, query.key ?? '', services.registry);
    const field = 'key';
    await Promise.all(
      keys.map((apiKey) => revokeKey(services, { owner, purpose: 'builder', apiKey, field })),
    );
    return { revoked: true };
  },
});
