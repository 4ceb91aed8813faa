import { Type } from 'typebox';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';

const State = Type.Enum(['open', 'cancel_only', 'halted'], {
  description: 'All goes; orders are cancelled but not placed; nothing goes',
});
const StateBody = Type.Object({ state: State, ...WHO_AND_WHY });

/** POST /exchange/state: opens or pauses everything (design 7); who opens it trusts its clock. */
export const postExchangeState = defineRoute({
  method: 'POST',
  path: '/exchange/state',
  summary: 'Open or pause the exchange',
  auth: 'operator',
  body: StateBody,
  response: Type.Object({ state: State, duplicate: Duplicate }),
  needs: ['clock', 'exchange'],
  handler: async ({ body, services }) => {
    const { state } = body;
    const command = { kind: 'set_trading_state', conditionId: '', state } as const;
    // Before the command: what is due by the clock that is trusted anew is gone when orders meet.
    if (state === 'open') services.clock.trust();
    return { state, duplicate: (await act(services, command, body)).duplicate };
  },
});

/** POST /markets/{condition_id}/state: opens or pauses one market; the exchange's holds too. */
export const postMarketState = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/state',
  summary: 'Open or pause a market',
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  body: StateBody,
  response: Type.Object({ market: Type.String(), state: State, duplicate: Duplicate }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services }) => {
    const { conditionId } = marketIn(services.registry, params.condition_id);
    const { state } = body;
    const command = { kind: 'set_trading_state', conditionId, state } as const;
    const { duplicate } = await act(services, command, body);
    return { market: conditionId, state, duplicate };
  },
});
