import { Type } from 'typebox';
import { KEY_PURPOSES, STANDINGS } from '../../../engine/model/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { OrNull, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { actionRoute } from '../shared/action-route.ts';
import { WalletKindSchema } from './accounts.ts';

const Purpose = Type.Enum([...KEY_PURPOSES]);
const OwnerPath = Type.Object({
  address: Text('The externally owned address that signs'),
});

/**
 * GET /owners/{address}: the standing of an owner, its valid keys, and its accounts by page in the
 * order in which they were opened. An unknown owner is in good standing and has neither keys nor
 * accounts. Everything that the answer shows is durable.
 */
export const getOwner = defineRoute({
  method: 'GET',
  path: '/owners/{address}',
  summary: 'Standing, keys and accounts of an owner',
  auth: 'operator',
  params: OwnerPath,
  query: Type.Object({
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.accountsPerPage, default: 100 }),
  }),
  response: Type.Object({
    owner: Type.String(),
    standing: Type.Enum([...STANDINGS]),
    keys: Type.Array(
      Type.Object({
        api_key: Text('UUID, for DELETE /keys/{api_key}'),
        purpose: Purpose,
        nonce: Type.String(),
        issued: Text('ISO 8601'),
      }),
    ),
    accounts: Type.Array(Type.Object({ address: Type.String(), wallet: WalletKindSchema })),
    next_offset: OrNull(Type.Integer(), '`offset` of the next page of accounts; null for none'),
  }),
  needs: ['registry'],
  handler: ({ params, query: { offset, limit }, services: { registry } }) => {
    const owner = addressIn('address', params.address);
    const keys = KEY_PURPOSES.flatMap((purpose) => [...registry.keysOf(owner, purpose)])
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

/**
 * GET /owners: the owners whose standing is not `good`. A change from one restriction to another
 * keeps the place of an owner.
 */
export const getOwners = defineRoute({
  method: 'GET',
  path: '/owners',
  summary: 'Owners that are restricted',
  auth: 'operator',
  query: Type.Object({
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.accountsPerPage, default: 100 }),
  }),
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        owner: Type.String(),
        standing: Type.Enum([...STANDINGS]),
        accounts: Type.Integer({ description: 'Its number of accounts' }),
      }),
    ),
    next_offset: OrNull(Type.Integer(), '`offset` of the next page; null for none'),
  }),
  needs: ['registry'],
  handler: ({ query: { offset, limit }, services: { registry } }) => {
    const end = offset + limit;
    const data = [];
    let place = 0;
    for (const [owner, standing] of registry.restrictedOwners()) {
      if (place === end) return { data, next_offset: end };
      if (place >= offset) {
        data.push({ owner, standing, accounts: registry.accountsOf(owner).length });
      }
      place += 1;
    }
    return { data, next_offset: null };
  },
});

const Standing = Type.Enum([...STANDINGS], {
  description:
    'good: everything is allowed; closed_only: no buying; banned: only cancels, merges and ' +
    'redemptions',
});

/**
 * POST /owners/{address}/standing: restricts an owner with all its accounts, or lifts the
 * restriction. It cancels the orders that are no longer allowed. The owner may have no account yet.
 */
export const postStanding = actionRoute({
  path: '/owners/{address}/standing',
  summary: 'Ban an owner, allow it only to close positions, or lift the restriction',
  params: OwnerPath,
  body: { standing: Standing },
  response: { owner: Type.String(), standing: Standing },
  commandOf: ({ params, body: { standing } }) => ({
    kind: 'set_standing',
    owner: addressIn('address', params.address),
    standing,
  }),
  answerOf: ({ owner, standing }) => ({ owner, standing }),
});

/**
 * DELETE /keys/{api_key}: revokes a key of any owner and purpose permanently. After this answer
 * every request with the key is refused, even if it was sent before. Orders that it placed stay.
 */
export const deleteKey = actionRoute({
  method: 'DELETE',
  path: '/keys/{api_key}',
  summary: 'Revoke an API key',
  params: Type.Object({ api_key: Text('UUID') }),
  response: {
    api_key: Type.String(),
    owner: Type.String(),
    purpose: Purpose,
    revoked: Type.Literal(true),
  },
  needs: ['registry'],
  commandOf: ({ params, services }) => {
    const key = services.registry.apiKey(params.api_key.toLowerCase());
    if (key === undefined) {
      throw new ApiError('api_key_unknown', { field: 'api_key', actual: echo(params.api_key) });
    }
    return { kind: 'revoke_api_key', owner: key.owner, apiKey: key.apiKey };
  },
  answerOf: ({ apiKey, owner }, { services }) => ({
    api_key: apiKey,
    owner,
    purpose: services.registry.apiKey(apiKey)?.purpose,
    revoked: true,
  }),
});
