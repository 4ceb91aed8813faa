import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { isoTime } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';

const PURPOSES = ['trading', 'readonly', 'builder'] as const;

/**
 * GET /owners/{address}: the standing of an owner, its keys that are not revoked, and its accounts
 * a page at a time, in the order in which they were opened. One that nothing is known of is good
 * and has none. What it shows is durable.
 */
export const getOwner = defineRoute({
  method: 'GET',
  path: '/owners/{address}',
  summary: 'Standing, keys and accounts of an owner',
  auth: 'operator',
  params: Type.Object({
    address: Type.String({ description: 'The externally owned address that signs' }),
  }),
  query: Type.Object({
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.accountsPerPage, default: 100 }),
  }),
  response: Type.Object({
    owner: Type.String(),
    standing: Type.Enum(['good', 'closed_only', 'banned']),
    keys: Type.Array(
      Type.Object({
        api_key: Type.String({ description: 'UUID, for DELETE /keys/{api_key}' }),
        purpose: Type.Enum([...PURPOSES]),
        nonce: Type.String(),
        issued: Type.String({ description: 'ISO 8601' }),
      }),
    ),
    accounts: Type.Array(
      Type.Object({
        address: Type.String(),
        wallet: Type.Enum(['eoa', 'proxy', 'safe', 'deposit']),
      }),
    ),
    next_offset: Type.Union([Type.Integer(), Type.Null()], {
      description: '`offset` of the next page of accounts; null for none',
    }),
  }),
  needs: ['registry'],
  handler: ({ params, query: { offset, limit }, services: { registry } }) => {
    const owner = addressIn('address', params.address);
    const keys = PURPOSES.flatMap((purpose) => [...registry.keysOf(owner, purpose)])
      .filter((key) => key.revokedMs === undefined)
      .map(({ apiKey, purpose, nonce, issuedMs }) => ({
        api_key: apiKey,
        purpose,
        nonce,
        issued: isoTime(issuedMs),
      }));
    const all = registry.accountsOf(owner);
    const end = offset + limit;
    const accounts = all.slice(offset, end).map(({ address, wallet }) => ({ address, wallet }));
    const next_offset = end < all.length ? end : null;
    return { owner, standing: registry.standingOf(owner), keys, accounts, next_offset };
  },
});
