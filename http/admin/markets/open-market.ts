/** Opens an imported market for trading, on terms that the answer shows. */
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { canOpenEvent, createCommandOf } from '../../../catalog/routes/index.ts';
import {
  BOUNDS,
  type CreateMarket,
  type FeeSchedule,
  MINIMUM_EVENT_MARKETS,
  type TradingTerms,
} from '../../../engine/model/index.ts';
import type { TradableMarket } from '../../../persistence/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';
import { ATTRIBUTION, DuplicateAction, saidIn, submitAction } from '../shared/action-route.ts';
import { TERMS_GIVEN, TERMS_IN_FORCE, termsIn, termsOf } from './terms.ts';

const MAX_FEE_BPS = 5_000;
const BPS_PER_ONE = 10_000;

/** The fees of a source in the form in which markets of the catalog show them. */
const SourceSchedule = Type.Object({
  rate: Type.Number({ minimum: 0, maximum: MAX_FEE_BPS / BPS_PER_ONE }),
  exponent: Type.Enum([0, 1, 2]),
  takerOnly: Type.Optional(Type.Boolean()),
});
const checkSchedule = Compile(SourceSchedule);

const OPENING = {
  fees: Type.Optional(
    Type.Enum(['none', 'source'], {
      default: 'none',
      description: "Which fees it charges where the body does not say: none, or its source's",
    }),
  ),
  ...TERMS_GIVEN,
} as const;

/** The fees of the market's source as terms. Throws `invalid_payload` if they can't be. */
function feesOfSource({ sourceFees }: TradableMarket): FeeSchedule {
  const refuse = (limit: string): never => {
    throw new ApiError('invalid_payload', { field: 'fees', limit, actual: echo(sourceFees) });
  };
  if (sourceFees === null) return refuse('none, because its source charges no fees');
  if (!checkSchedule.Check(sourceFees)) {
    return refuse(`none, or a source with a rate up to ${MAX_FEE_BPS / BPS_PER_ONE}`);
  }
  const { rate, exponent, takerOnly = true } = sourceFees;
  const takerFeeBps = Math.round(rate * BPS_PER_ONE);
  if (Math.abs(takerFeeBps - rate * BPS_PER_ONE) > 1e-6) refuse('a rate in whole basis points');
  return { takerFeeBps, makerFeeBps: takerOnly ? 0 : takerFeeBps, feeExponent: exponent };
}

/** Throws `event_malformed` for a market of a neg-risk event that could not be opened. */
function checkEnd(
  { negRisk, eventId }: TradableMarket,
  lookup: Services['exchange']['catalog']['lookup'],
): void {
  const actual = lookup.eventKind(Number(eventId))?.marketCount ?? 0;
  if (!negRisk || canOpenEvent(actual)) return;
  const limit = `${MINIMUM_EVENT_MARKETS}..${BOUNDS.marketsPerEvent}`;
  throw new ApiError('event_malformed', { field: 'markets', limit, actual });
}

type Opening = Static<Type.TObject<typeof OPENING>>;

function commandOf(market: TradableMarket, body: Opening): CreateMarket {
  const given: Partial<TradingTerms> = termsIn(body);
  const { tickTicks = market.tickTicks } = given;
  const fees = body.fees === 'source' ? feesOfSource(market) : {};
  // The finer price step follows from the price step.
  return { ...createCommandOf({ ...market, tickTicks }), ...fees, ...given };
}

/**
 * POST /markets/{condition_id}/open. Price step and minimum order size are those of the source, and
 * it charges no fees, unless the body says otherwise. A market that already trades is not changed.
 * One of a neg-risk event that could not be opened is refused, because it could never be resolved.
 */
export const postOpen = defineRoute({
  method: 'POST',
  path: '/markets/{condition_id}/open',
  summary: 'Open an imported market for trading',
  auth: 'operator',
  params: Type.Object({ condition_id: Type.String() }),
  body: Type.Object({ ...OPENING, ...ATTRIBUTION }),
  response: Type.Object({
    market: Type.String(),
    token_ids: Type.Array(Text('In the order of the outcomes')),
    ...TERMS_IN_FORCE,
    source_fees: Type.Unknown({
      description: "The source's feeSchedule if it charges fees, otherwise null",
    }),
    duplicate: DuplicateAction,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, caller, services: { exchange, registry } }) => {
    const { lookup, write } = exchange.catalog;
    const market = lookup.marketByCondition(params.condition_id.toLowerCase());
    if (market === undefined) {
      const actual = echo(params.condition_id);
      throw new ApiError('market_not_found', { field: 'condition_id', actual });
    }
    const { conditionId, tokenIds } = market;
    const tradable = lookup.tradableMarket(conditionId);
    const answer = (duplicate: boolean) => ({
      market: conditionId,
      token_ids: [...tokenIds],
      ...termsOf(marketIn(registry, conditionId)),
      source_fees: tradable?.sourceFees ?? null,
      duplicate,
    });
    if (registry.market(conditionId) !== undefined) return answer(true);
    if (tradable === undefined) {
      throw new ApiError('market_not_tradable', { field: 'condition_id' });
    }
    checkEnd(tradable, lookup);
    const said = saidIn(body, caller);
    const { duplicate } = await submitAction({ exchange }, commandOf(tradable, body), said);
    await write.markTraded({ conditionIds: [conditionId] });
    return answer(duplicate);
  },
});
