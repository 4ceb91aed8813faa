import { Type } from 'typebox';
import { ticksText } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn, ticksIn } from '../../views/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';
import { REDEEM_ALL, REDEEMS_ALL, redeemAllOf } from './post-events.ts';

/**
 * POST /markets/{condition_id}/resolve: says what a YES token pays, for good; a NO token pays the
 * rest of 1. Cancels all orders. A market of an open event resolves with its event.
 */
export const postResolve = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/resolve',
  summary: 'Resolve a market, for good',
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  body: Type.Object({
    payout: Type.String({ description: 'Of a YES token: 1, 0, 0.5, or any price of 4 decimals' }),
    ...REDEEM_ALL,
    ...WHO_AND_WHY,
  }),
  response: Type.Object({
    market: Type.String(),
    payout: Type.String(),
    status: Type.Literal('resolved'),
    ...REDEEMS_ALL,
    duplicate: Duplicate,
  }),
  needs: ['settings', 'exchange', 'registry'],
  handler: async ({ params, body, services }) => {
    const { registry, settings } = services;
    const { conditionId } = marketIn(registry, params.condition_id);
    const payoutTicks = ticksIn('payout', body.payout);
    const redeemAll = redeemAllOf(body, settings);
    const command = { kind: 'resolve_market', conditionId, payoutTicks, redeemAll } as const;
    const { duplicate } = await act(services, command, body);
    return {
      market: conditionId,
      payout: ticksText(payoutTicks),
      status: 'resolved',
      redeem_all: marketIn(registry, conditionId).redeemsAll,
      duplicate,
    };
  },
});
