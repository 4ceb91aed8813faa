/** The read-only keys of an owner, which may call only GET routes (wire 1.3). */
import { Type } from 'typebox';
import { ApiCredentials, issueRequestedKey, revokeKey } from '../../auth/issue.ts';
import { addressFilter, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * POST /auth/readonly-api-key: a new key that sees what its owner sees. Published clients read only
 * `apiKey`. Signing also needs secret and passphrase, which no other route shows.
 */
export const createReadonlyApiKey = defineRoute({
  method: 'POST',
  path: '/auth/readonly-api-key',
  summary: 'Create a read-only API key',
  auth: 'l2',
  givesWay: true,
  response: ApiCredentials,
  needs: ['exchange', 'registry', 'keyRing'],
  handler: ({ caller, services }) => issueRequestedKey(services, caller, 'readonly'),
});

/** GET /auth/readonly-api-keys: the caller's active read-only keys. */
export const getReadonlyApiKeys = defineRoute({
  method: 'GET',
  path: '/auth/readonly-api-keys',
  summary: 'Your read-only API keys',
  auth: 'l2',
  response: Type.Array(Text('UUID')),
  needs: ['registry'],
  handler: ({ caller, services }) =>
    [...services.registry.keysOf(caller.owner, 'readonly')]
      .filter(({ revokedMs }) => revokedMs === undefined)
      .map(({ apiKey }) => apiKey),
});

/** DELETE /auth/readonly-api-key: revokes a read-only key of the caller. */
export const deleteReadonlyApiKey = defineRoute({
  method: 'DELETE',
  path: '/auth/readonly-api-key',
  summary: 'Revoke a read-only API key',
  auth: 'l2',
  body: Type.Object({ key: Text('UUID') }),
  response: Type.Object({ deleted: Type.Literal(true) }),
  needs: ['exchange', 'registry'],
  handler: async ({ body, caller, services }) => {
    const { owner } = caller;
    await revokeKey(services, { owner, purpose: 'readonly', apiKey: body.key, field: 'key' });
    return { deleted: true };
  },
});

/**
 * GET /auth/validate-readonly-api-key: whether a key is an active read-only key of an address.
 * The route is public, so the answer is the same for a key that is unknown, revoked, of another
 * kind or of another owner.
 */
export const validateReadonlyApiKey = defineRoute({
  method: 'GET',
  path: '/auth/validate-readonly-api-key',
  summary: 'Whether a read-only API key is active',
  auth: 'none',
  query: Type.Object({
    address: Text("The owner's address"),
    key: Text('UUID'),
  }),
  response: Type.Object({ valid: Type.Boolean() }),
  needs: ['registry'],
  handler: ({ query, services }) => {
    const owner = addressFilter(query.address, 'address');
    const key = services.registry.apiKey(query.key.toLowerCase());
    const isActive = key?.purpose === 'readonly' && key.revokedMs === undefined;
    return { valid: isActive && key.owner === owner };
  },
});
