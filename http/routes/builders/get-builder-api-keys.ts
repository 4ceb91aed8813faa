import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { isoTime } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET /auth/builder-api-key: the caller's builder keys, revoked ones too (wire 1.3). */
export const getBuilderApiKeys = defineRoute({
  method: 'GET',
  path: '/auth/builder-api-key',
  summary: 'Your builder API keys',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Array(
    Type.Object({
      key: Type.String({ description: 'UUID' }),
      createdAt: Type.String({ description: 'ISO 8601' }),
      revokedAt: Type.Union([Type.String(), Type.Null()], {
        description: 'ISO 8601; null while it is good',
      }),
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
