/**
 * What a market maker quotes. The formulas are those of Avellaneda and Stoikov, "High-frequency
 * trading in a limit order book" (Quantitative Finance 8, 2008), in log-odds instead of prices, as
 * Dalen, "Toward Black-Scholes for Prediction Markets" (2025), uses them for prediction markets:
 *
 *     r = x - q * gamma * sigma^2 * T        the price at which the maker does not care
 *     spread = gamma * sigma^2 * T + (2 / gamma) * ln(1 + gamma / k)
 *
 * Here x is the log-odds of what the maker believes, q its inventory of YES in sizes of its best
 * level, and T how long it expects to hold it. The best quotes are r - spread/2 and r + spread/2,
 * as probabilities. Further levels follow in equal steps.
 *
 * Invariant: the best bid is below the best ask; all prices are on the grid of the tick, above 0
 * and below 1.
 */
import { type Lots, lots, ONE_TICKS, type Ticks, ticks } from '../../engine/model/index.ts';
import type { CrowdModel } from '../../http/settings/crowd.ts';
import { probabilityOf, type Traits } from './characters.ts';

/** An order of a maker, in YES ticks. */
export interface Quote {
  readonly side: 'bid' | 'ask';
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

export interface QuoteTerms {
  readonly model: CrowdModel;
  readonly traits: Traits;
  /** What the maker believes, in log-odds. */
  readonly belief: number;
  /** YES less NO that it has, in sizes of its best level. */
  readonly inventory: number;
  readonly tickTicks: Ticks;
  /** Between two levels: a multiple of the tick. */
  readonly stepTicks: Ticks;
  /** The size of the best level. */
  readonly lots: Lots;
}

/** Beyond this inventory the quotes move no further. */
const MOST_INVENTORY = 8;

/** The best prices before they are rounded to the grid, in ticks. */
function bestPrices({ model, traits, belief, inventory }: QuoteTerms): readonly [number, number] {
  const gamma = model.riskAversion * traits.riskAversion;
  const decay = model.orderDecay * traits.orderDecay;
  const variance = (model.volatility * traits.volatility) ** 2 * model.horizonMinutes;
  const held = Math.min(Math.max(inventory, -MOST_INVENTORY), MOST_INVENTORY);
  const indifferent = belief - held * gamma * variance;
  const half = (gamma * variance + (2 / gamma) * Math.log(1 + gamma / decay)) / 2;
  return [
    ONE_TICKS * probabilityOf(indifferent - half),
    ONE_TICKS * probabilityOf(indifferent + half),
  ];
}

/** The quotes of a maker: both sides, or the only one that the market has. */
export function quotesFor(terms: QuoteTerms): Quote[] {
  const { model, traits, tickTicks: tick, stepTicks: step } = terms;
  const [below, above] = bestPrices(terms);
  const last = ONE_TICKS - tick;
  // Near 0 and 1 a step may reach the end: the best quotes are then as near as the tick permits.
  const bid = Math.min(Math.max(Math.floor(below / step) * step, tick), last - tick);
  const ask = Math.max(Math.min(Math.ceil(above / step) * step, last), bid + tick);
  const sides = [
    ['bid', bid, -step],
    ['ask', ask, step],
  ] as const;
  return sides
    .filter(([side]) => traits.onlySide === undefined || traits.onlySide === side)
    .flatMap(([side, best, move]) =>
      Array.from({ length: model.levels }, (_, level) => ({
        side,
        priceTicks: ticks(best + level * move),
        // Half a size more at each level: books are deeper away from the best price.
        lots: lots(Math.round((terms.lots * (1 + level / 2)) / 100) * 100),
      })),
    )
    .filter(({ priceTicks }) => priceTicks >= tick && priceTicks <= last);
}

/** Between two levels near this probability: half a cent at 0.5, less near 0 and 1. */
export function stepFor(tick: Ticks, probability: number): Ticks {
  const wished = 200 * probability * (1 - probability);
  return ticks(tick * Math.max(1, Math.round(wished / tick)));
}
