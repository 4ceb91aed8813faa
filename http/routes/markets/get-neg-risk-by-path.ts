import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { getNegRisk } from './get-neg-risk.ts';

/** GET /neg-risk/{token_id}: GET /neg-risk with the token in the path (wire 1.4). */
export const getNegRiskByPath = defineRoute({
  ...getNegRisk,
  path: '/neg-risk/{token_id}',
  params: Type.Object({ token_id: TokenId }),
  query: NO_PARAMETERS,
  needs: ['registry'],
  handler: (input) => getNegRisk.handler({ ...input, params: {}, query: input.params }),
});
