import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { FeeRate, formatFeeRate, NO_FEES } from '../../format/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findToken } from '../../views/index.ts';

/**
 * GET /fee-rate: the fee schedule of a token's market. Fees are a market's own, so without a token
 * there are none.
 */
export const getFeeRate = defineRoute({
  method: 'GET',
  path: '/fee-rate',
  summary: "The fees of a token's market",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: Type.Optional(TokenId) }),
  body: NO_BODY,
  response: FeeRate,
  needs: ['registry'],
  handler: ({ query, services }) => {
    const { token_id } = query;
    if (token_id === undefined) return formatFeeRate(NO_FEES);
    return formatFeeRate(findToken(services.registry, token_id).market);
  },
});
