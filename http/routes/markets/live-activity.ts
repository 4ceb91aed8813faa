import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { formatTradeEvent, MarketTradeEvent, textFinder } from '../../format/index.ts';
import { hashFilter, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

/**
 * The newest trades of a market, newest first, at most `READ_BOUNDS.liveTrades` (wire 1.7). Throws
 * `invalid_parameter` and `market_not_found`.
 */
function liveActivityAt(path: string) {
  return defineRoute({
    method: 'GET',
    path,
    summary: 'The newest trades of a market',
    auth: 'none',
    params: Type.Object({ condition_id: Text('Condition id') }),
    response: Type.Array(MarketTradeEvent),
    needs: ['exchange', 'registry'],
    handler: async ({ params, services: { exchange, registry } }) => {
      // A malformed condition id is an invalid parameter, not an unknown market.
      hashFilter(params.condition_id, 'condition_id');
      const { conditionId } = marketIn(registry, params.condition_id);
      const { records } = await exchange.reader.trades({
        conditionId,
        takersOnly: true,
        offset: 0,
        limit: READ_BOUNDS.liveTrades,
      });
      const textsOf = textFinder(exchange.catalog.lookup);
      return records.map((trade) => formatTradeEvent(trade, textsOf(conditionId)));
    },
  });
}

export const getLiveActivity = liveActivityAt('/live-activity/events/{condition_id}');

/** The same route at the path that newer clients use (wire 1.1). */
export const getMarketsLiveActivity = liveActivityAt('/markets/live-activity/{condition_id}');
