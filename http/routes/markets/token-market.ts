/** Routes that return one property of a token's market (wire 1.1, 1.4). Some have two forms. */
import { Type } from 'typebox';
import { ticksNumber } from '../../codec/index.ts';
import { FeeRate, formatFeeRate, NO_FEES } from '../../format/index.ts';
import { Text, TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findToken, type Registry } from '../../views/index.ts';

const Token = Type.Object({ token_id: TokenId });
type Token = Type.Static<typeof Token>;

/** GET /tick-size: the price step of a token's market. */
export const getTickSize = defineRoute({
  method: 'GET',
  path: '/tick-size',
  summary: "The price step of a token's market",
  auth: 'none',
  query: Token,
  response: Type.Object({ minimum_tick_size: Type.Number() }),
  needs: ['registry'],
  handler: ({ query, services }) => {
    const { market } = findToken(services.registry, query.token_id);
    return { minimum_tick_size: ticksNumber(market.tickTicks) };
  },
});

const NEG_RISK = {
  method: 'GET',
  summary: "Whether a token's market belongs to a neg-risk event",
  auth: 'none',
  response: Type.Object({ neg_risk: Type.Boolean() }),
  needs: ['registry'],
} as const;

function negRiskOf(registry: Registry, { token_id }: Token) {
  return { neg_risk: findToken(registry, token_id).market.negRisk };
}

/** GET /neg-risk: which of the two exchange contracts an order of this token is signed for. */
export const getNegRisk = defineRoute({
  ...NEG_RISK,
  path: '/neg-risk',
  query: Token,
  handler: ({ query, services }) => negRiskOf(services.registry, query),
});

/** GET /neg-risk/{token_id}: the same. */
export const getNegRiskByPath = defineRoute({
  ...NEG_RISK,
  path: '/neg-risk/{token_id}',
  params: Token,
  handler: ({ params, services }) => negRiskOf(services.registry, params),
});

const FEE_RATE = {
  method: 'GET',
  summary: "The fees of a token's market",
  auth: 'none',
  response: FeeRate,
  needs: ['registry'],
} as const;

/** GET /fee-rate: the fees of a token's market; no fees where no token is named. */
export const getFeeRate = defineRoute({
  ...FEE_RATE,
  path: '/fee-rate',
  query: Type.Object({ token_id: Type.Optional(TokenId) }),
  handler: ({ query: { token_id }, services: { registry } }) =>
    formatFeeRate(token_id === undefined ? NO_FEES : findToken(registry, token_id).market),
});

/** GET /fee-rate/{token_id}: the same. */
export const getFeeRateByPath = defineRoute({
  ...FEE_RATE,
  path: '/fee-rate/{token_id}',
  params: Token,
  handler: ({ params, services }) =>
    formatFeeRate(findToken(services.registry, params.token_id).market),
});

/** GET /markets-by-token/{token_id}: the market of a token; both tokens get the same answer. */
export const getMarketsByToken = defineRoute({
  method: 'GET',
  path: '/markets-by-token/{token_id}',
  summary: 'The market that a token belongs to',
  auth: 'none',
  params: Token,
  response: Type.Object({
    condition_id: Type.String(),
    primary_token_id: Text('YES'),
    secondary_token_id: Text('NO'),
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
