/** Routes that return one property of a token's market (wire 1.1, 1.4). Some have two paths. */
import { type TSchema, Type } from 'typebox';
import { ticksNumber } from '../../codec/index.ts';
import { FeeRate, formatFeeRate, NO_FEES } from '../../format/index.ts';
import { Text, TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findToken, type MarketEntry } from '../../views/index.ts';

const Token = Type.Object({ token_id: TokenId });

interface Property {
  readonly summary: string;
  readonly response: TSchema;
  readonly answerOf: (market: MarketEntry) => object;
}

/** The route of a property, with the token in the query. */
function byQuery(path: string, { summary, response, answerOf }: Property) {
  return defineRoute({
    method: 'GET',
    path,
    summary,
    auth: 'none',
    query: Token,
    response,
    needs: ['registry'],
    handler: ({ query, services }) => answerOf(findToken(services.registry, query.token_id).market),
  });
}

/** The route of a property, with the token in the path. */
function byPath<const Path extends string, R extends TSchema>(
  path: Path,
  { summary, response, answerOf }: Property & { readonly response: R },
) {
  return defineRoute({
    method: 'GET',
    path: `${path}/{token_id}` as const,
    summary,
    auth: 'none',
    params: Token,
    response,
    needs: ['registry'],
    handler: ({ params, services }) =>
      answerOf(findToken(services.registry, params.token_id).market),
  });
}

const TICK_SIZE: Property = {
  summary: "The price step of a token's market",
  response: Type.Object({ minimum_tick_size: Type.Number() }),
  answerOf: ({ tickTicks }) => ({ minimum_tick_size: ticksNumber(tickTicks) }),
};

export const getTickSize = byQuery('/tick-size', TICK_SIZE);
export const getTickSizeByPath = byPath('/tick-size', TICK_SIZE);

/** Decides for which of the two exchange contracts an order of the token must be signed. */
const NEG_RISK: Property = {
  summary: "Whether a token's market belongs to a neg-risk event",
  response: Type.Object({ neg_risk: Type.Boolean() }),
  answerOf: ({ negRisk }) => ({ neg_risk: negRisk }),
};

export const getNegRisk = byQuery('/neg-risk', NEG_RISK);
export const getNegRiskByPath = byPath('/neg-risk', NEG_RISK);

const FEE_RATE: Property = {
  summary: "The fees of a token's market",
  response: FeeRate,
  answerOf: formatFeeRate,
};

/** GET /fee-rate: the fees of a token's market; no fees if no token is named. */
export const getFeeRate = defineRoute({
  ...byQuery('/fee-rate', FEE_RATE),
  query: Type.Object({ token_id: Type.Optional(TokenId) }),
  handler: ({ query: { token_id }, services: { registry } }) =>
    formatFeeRate(token_id === undefined ? NO_FEES : findToken(registry, token_id).market),
});
export const getFeeRateByPath = byPath('/fee-rate', FEE_RATE);

/** GET /markets-by-token/{token_id}: both tokens of a market get the same answer. */
export const getMarketsByToken = byPath('/markets-by-token', {
  summary: 'The market that a token belongs to',
  response: Type.Object({
    condition_id: Type.String(),
    primary_token_id: Text('The YES token'),
    secondary_token_id: Text('The NO token'),
    creator: Type.Null(),
  }),
  answerOf: ({ conditionId, tokenIds }) => ({
    condition_id: conditionId,
    primary_token_id: tokenIds[0],
    secondary_token_id: tokenIds[1],
    creator: null,
  }),
});
