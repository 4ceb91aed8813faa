import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { addressFilter } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /auth/validate-readonly-api-key: whether a key is a good read-only key of an address
 * (wire 1.3). Public, and the same answer for a key of another kind, of somebody else, that was
 * revoked, or that is none.
 */
export const validateReadonlyApiKey = defineRoute({
  method: 'GET',
  path: '/auth/validate-readonly-api-key',
  summary: 'Whether a read-only API key is good',
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({
    address: Type.String({ description: 'Wallet that the key is said to read for' }),
    key: Type.String({ description: 'UUID' }),
  }),
  body: NO_BODY,
  response: Type.Object({ valid: Type.Boolean() }),
  needs: ['registry'],
  handler: ({ query, services }) => {
    const owner = addressFilter(query.address, 'address');
    const key = services.registry.apiKey(query.key.toLowerCase());
    const isLive = key?.purpose === 'readonly' && key.revokedMs === undefined;
    return { valid: isLive && key.owner === owner };
  },
});
