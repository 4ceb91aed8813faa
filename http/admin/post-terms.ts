import { type Static, Type } from 'typebox';
import type { ChangeMarket } from '../../engine/index.ts';
import { lotsText, microsText, ticksText } from '../format/decimal.ts';
import { amountIn, marketIn, ticksIn, tokensIn } from '../format/input.ts';
import { defineRoute, NO_PARAMETERS } from '../route.ts';
import type { MarketEntry } from '../views/registry.ts';
import { act, Duplicate, WHO_AND_WHY } from './act.ts';

const SelfTrade = Type.Enum(['cancel_maker', 'cancel_taker', 'cancel_both'], {
  description: 'Which of two orders of one owner is cancelled when they meet',
});

const TERMS = {
  tick_size: Type.String({ description: '0.1, 0.01, 0.005, 0.0025, 0.001 or 0.0001' }),
  minimum_order_size: Type.String({ description: 'Tokens, of a GTC or GTD order' }),
  minimum_budget: Type.String({ description: 'Collateral, of a FOK or FAK BUY' }),
  self_trade: SelfTrade,
} as const;

const TermsBody = Type.Object(
  { ...Type.Partial(Type.Object(TERMS)).properties, ...WHO_AND_WHY },
  { description: 'At least one of the terms; the others stay' },
);

const commandIn = (conditionId: string, body: Static<typeof TermsBody>): ChangeMarket => {
  const { tick_size, minimum_order_size, minimum_budget, self_trade } = body;
  return {
    kind: 'change_market',
    conditionId,
    ...(tick_size === undefined ? {} : { tickTicks: ticksIn('tick_size', tick_size) }),
    ...(minimum_order_size === undefined
      ? {}
      : { minimumLots: tokensIn('minimum_order_size', minimum_order_size) }),
    ...(minimum_budget === undefined
      ? {}
      : { minimumBudgetMicros: amountIn('minimum_budget', minimum_budget) }),
    ...(self_trade === undefined ? {} : { selfTrade: self_trade }),
  };
};

const termsOf = ({ tickTicks, minimumLots, minimumBudgetMicros, selfTrade }: MarketEntry) => ({
  tick_size: ticksText(tickTicks),
  minimum_order_size: lotsText(minimumLots),
  minimum_budget: microsText(minimumBudgetMicros),
  self_trade: selfTrade,
});

/**
 * POST /markets/{condition_id}/terms: changes a market's price step, least sizes and self-trade
 * mode. Orders that rest stay, also off the new grid. Answers with all terms in force.
 */
export const postTerms = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/terms',
  summary: "Change a market's terms",
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  query: NO_PARAMETERS,
  body: TermsBody,
  response: Type.Object({ market: Type.String(), ...TERMS, duplicate: Duplicate }),
  handler: async ({ params, body, services: { exchange, registry } }) => {
    const { conditionId } = marketIn(registry, params.condition_id);
    const { duplicate } = await act({ exchange }, commandIn(conditionId, body), body);
    return { market: conditionId, ...termsOf(marketIn(registry, conditionId)), duplicate };
  },
});
