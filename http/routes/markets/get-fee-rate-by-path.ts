import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { getFeeRate } from './get-fee-rate.ts';

/** GET /fee-rate/{token_id}: GET /fee-rate with the token in the path (wire 1.1). */
export const getFeeRateByPath = defineRoute({
  ...getFeeRate,
  path: '/fee-rate/{token_id}',
  params: Type.Object({ token_id: TokenId }),
  query: NO_PARAMETERS,
  needs: ['registry'],
  handler: (input) => getFeeRate.handler({ ...input, params: {}, query: input.params }),
});
