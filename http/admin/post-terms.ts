import { Type } from 'typebox';
import { marketIn } from '../format/input.ts';
import { defineRoute, NO_PARAMETERS } from '../route.ts';
import { act, Duplicate, WHO_AND_WHY } from './act.ts';
import { TERMS_GIVEN, TERMS_IN_FORCE, termsIn, termsOf } from './terms-input.ts';

/**
 * POST /markets/{condition_id}/terms: changes a market's price step, least sizes, self-trade mode,
 * fees and delays. Orders that rest stay as they were accepted, also off the new grid. Answers with
 * all terms in force.
 */
export const postTerms = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/terms',
  summary: "Change a market's terms",
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  query: NO_PARAMETERS,
  body: Type.Object(
    { ...TERMS_GIVEN, ...WHO_AND_WHY },
    { description: 'At least one of the terms; the others stay' },
  ),
  response: Type.Object({ market: Type.String(), ...TERMS_IN_FORCE, duplicate: Duplicate }),
  handler: async ({ params, body, services: { exchange, registry } }) => {
    const { conditionId } = marketIn(registry, params.condition_id);
    const command = { kind: 'change_market', conditionId, ...termsIn(body) } as const;
    const { duplicate } = await act({ exchange }, command, body);
    return { market: conditionId, ...termsOf(marketIn(registry, conditionId)), duplicate };
  },
});
