/**
 * The routes that cancel all orders, or those that pass a filter, oldest first (wire 1.6).
 *
 * A request that is sent twice cancels twice (docs/decisions/0009-what-owners-can-take-back.md).
 * Replaying the first answer would be wrong: two honest requests within a second have the same
 * signature, and an order placed between them would be reported as cancelled while it is live.
 */
import { Type } from 'typebox';
import { ApiError } from '../../errors/index.ts';
import type { CancelFilter } from '../../orders/intake.ts';
import { hashFilter, OrNull, tokenFilter } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { Registry } from '../../views/index.ts';
import { CancelResult, cancelFiltered } from './cancel-result.ts';

/** DELETE /cancel-all: cancels the live orders of all the caller's accounts. */
export const deleteAllOrders = defineRoute({
  method: 'DELETE',
  path: '/cancel-all',
  summary: 'Cancel all your orders',
  auth: 'l2',
  response: CancelResult,
  needs: ['exchange', 'registry', 'intake', 'limits'],
  handler: ({ caller, services }) =>
    cancelFiltered(services, caller, { conditionId: '', tokenId: '' }),
});

/** A filter that is left out, null or '' is unset: published clients send each of these. */
function filter(description: string) {
  return Type.Optional(OrNull(Type.String(), description));
}

const CancelBody = Type.Object(
  {
    market: filter('Condition id'),
    asset_id: filter('Token id'),
    assetId: filter('The same as asset_id'),
  },
  { description: 'At least one filter; an order has to pass all of them' },
);
type CancelBody = Type.Static<typeof CancelBody>;

const MARKET_FIELD = 'market';

function marketIn(body: CancelBody, registry: Registry): string {
  const conditionId = hashFilter(body.market ?? '', MARKET_FIELD);
  if (conditionId === undefined) return '';
  if (registry.market(conditionId) !== undefined) return conditionId;
  throw new ApiError('market_unknown', { field: MARKET_FIELD, actual: conditionId });
}

/** The token, in either spelling of its key. */
function tokenIn(body: CancelBody, registry: Registry): string {
  const tokens = (['asset_id', 'assetId'] as const).map((field) => {
    const tokenId = tokenFilter(body[field] ?? '', field);
    if (tokenId === undefined || registry.token(tokenId) !== undefined) return tokenId;
    throw new ApiError('token_unknown', { field, actual: tokenId });
  });
  const [first = '', second = first] = tokens.filter((tokenId) => tokenId !== undefined);
  if (first === second) return first;
  throw new ApiError('invalid_payload', { field: 'assetId', limit: first, actual: second });
}

function filterIn(body: CancelBody, registry: Registry): CancelFilter {
  const conditionId = marketIn(body, registry);
  const tokenId = tokenIn(body, registry);
  if (conditionId !== '' || tokenId !== '') return { conditionId, tokenId };
  // No filter does not mean all orders: the client may have lost its filter.
  const limit = 'market, asset_id or both';
  throw new ApiError('invalid_payload', { field: 'body', limit, actual: 'neither' });
}

/**
 * DELETE /cancel-market-orders: cancels the caller's live orders in a market or of a token. A token
 * of another market than `market` matches no order.
 */
export const cancelMarketOrders = defineRoute({
  method: 'DELETE',
  path: '/cancel-market-orders',
  summary: 'Cancel your orders in a market, or of a token',
  auth: 'l2',
  body: CancelBody,
  response: CancelResult,
  needs: ['exchange', 'registry', 'intake', 'limits'],
  handler: ({ body, caller, services }) =>
    cancelFiltered(services, caller, filterIn(body, services.registry)),
});
