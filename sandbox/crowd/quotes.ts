/**
 * The shape of a maker's quotes: where orders arrive, how long they stay, and how large they are.
 *
 * Orders arrive at a distance from the best quote whose distribution has the tail of a power law
 * with exponent 1.5 (Zovko and Farmer, "The power of patience", Quantitative Finance 2, 2002), and
 * live longer the further away they are (Potters and Bouchaud, "More statistical properties of
 * order books and price impact", Physica A 324, 2003). Together this gives the hump of real books,
 * which thicken away from the best price and thin out again far from it (Bouchaud, Mezard and
 * Potters, "Statistical properties of stock order books", Quantitative Finance 2, 2002):
 *
 *     arrivals of d ~ (1 + d / D)^-(1 + 1.5)    lifetime ~ (1 + d)^1.3    orders ~ their product
 *
 * Sizes are log-normal, with the effective exponent of 2 that Maslov and Mills found ("Price
 * fluctuations from the order book perspective", Physica A 299, 2001).
 *
 * Invariant: the best bid is below the best ask, and neither is on the wrong side of the fair
 * value; all prices are on the grid of the tick, above 0 and below 1.
 */
import {
  LOTS_PER_TOKEN,
  type Lots,
  lots,
  ONE_TICKS,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import type { Random } from '../../http/codec/index.ts';
import { fraction, logNormal } from './characters.ts';

export type QuoteSide = 'bid' | 'ask';
export const QUOTE_SIDES = ['bid', 'ask'] as const;

/** An order of a maker, in YES ticks. */
export interface Quote {
  readonly side: QuoteSide;
  readonly priceTicks: Ticks;
}

const ARRIVAL_EXPONENT = 1.5;
/** D of the formula, in units. */
const ARRIVAL_SCALE = 8;
const LIFETIME_EXPONENT = 1.3;
/** No order rests further away, in units. */
const FARTHEST_UNITS = 40;
/** A unit of distance: half a cent at a probability of 0.5, less near 0 and 1. */
const UNIT_TICKS = 200;
const SIZE_DEVIATION = 1.2;
/** The largest order, in median sizes. */
const MOST_SIZES = 60;
/** The percentage of orders whose size is in whole tokens, as people type sizes. */
const WHOLE_PERCENT = 40;

/** What quotes depend on. */
export interface QuoteTerms {
  /** The fair value of YES. */
  readonly fair: number;
  readonly tickTicks: Ticks;
  /** Between the fair value and the best quotes, in units. */
  readonly halfSpread: number;
}

/** The unit of distances in a book: a multiple of the tick. */
export function unitTicks({ fair, tickTicks: tick }: QuoteTerms): number {
  return tick * Math.max(1, Math.round((UNIT_TICKS * fair * (1 - fair)) / tick));
}

/** The best price of a side; undefined if every price on the grid is worse than the fair value. */
export function bestQuote(side: QuoteSide, terms: QuoteTerms): Ticks | undefined {
  const { fair, tickTicks: tick, halfSpread } = terms;
  // An ask is a bid for the other outcome.
  const value = ONE_TICKS * (side === 'bid' ? fair : 1 - fair);
  if (value < tick) return undefined;
  const wished = value - Math.max(halfSpread * unitTicks(terms), 1);
  const best = Math.min(Math.max(Math.floor(wished / tick) * tick, tick), ONE_TICKS - tick);
  return ticks(side === 'bid' ? best : ONE_TICKS - best);
}

/** How many units a price is behind the best quote of its side; below 0 if it is better. */
export function distanceOf({ side, priceTicks }: Quote, terms: QuoteTerms): number {
  const best = bestQuote(side, terms);
  if (best === undefined) return Number.NEGATIVE_INFINITY;
  return (side === 'bid' ? best - priceTicks : priceTicks - best) / unitTicks(terms);
}

/** How many orders have room on a side: fewer if its best price is near the end of the grid. */
export function orderCount(side: QuoteSide, wished: number, terms: QuoteTerms): number {
  const best = bestQuote(side, terms);
  if (best === undefined) return 0;
  return Math.min(wished, 1 + Math.floor((1.5 * roomOf(side, best)) / terms.tickTicks));
}

function roomOf(side: QuoteSide, best: Ticks): number {
  return side === 'bid' ? best : ONE_TICKS - best;
}

/**
 * The price of an order that arrives. In a book that is filled at once it is that of an order which
 * stayed, so that the book has its shape from the beginning.
 */
export function drawPrice(
  random: Random,
  side: QuoteSide,
  terms: QuoteTerms,
  isFilling: boolean,
): Ticks | undefined {
  const best = bestQuote(side, terms);
  if (best === undefined) return undefined;
  const { tickTicks: tick } = terms;
  const unit = unitTicks(terms);
  const most = Math.min(FARTHEST_UNITS, (roomOf(side, best) - tick) / unit);
  let distance = arrival(random, most);
  // Those that stay are as many as arrive, times how long they live.
  while (isFilling && fraction(random) > hazard(most) / hazard(distance)) {
    distance = arrival(random, most);
  }
  const away = Math.round((distance * unit) / tick) * tick;
  return ticks(side === 'bid' ? best - away : best + away);
}

/** A power law from 0 to `most`, by inversion. */
function arrival(random: Random, most: number): number {
  const least = (1 + most / ARRIVAL_SCALE) ** -ARRIVAL_EXPONENT;
  const drawn = least + (1 - least) * fraction(random);
  return ARRIVAL_SCALE * (drawn ** (-1 / ARRIVAL_EXPONENT) - 1);
}

/** The chance that an order is cancelled next, compared with others. */
export function hazard(distance: number): number {
  return (1 + Math.max(distance, 0)) ** -LIFETIME_EXPONENT;
}

/** A size around `medianTokens`, to the hundredth of a token. */
export function drawLots(random: Random, medianTokens: number, least: Lots): Lots {
  const tokens = medianTokens * Math.min(logNormal(random, SIZE_DEVIATION), MOST_SIZES);
  const step = random.chance(WHOLE_PERCENT) ? LOTS_PER_TOKEN : 1;
  const drawn = Math.round((tokens * LOTS_PER_TOKEN) / step) * step;
  return lots(Math.max(drawn, least));
}
