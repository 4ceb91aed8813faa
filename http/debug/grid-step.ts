/**
 * The step that checks whether the amounts of an order lie on its market's grid of ticks and lots,
 * with the nearest amounts that do.
 */
import {
  cashFor,
  type Lots,
  lots,
  MICRO_TOKENS_PER_LOT,
  ONE_TICKS,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { lotsText, microsText, ticksText } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import { type Measures, measure } from '../orders/measure.ts';
import type { Submission } from '../orders/submission.ts';
import type { VenueProfile } from '../profiles/profile-schema.ts';
import { PROFILES } from '../profiles/profiles.ts';
import type { SignedOrder } from '../signing/order-struct.ts';
import type { MarketEntry } from '../views/index.ts';
import { attempt, type Step, type StepFacts, stepOf } from './step.ts';

export interface Measured {
  readonly step: Step;
  readonly measures: Measures | undefined;
}

/** The signed amounts, in base units of 6 decimals. They are not checked and may have any size. */
interface Amounts {
  readonly cash: number;
  readonly tokens: number;
}

function amountsOf({ side, makerAmount, takerAmount }: SignedOrder): Amounts {
  const [cash, tokens] = side === 0 ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  return { cash: Number(cash), tokens: Number(tokens) };
}

/** The multiples of the tick next to the order's price, inside the bounds of prices. */
function nearestTicks({ cash, tokens }: Amounts, tick: Ticks): readonly Ticks[] {
  const steps = ((cash / tokens) * ONE_TICKS) / tick;
  const most = ONE_TICKS / tick - 1;
  const inside = [Math.floor(steps), Math.ceil(steps)].map((step) =>
    Math.min(Math.max(step, 1), most),
  );
  return [...new Set(inside)].map((step) => ticks(step * tick));
}

/** The whole lots next to the order's size, at least the market's minimum. */
function nearestLots({ tokens }: Amounts, least: Lots): readonly Lots[] {
  const size = tokens / MICRO_TOKENS_PER_LOT;
  const inside = [Math.floor(size), Math.ceil(size)].map((one) => Math.max(one, least));
  return [...new Set(inside)].map(lots);
}

/** Amounts of a limit order of this size at the nearest price. */
function nearestAmounts(
  side: 0 | 1,
  amounts: Amounts,
  prices: readonly Ticks[],
  size: Lots,
): StepFacts {
  const exact = (amounts.cash / amounts.tokens) * ONE_TICKS;
  const price = prices.reduce((a, b) => (Math.abs(b - exact) < Math.abs(a - exact) ? b : a));
  const cash = String(cashFor(size, price));
  const tokens = String(size * MICRO_TOKENS_PER_LOT);
  const [makerAmount, takerAmount] = side === 0 ? [cash, tokens] : [tokens, cash];
  return { price: ticksText(price), size: lotsText(size), makerAmount, takerAmount };
}

function nearestFacts(order: SignedOrder, { tickTicks, minimumLots }: MarketEntry): StepFacts {
  const amounts = amountsOf(order);
  const isUsable = [amounts.cash, amounts.tokens].every(
    (amount) => Number.isSafeInteger(amount) && amount > 0,
  );
  if (!isUsable) return {};
  const prices = nearestTicks(amounts, tickTicks);
  const sizes = nearestLots(amounts, minimumLots);
  const [size = minimumLots] = sizes;
  return {
    signedPrice: (amounts.cash / amounts.tokens).toFixed(12).replace(/\.?0+$/, ''),
    nearestPrices: prices.map(ticksText),
    nearestSizes: sizes.map(lotsText),
    nearestLimitOrder: nearestAmounts(order.side, amounts, prices, size),
  };
}

/** The limit price, size and budget that the engine gets, in the wire's decimals. */
export function measuresInWords({ priceTicks, lots: size, budgetMicros }: Measures): StepFacts {
  return {
    price: String(priceTicks / ONE_TICKS),
    ...(budgetMicros > 0 ? { amount: microsText(budgetMicros) } : { size: lotsText(size) }),
  };
}

/** The profiles under which these amounts can be measured. */
function takers({ order, type }: Pick<Submission, 'order' | 'type'>, { tickTicks }: MarketEntry) {
  return PROFILES.filter(
    (profile) => !(attempt(() => measure(order, type, tickTicks, profile)) instanceof ApiError),
  ).map(({ name }) => name);
}

/**
 * The step `grid`: the market's grid, the order's price and size, and the nearest that fit. A
 * refusal of the profile says which other profiles would take the order.
 */
export function measureStep(
  submission: Pick<Submission, 'order' | 'type'>,
  market: MarketEntry,
  profile: VenueProfile,
): Measured {
  const { order, type } = submission;
  const grid = {
    orderType: type,
    tick: ticksText(market.tickTicks),
    sizeStep: lotsText(lots(1)),
    minimumSize: lotsText(market.minimumLots),
    minimumAmount: microsText(market.minimumBudgetMicros),
    profile: profile.name,
    ...nearestFacts(order, market),
  };
  const measures = attempt(() => measure(order, type, market.tickTicks, profile));
  if (measures instanceof ApiError) {
    const rule = measures.code === 'amounts_too_precise' ? { rule: 'decimals' } : {};
    const refused = { ...grid, ...rule, takenUnder: takers(submission, market) };
    return { step: stepOf('grid', refused, measures), measures: undefined };
  }
  return { step: stepOf('grid', { ...grid, ...measuresInWords(measures) }), measures };
}
