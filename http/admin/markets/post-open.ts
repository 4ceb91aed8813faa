import { Type } from 'typebox';
import { createCommandOf } from '../../catalog/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';

/**
 * POST /markets/{condition_id}/open: a market that an import or a sync brought is traded from this
 * answer on, with the price step and the least size that its source said. One that trades already
 * stays as it is.
 */
export const postOpen = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/open',
  summary: 'Open an imported market for trading',
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  body: Type.Object(WHO_AND_WHY),
  response: Type.Object({
    market: Type.String(),
    token_ids: Type.Array(Type.String({ description: 'In the order of the outcomes' })),
    duplicate: Duplicate,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services: { exchange, registry } }) => {
    const { lookup, write } = exchange.catalog;
    const market = lookup.marketByCondition(params.condition_id.toLowerCase());
    if (market === undefined) {
      const actual = echo(params.condition_id);
      throw new ApiError('market_not_found', { field: 'condition_id', actual });
    }
    const { conditionId, tokenIds } = market;
    const answer = { market: conditionId, token_ids: [...tokenIds] };
    if (registry.market(conditionId) !== undefined) return { ...answer, duplicate: true };
    const tradable = lookup.tradableMarket(conditionId);
    if (tradable === undefined)
      throw new ApiError('market_not_tradable', { field: 'condition_id' });
    const { duplicate } = await act({ exchange }, createCommandOf(tradable), body);
    await write.markTraded({ conditionIds: [conditionId] });
    return { ...answer, duplicate };
  },
});
