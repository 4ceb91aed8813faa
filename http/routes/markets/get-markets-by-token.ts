import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findToken } from '../../views/index.ts';

/** GET /markets-by-token/{token_id}: the market of a token; both tokens give the same answer. */
export const getMarketsByToken = defineRoute({
  method: 'GET',
  path: '/markets-by-token/{token_id}',
  summary: 'The market that a token belongs to',
  auth: 'none',
  params: Type.Object({ token_id: TokenId }),
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Object({
    condition_id: Type.String(),
    primary_token_id: Type.String({ description: 'YES' }),
    secondary_token_id: Type.String({ description: 'NO' }),
    creator: Type.Null(),
  }),
  needs: ['registry'],
  handler: ({ params, services }) => {
    const { market } = findToken(services.registry, params.token_id);
    return {
      condition_id: market.conditionId,
      primary_token_id: market.tokenIds[0],
      secondary_token_id: market.tokenIds[1],
      creator: null,
    };
  },
});
