import { Type } from 'typebox';
import { FeeRate, zeroFeeRate } from '../format/fees.ts';
import { TokenId } from '../format/token-id.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import { findToken } from '../views/find-book.ts';

/** GET /fee-rate: the fee schedule of a token's market, or of the exchange without a token. */
export const getFeeRate = defineRoute({
  method: 'GET',
  path: '/fee-rate',
  summary: "The fees of a token's market",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: Type.Optional(TokenId) }),
  body: NO_BODY,
  response: FeeRate,
  handler: ({ query, services }) => {
    // The token must exist, though every market has the same fees: none.
    if (query.token_id !== undefined) findToken(services.registry, query.token_id);
    return zeroFeeRate();
  },
});
