import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { ticksNumber } from '../../codec/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findToken } from '../../views/index.ts';

/** GET /tick-size: the price step of a token's market. */
export const getTickSize = defineRoute({
  method: 'GET',
  path: '/tick-size',
  summary: "The price step of a token's market",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId }),
  body: NO_BODY,
  response: Type.Object({ minimum_tick_size: Type.Number() }),
  needs: ['registry'],
  handler: ({ query, services }) => {
    const { market } = findToken(services.registry, query.token_id);
    return { minimum_tick_size: ticksNumber(market.tickTicks) };
  },
});
