import { Type } from 'typebox';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';

/** POST /markets/{condition_id}/close: cancels all its orders and ends its trading, for good. */
export const postClose = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/close',
  summary: "End a market's trading, for good",
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  body: Type.Object(WHO_AND_WHY),
  response: Type.Object({
    market: Type.String(),
    status: Type.Enum(['closed', 'resolved']),
    duplicate: Duplicate,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services: { exchange, registry } }) => {
    const { conditionId } = marketIn(registry, params.condition_id);
    const command = { kind: 'close_market', conditionId } as const;
    const { duplicate } = await act({ exchange }, command, body);
    const { status } = marketIn(registry, conditionId);
    return { market: conditionId, status, duplicate };
  },
});
