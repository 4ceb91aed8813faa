import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError } from '../../errors/index.ts';
import { formatTradeEvent, MarketTradeEvent, wordFinder } from '../../format/index.ts';
import { hashFilter } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /live-activity/events/{condition_id}: the newest trades of a market, newest first, at most
 * `READ_BOUNDS.liveTrades` (wire 1.7). Throws `invalid_parameter` and `market_not_found`.
 */
export const getLiveActivity = defineRoute({
  method: 'GET',
  path: '/live-activity/events/{condition_id}',
  summary: 'The newest trades of a market',
  auth: 'none',
  params: Type.Object({ condition_id: Type.String({ description: 'Condition id' }) }),
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Array(MarketTradeEvent),
  needs: ['exchange', 'registry'],
  handler: async ({ params, services: { exchange, registry } }) => {
    const { condition_id: actual } = params;
    const conditionId = hashFilter(actual, 'condition_id') ?? '';
    if (registry.market(conditionId) === undefined) {
      throw new ApiError('market_not_found', { field: 'condition_id', actual });
    }
    const { records } = await exchange.reader.trades({
      conditionId,
      takersOnly: true,
      offset: 0,
      limit: READ_BOUNDS.liveTrades,
    });
    const wordsOf = wordFinder(exchange.catalog.look);
    return records.map((trade) => formatTradeEvent(trade, wordsOf(conditionId)));
  },
});
