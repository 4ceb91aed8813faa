import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findToken } from '../../views/index.ts';

/** GET /neg-risk: which of the two exchange contracts an order of this token is signed for. */
export const getNegRisk = defineRoute({
  method: 'GET',
  path: '/neg-risk',
  summary: "Whether a token's market belongs to a neg-risk event",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId }),
  body: NO_BODY,
  response: Type.Object({ neg_risk: Type.Boolean() }),
  needs: ['registry'],
  handler: ({ query, services }) => ({
    neg_risk: findToken(services.registry, query.token_id).market.negRisk,
  }),
});
