import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { isoTime } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { IssuedKey } from '../../views/index.ts';

const KeyMetadata = Type.Object({
  apiKey: Type.String({ description: 'UUID' }),
  nonce: Type.String({ description: 'Decimal' }),
  status: Type.Enum(['active', 'revoked']),
  createdAt: Type.String({ description: 'ISO 8601' }),
  revokedAt: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601' }),
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
 * GET /auth/api-keys: the caller's trading keys that are good, in order of issue (wire 1.3). With
 * `metadata=true` it is a list of records, on request with the revoked ones.
 */
export const getApiKeys = defineRoute({
  method: 'GET',
  path: '/auth/api-keys',
  summary: 'Your API keys',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: Type.Object({
    metadata: Type.Boolean({ default: false, description: 'A list of records instead of ids' }),
    includeRevoked: Type.Boolean({ default: false, description: 'With metadata alone' }),
  }),
  body: NO_BODY,
  response: Type.Union([
    Type.Object({ apiKeys: Type.Array(Type.String({ description: 'UUID' })) }),
    Type.Array(KeyMetadata),
  ]),
  needs: ['registry'],
  handler: ({ query, caller, services }) => {
    const keys = [...services.registry.keysOf(caller.owner, 'trading')];
    const live = keys.filter(({ revokedMs }) => revokedMs === undefined);
    if (!query.metadata) return { apiKeys: live.map(({ apiKey }) => apiKey) };
    return (query.includeRevoked ? keys : live).map(metadataOf);
  },
});
