/** GET /explorer/markets/{condition_id}: state, terms, tokens and volume of a market. */
import { Type } from 'typebox';
import {
  complement,
  DAY_MS,
  ONE_TICKS,
  type Ticks,
  TRADING_TERMS,
} from '../../engine/model/index.ts';
import type { ExploredMarket } from '../../persistence/index.ts';
import { halfTicksText, isoTime, sumText, ticksText } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { textFinder } from '../format/index.ts';
import { hashIn, Text } from '../parameters/index.ts';
import { defineRoute } from '../services/index.ts';
import type { MarketEntry } from '../views/index.ts';
import { shownAs, shownRecord, Time } from './amounts.ts';
import { ExplorerMarket, ExplorerMarketToken } from './schemas.ts';

const TIMES = Type.Object({ ...Time('created'), ...Time('resolved') });

/** The prices of YES in the view of one of the outcomes. */
function tokenOf(market: MarketEntry, explored: ExploredMarket, outcome: 0 | 1, label: string) {
  const { midpoint, lastTicks, payoutTicks, yesLots, noLots } = explored;
  const of = (ticks: Ticks): string => ticksText(outcome === 0 ? ticks : complement(ticks));
  const half = outcome === 0 ? midpoint : 2 * ONE_TICKS - midpoint;
  return shownAs(ExplorerMarketToken, {
    ...{ tokenId: market.tokenIds[outcome], outcome, label },
    supplyLots: outcome === 0 ? yesLots : noLots,
    midpoint: midpoint === 0 ? null : halfTicksText(half),
    lastPrice: lastTicks === 0 ? null : of(lastTicks),
    payout: payoutTicks === null ? null : of(payoutTicks),
  });
}

function termsOf(market: MarketEntry): object {
  return Object.fromEntries(TRADING_TERMS.map((name) => [name, market[name]]));
}

export const getExplorerMarket = defineRoute({
  method: 'GET',
  path: '/explorer/markets/{condition_id}',
  summary: 'State, terms, tokens in existence and volume of a market',
  auth: 'operator',
  role: 'reader',
  params: Type.Object({ condition_id: Text('Condition id') }),
  response: ExplorerMarket,
  needs: ['exchange', 'registry'],
  handler: async ({ params, request, services }): Promise<ExplorerMarket> => {
    const { exchange, registry } = services;
    const conditionId = hashIn(params.condition_id, 'condition_id');
    const sinceMs = Math.max(0, request.nowMs - DAY_MS);
    const explored = await exchange.explorer.ask('exploredMarket', { conditionId, sinceMs });
    const market = registry.market(conditionId);
    if (explored === undefined || market === undefined) {
      const actual = echo(params.condition_id);
      throw new ApiError('market_not_found', { field: 'condition_id', actual });
    }
    const { question, slug, outcomes } = textFinder(exchange.catalog.lookup)(conditionId);
    const { lastTrade, volume } = explored;
    return {
      condition_id: conditionId,
      question,
      slug,
      event_id: market.eventId,
      neg_risk: market.negRisk,
      status: market.status,
      created_seq: explored.createdSeq,
      ...shownAs(TIMES, { createdMs: market.createdMs, resolvedMs: explored.resolvedMs ?? 0 }),
      terms: shownRecord(termsOf(market)),
      tokens: [
        tokenOf(market, explored, 0, outcomes[0]),
        tokenOf(market, explored, 1, outcomes[1]),
      ],
      volume_cash: sumText(volume.totalMicros),
      volume_24h_cash: sumText(volume.recentMicros),
      last_trade:
        lastTrade === undefined
          ? null
          : {
              id: lastTrade.tradeId,
              seq: lastTrade.seq,
              time_ms: lastTrade.timeMs,
              time: isoTime(lastTrade.timeMs),
            },
    };
  },
});
