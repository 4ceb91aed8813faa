import { Type } from 'typebox';
import { ticksText } from '../../codec/index.ts';
import { Text } from '../../parameters/index.ts';
import { marketIn, ticksIn } from '../../views/index.ts';
import { actionRoute } from '../shared/action-route.ts';
import { approvedResolution, RESOLUTION_STATUS } from './approval.ts';
import { REDEEM_ALL, REDEEMS_ALL, redeemAllOf } from './redeem-all.ts';

const MarketPath = Type.Object({ condition_id: Type.String() });

const State = Type.Enum(['open', 'cancel_only', 'halted'], {
  description:
    'open: everything is allowed; cancel_only: orders can be cancelled but not placed; halted: ' +
    'nothing is allowed',
});

/** POST /exchange/state: opens or pauses the exchange. Opening it trusts the wall clock again. */
export const postExchangeState = actionRoute({
  path: '/exchange/state',
  summary: 'Open or pause the exchange',
  body: { state: State },
  response: { state: State },
  needs: ['clock'],
  commandOf: ({ body: { state }, services }) => {
    // Before the command, so that orders that expired by this clock are gone when trading opens.
    if (state === 'open') services.clock.trust();
    return { kind: 'set_trading_state', conditionId: '', state };
  },
  answerOf: ({ state }) => ({ state }),
});

/**
 * POST /markets/{condition_id}/state: opens or pauses a market. While the exchange is paused, that
 * applies to the market too.
 */
export const postMarketState = actionRoute({
  path: '/markets/{condition_id}/state',
  summary: 'Open or pause a market',
  params: MarketPath,
  body: { state: State },
  response: { market: Type.String(), state: State },
  needs: ['registry'],
  commandOf: ({ params, body: { state }, services: { registry } }) => {
    const { conditionId } = marketIn(registry, params.condition_id);
    return { kind: 'set_trading_state', conditionId, state };
  },
  answerOf: ({ conditionId, state }) => ({ market: conditionId, state }),
});

/** POST /markets/{condition_id}/close: cancels all orders of a market and ends its trading. */
export const postClose = actionRoute({
  path: '/markets/{condition_id}/close',
  summary: "End a market's trading permanently",
  params: MarketPath,
  response: { market: Type.String(), status: Type.Enum(['closed', 'resolved']) },
  needs: ['registry'],
  commandOf: ({ params, services: { registry } }) => {
    const { conditionId } = marketIn(registry, params.condition_id);
    return { kind: 'close_market', conditionId };
  },
  answerOf: ({ conditionId }, { services: { registry } }) => {
    return { market: conditionId, status: marketIn(registry, conditionId).status };
  },
});

/**
 * POST /markets/{condition_id}/resolve: sets what a YES token pays; a NO token pays the rest of 1.
 * It cancels all orders. A market of an open neg-risk event resolves only with its event. Where
 * resolutions need two operators, the first request waits for the same one of another operator.
 */
export const postResolve = actionRoute({
  path: '/markets/{condition_id}/resolve',
  summary: 'Resolve a market permanently',
  params: MarketPath,
  body: {
    payout: Text('What a YES token pays: 1, 0, 0.5, or any price with up to 4 decimals'),
    ...REDEEM_ALL,
  },
  response: {
    market: Type.String(),
    payout: Type.String(),
    ...RESOLUTION_STATUS,
    ...REDEEMS_ALL,
  },
  needs: ['settings', 'registry', 'operators', 'approvals'],
  commandOf: ({ params, body, services: { registry, settings } }) => {
    const { conditionId } = marketIn(registry, params.condition_id);
    const payoutTicks = ticksIn('payout', body.payout);
    const redeemAll = redeemAllOf(body, settings);
    return { kind: 'resolve_market', conditionId, payoutTicks, redeemAll };
  },
  answerOf: ({ conditionId, payoutTicks }, { services: { registry } }) => ({
    market: conditionId,
    payout: ticksText(payoutTicks),
    status: 'resolved',
    redeem_all: marketIn(registry, conditionId).redeemsAll,
  }),
  approvalOf: (command, said, { services, request: { nowMs } }) =>
    approvedResolution(command, said, { services, nowMs }),
  waitingAnswer: ({ redeemAll }) => ({ status: 'awaiting_approval', redeem_all: redeemAll }),
});
