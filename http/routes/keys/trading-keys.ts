/** The trading keys of an owner: create, derive, list and revoke (wire 1.3). */
import { Type } from 'typebox';
import {
  ApiCredentials,
  hasTradingKey,
  issueCredentials,
  Revoked,
  revokeKey,
} from '../../auth/issue.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { OptionalText, OrNull, Text } from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import type { IssuedKey } from '../../views/index.ts';

/** Throws `owner_not_admitted` where the operator opens accounts, and opened none for the owner. */
function checkAdmitted(
  owner: string,
  { settings, registry }: Pick<Services, 'settings' | 'registry'>,
): void {
  if (settings.newOwners === 'anyone' || registry.accountsOf(owner).length > 0) return;
  throw new ApiError('owner_not_admitted', { field: 'address', actual: owner });
}

/**
 * POST /auth/api-key: the credentials of the signer's nonce, issued if they do not exist. The first
 * key opens the signer's own account. The same nonce gets the same credentials again until the key
 * is revoked; then `nonce_revoked` names the next free nonce.
 */
export const createApiKey = defineRoute({
  method: 'POST',
  path: '/auth/api-key',
  summary: 'Create API credentials, or get those that exist',
  auth: 'l1',
  givesWay: true,
  response: ApiCredentials,
  needs: ['settings', 'exchange', 'registry', 'keyRing'],
  handler: ({ caller, services }) => {
    checkAdmitted(caller.owner, services);
    return issueCredentials(services, caller.owner, caller.nonce);
  },
});

/**
 * GET /auth/derive-api-key: the credentials of a nonce that has a key. For a revoked key,
 * `nonce_revoked` names the next free nonce.
 */
export const deriveApiKey = defineRoute({
  method: 'GET',
  path: '/auth/derive-api-key',
  summary: 'Get API credentials again',
  auth: 'l1',
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

const KeyMetadata = Type.Object({
  apiKey: Text('UUID'),
  nonce: Text('Decimal'),
  status: Type.Enum(['active', 'revoked']),
  createdAt: Text('ISO 8601'),
  revokedAt: OrNull(Type.String(), 'ISO 8601'),
});

function metadataOf({ apiKey, nonce, issuedMs, revokedMs }: IssuedKey) {
  return {
    apiKey,
    nonce,
    status: revokedMs === undefined ? 'active' : 'revoked',
    createdAt: isoTime(issuedMs),
    revokedAt: revokedMs === undefined ? null : isoTime(revokedMs),
  };
}

/**
 * GET /auth/api-keys: the caller's active trading keys, in order of issue. With `metadata=true` the
 * answer is a list of records, which `includeRevoked=true` extends to revoked keys.
 */
export const getApiKeys = defineRoute({
  method: 'GET',
  path: '/auth/api-keys',
  summary: 'Your API keys',
  auth: 'l2',
  query: Type.Object({
    metadata: Type.Boolean({ default: false, description: 'A list of records instead of ids' }),
    includeRevoked: Type.Boolean({ default: false, description: 'Only with `metadata=true`' }),
  }),
  response: Type.Union([
    Type.Object({ apiKeys: Type.Array(Text('UUID')) }),
    Type.Array(KeyMetadata),
  ]),
  needs: ['registry'],
  handler: ({ query, caller, services }) => {
    const keys = [...services.registry.keysOf(caller.owner, 'trading')];
    const active = keys.filter(({ revokedMs }) => revokedMs === undefined);
    if (!query.metadata) return { apiKeys: active.map(({ apiKey }) => apiKey) };
    return (query.includeRevoked ? keys : active).map(metadataOf);
  },
});

/**
 * DELETE /auth/api-key: revokes the key that signs, or another trading key of its owner. After this
 * answer every request with the key is refused, even if it was sent before. Its orders stay.
 */
export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/auth/api-key',
  summary: 'Revoke an API key',
  auth: 'l2',
  query: Type.Object({
    apiKey: OptionalText('Which of your keys to revoke; by default the one that signs'),
  }),
  response: Revoked,
  needs: ['exchange', 'registry'],
  handler: async ({ query, caller, services }) => {
    const apiKey = query.apiKey || caller.apiKey;
    const { owner } = caller;
    await revokeKey(services, { owner, purpose: 'trading', apiKey, field: 'apiKey' });
    return { revoked: true };
  },
});
