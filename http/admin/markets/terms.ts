/**
 * The trading terms of a market: their form in requests and answers of the operator, and the
 * endpoint that changes them.
 *
 * Invariant: `itode` is not a term itself. It says whether orders are delayed at all (wire 9.8),
 * so it follows from the two delays, and a body in which they contradict it is refused.
 */
import { type Static, Type } from 'typebox';
import { type TakerDelay, type TradingTerms, ticks } from '../../../engine/model/index.ts';
import { lotsText, microsText, ticksText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { formatDelay } from '../../format/index.ts';
import { onlySet, Text, TrueFalse } from '../../parameters/index.ts';
import { amountIn, finerFor, marketIn, ticksIn, tokensIn } from '../../views/index.ts';
import { actionRoute } from '../shared/action-route.ts';

function Rate(payer: string) {
  return Type.Integer({
    minimum: 0,
    maximum: 5_000,
    description: `Basis points, paid by ${payer}`,
  });
}

/** All terms of a market. */
export const TERMS_IN_FORCE = {
  tick_size: Text('0.1, 0.01, 0.005, 0.0025, 0.001 or 0.0001'),
  minimum_order_size: Text('Tokens; for GTC and GTD orders'),
  minimum_budget: Text('Collateral; for FOK and FAK BUY orders'),
  self_trade: Type.Enum(['cancel_maker', 'cancel_taker', 'cancel_both'], {
    description: 'Which of two orders of one owner is cancelled when they would trade',
  }),
  taker_fee_bps: Rate('the taker'),
  maker_fee_bps: Rate('the maker'),
  fee_exponent: Type.Enum([0, 1, 2], {
    description: 'The fee of a token at price p is the rate times (p(1-p)) to this power',
  }),
  seconds_delay: Type.Integer({
    minimum: 0,
    maximum: 60,
    description:
      'How long an order that would trade at once waits; 0: as taker_order_delay_ms says',
  }),
  itode: TrueFalse(
    'Whether orders that would trade at once wait; as input, true without a delay means 250 ms',
  ),
  taker_order_delay_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
  finer_tick_size: Text(
    'Price step that takes over once the midpoint is below 0.04 or above 0.96; 0 for none',
  ),
} as const;

/** The terms in a body, each optional. */
export const TERMS_GIVEN = Type.Partial(Type.Object(TERMS_IN_FORCE)).properties;

type GivenTerms = Static<Type.TObject<typeof TERMS_GIVEN>>;

/** The delay if a body has `itode: true` but no delay (wire 9.8). */
const DEFAULT_DELAY_MS = 250;

function delayIn(body: GivenTerms): Partial<TakerDelay> {
  const { seconds_delay, itode, taker_order_delay_ms } = body;
  const given = onlySet({ delaySeconds: seconds_delay, takerDelayMs: taker_order_delay_ms });
  if (itode === undefined) return given;
  const isDelayed = (seconds_delay ?? 0) > 0 || (taker_order_delay_ms ?? 0) > 0;
  if (itode && isDelayed) return given;
  if (itode && taker_order_delay_ms === undefined) {
    return { ...given, takerDelayMs: DEFAULT_DELAY_MS };
  }
  if (!itode && !isDelayed) return { delaySeconds: 0, takerDelayMs: 0 };
  const limit = 'consistent with seconds_delay and taker_order_delay_ms';
  throw new ApiError('invalid_payload', { field: 'itode', limit, actual: itode });
}

type DecimalTerm = 'tick_size' | 'minimum_order_size' | 'minimum_budget' | 'finer_tick_size';

/** A decimal that the body may leave out, in the engine's unit. */
function decimalIn<Value>(
  body: GivenTerms,
  field: DecimalTerm,
  read: (field: string, text: string) => Value,
): Value | undefined {
  const text = body[field];
  return text === undefined ? undefined : read(field, text);
}

/**
 * The terms in a body, in the engine's units. Throws `amount_out_of_bounds`, `amount_off_grid` and
 * `invalid_payload`; the engine decides what fits a market.
 */
export function termsIn(body: GivenTerms): Partial<TradingTerms> {
  return onlySet({
    tickTicks: decimalIn(body, 'tick_size', ticksIn),
    minimumLots: decimalIn(body, 'minimum_order_size', tokensIn),
    minimumBudgetMicros: decimalIn(body, 'minimum_budget', amountIn),
    selfTrade: body.self_trade,
    takerFeeBps: body.taker_fee_bps,
    makerFeeBps: body.maker_fee_bps,
    feeExponent: body.fee_exponent,
    ...delayIn(body),
    finerTickTicks: decimalIn(body, 'finer_tick_size', ticksIn),
  });
}

export function termsOf(market: TradingTerms): Static<Type.TObject<typeof TERMS_IN_FORCE>> {
  return {
    tick_size: ticksText(market.tickTicks),
    minimum_order_size: lotsText(market.minimumLots),
    minimum_budget: microsText(market.minimumBudgetMicros),
    self_trade: market.selfTrade,
    taker_fee_bps: market.takerFeeBps,
    maker_fee_bps: market.makerFeeBps,
    fee_exponent: market.feeExponent,
    ...formatDelay(market),
    finer_tick_size: ticksText(ticks(market.finerTickTicks)),
  };
}

/**
 * POST /markets/{condition_id}/terms: changes terms of a market and answers with all of them. Live
 * orders keep their prices and sizes, even off the new grid.
 */
export const postTerms = actionRoute({
  path: '/markets/{condition_id}/terms',
  summary: "Change a market's terms",
  params: Type.Object({ condition_id: Type.String() }),
  body: TERMS_GIVEN,
  bodyDescription: 'At least one of the terms; the others are not changed',
  response: { market: Type.String(), ...TERMS_IN_FORCE },
  needs: ['registry'],
  commandOf: ({ params, body, services: { registry } }) => {
    const market = marketIn(registry, params.condition_id);
    const terms = termsIn(body);
    const { conditionId } = market;
    return { kind: 'change_market', conditionId, ...terms, ...finerFor(market, terms) };
  },
  answerOf: ({ conditionId }, { services: { registry } }) => ({
    market: conditionId,
    ...termsOf(marketIn(registry, conditionId)),
  }),
});
