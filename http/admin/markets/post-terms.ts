import { Type } from 'typebox';
import type { TradingTerms } from '../../../engine/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';
import { TERMS_GIVEN, TERMS_IN_FORCE, termsIn, termsOf } from './terms-input.ts';

type Finer = Pick<TradingTerms, 'finerTickTicks'>;

/** The step that was to take over near 0 and 1 goes with one that it does not divide any more. */
function finerFor(market: Finer, given: Partial<TradingTerms>): Partial<Finer> {
  const { finerTickTicks: finer } = market;
  const { tickTicks, finerTickTicks } = given;
  if (finer === 0 || tickTicks === undefined || finerTickTicks !== undefined) return {};
  return finer < tickTicks && tickTicks % finer === 0 ? {} : { finerTickTicks: 0 };
}

/**
 * POST /markets/{condition_id}/terms: changes a market's price step, least sizes, self-trade mode,
 * fees and delays. Orders that rest stay as they were accepted, also off the new grid. A new price
 * step ends the finer one that does not fit it, unless that is named too. Answers with all terms in
 * force.
 */
export const postTerms = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/terms',
  summary: "Change a market's terms",
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  body: Type.Object(
    { ...TERMS_GIVEN, ...WHO_AND_WHY },
    { description: 'At least one of the terms; the others stay' },
  ),
  response: Type.Object({ market: Type.String(), ...TERMS_IN_FORCE, duplicate: Duplicate }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services: { exchange, registry } }) => {
    const market = marketIn(registry, params.condition_id);
    const { conditionId } = market;
    const terms = termsIn(body);
    const finer = finerFor(market, terms);
    const command = { kind: 'change_market', conditionId, ...terms, ...finer } as const;
    const { duplicate } = await act({ exchange }, command, body);
    return { market: conditionId, ...termsOf(marketIn(registry, conditionId)), duplicate };
  },
});
