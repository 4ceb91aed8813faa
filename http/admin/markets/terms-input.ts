/**
 * The terms of trading in a market as the operator writes and reads them, for a new market and for
 * one whose terms change.
 *
 * Invariant: `itode` is no term of its own. It says whether orders are delayed at all (wire 9.8),
 * so it is made of the two delays, and a body in which it gainsays them is refused.
 */
import { type Static, Type } from 'typebox';
import { type TakerDelay, type TradingTerms, ticks } from '../../../engine/model/index.ts';
import { lotsText, microsText, ticksText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { formatDelay } from '../../format/index.ts';
import { amountIn, ticksIn, tokensIn } from '../../views/index.ts';

function Rate(of: string) {
  return Type.Integer({ minimum: 0, maximum: 5_000, description: `Basis points, of ${of}` });
}

/** All terms that are in force in a market. */
export const TERMS_IN_FORCE = {
  tick_size: Type.String({ description: '0.1, 0.01, 0.005, 0.0025, 0.001 or 0.0001' }),
  minimum_order_size: Type.String({ description: 'Tokens, of a GTC or GTD order' }),
  minimum_budget: Type.String({ description: 'Collateral, of a FOK or FAK BUY' }),
  self_trade: Type.Enum(['cancel_maker', 'cancel_taker', 'cancel_both'], {
    description: 'Which of two orders of one owner is cancelled when they meet',
  }),
  taker_fee_bps: Rate('the order that arrives'),
  maker_fee_bps: Rate('the order that rests'),
  fee_exponent: Type.Enum([0, 1, 2], {
    description: 'A token at price p is charged rate x (p(1-p)) to the power of it',
  }),
  seconds_delay: Type.Integer({
    minimum: 0,
    maximum: 60,
    description: 'How long an order that would trade at once waits; 0 leaves it to the next',
  }),
  itode: Type.Boolean({
    description:
      'Whether such orders wait at all; as input, true without a delay is 250 ms, false is none',
  }),
  taker_order_delay_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
  finer_tick_size: Type.String({
    description: 'Takes over for good once the midpoint is below 0.04 or above 0.96; 0 for never',
  }),
} as const;

/** The same where each may be left out. */
export const TERMS_GIVEN = Type.Partial(Type.Object(TERMS_IN_FORCE)).properties;

type GivenTerms = Static<Type.TObject<typeof TERMS_GIVEN>>;

/** Where a delay is switched on without saying how long it is (wire 9.8). */
const DEFAULT_DELAY_MS = 250;

function delayIn(body: GivenTerms): Partial<TakerDelay> {
  const { seconds_delay, itode, taker_order_delay_ms } = body;
  const given = {
    ...(seconds_delay === undefined ? {} : { delaySeconds: seconds_delay }),
    ...(taker_order_delay_ms === undefined ? {} : { takerDelayMs: taker_order_delay_ms }),
  };
  if (itode === undefined) return given;
  const isDelayed = (seconds_delay ?? 0) > 0 || (taker_order_delay_ms ?? 0) > 0;
  if (itode && isDelayed) return given;
  if (itode && taker_order_delay_ms === undefined) {
    return { ...given, takerDelayMs: DEFAULT_DELAY_MS };
  }
  if (!itode && !isDelayed) return { delaySeconds: 0, takerDelayMs: 0 };
  const limit = 'what seconds_delay and taker_order_delay_ms say';
  throw new ApiError('invalid_payload', { field: 'itode', limit, actual: itode });
}

/**
 * The terms that a body names, in the engine's forms. Throws `amount_out_of_bounds`,
 * `amount_off_grid` and `invalid_payload`; the engine has the last word on what fits a market.
 */
export function termsIn(body: GivenTerms): Partial<TradingTerms> {
  const { tick_size, minimum_order_size, minimum_budget, finer_tick_size } = body;
  const { self_trade, taker_fee_bps, maker_fee_bps, fee_exponent } = body;
  return {
    ...(tick_size === undefined ? {} : { tickTicks: ticksIn('tick_size', tick_size) }),
    ...(minimum_order_size === undefined
      ? {}
      : { minimumLots: tokensIn('minimum_order_size', minimum_order_size) }),
    ...(minimum_budget === undefined
      ? {}
      : { minimumBudgetMicros: amountIn('minimum_budget', minimum_budget) }),
    ...(self_trade === undefined ? {} : { selfTrade: self_trade }),
    ...(taker_fee_bps === undefined ? {} : { takerFeeBps: taker_fee_bps }),
    ...(maker_fee_bps === undefined ? {} : { makerFeeBps: maker_fee_bps }),
    ...(fee_exponent === undefined ? {} : { feeExponent: fee_exponent }),
    ...delayIn(body),
    ...(finer_tick_size === undefined
      ? {}
      : { finerTickTicks: ticksIn('finer_tick_size', finer_tick_size) }),
  };
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
