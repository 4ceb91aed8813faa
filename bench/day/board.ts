/**
 * The markets of a made-up trading day and who quotes them: how often each is dealt in (Zipf: the
 * second half as often as the first), where its fair price is, and the places at which a maker
 * keeps a set of quotes.
 *
 * Invariant: a place that quotes has as many live quotes after it was replaced as before, as far as
 * nobody has taken any; the fair price stays within FAIR_CENTS.
 */
import type { Outcome, Side } from '../../engine/index.ts';
import type { Random } from '../../test/engine/random/random.ts';
import type { DayOrder, DayTerms } from './plan.ts';

/** A maker's quotes in one market. */
export interface Place {
  readonly market: number;
  readonly account: number;
  /** How many orders there are in each set: bids and asks in turn. */
  readonly quotes: number;
  readonly lots: number;
  /** The numbers of the last set; empty before the first one and between news and the next one. */
  live: readonly number[];
  replacedMs: number;
}

export interface DayMarket {
  /** From 0, by how often it is dealt in. */
  readonly rank: number;
  readonly places: readonly Place[];
  fairCents: number;
  isOpen: boolean;
}

const FAIR_CENTS = { least: 5, most: 95 };
/** Of the fair price from one replaced set of quotes to the next. */
const STEP_CENTS = 0.4;
const LEAST_QUOTES = 4;
const MOST_QUOTES = 15;
/** Makers of the first 20 markets, of the first 200, and of the rest. */
const MAKERS_OF = [
  { ranks: 20, makers: 8 },
  { ranks: 200, makers: 3 },
  { ranks: Number.POSITIVE_INFINITY, makers: 1 },
] as const;
const POST_ONLY_PERCENT = 40;
/** Lots of each token that a maker splits at the opening, for one lot of its quotes. */
const INVENTORY = 40;

/** Orders of a set of quotes, as places are made. */
export const MEAN_QUOTES = (LEAST_QUOTES + MOST_QUOTES) / 2;

function makersOf(rank: number, makers: number): number {
  return Math.min(makers, MAKERS_OF.find(({ ranks }) => rank < ranks)!.makers);
}

/**
 * Before the day every maker splits and then quotes once in each of its places, about as many
 * orders a second as later.
 */
export function openingSeconds({ markets, makers, ordersPerSecond }: DayTerms): number {
  let places = 0;
  for (let rank = 0; rank < markets; rank += 1) places += makersOf(rank, makers);
  return Math.ceil((2 * MEAN_QUOTES * places) / ordersPerSecond);
}

/** From 0 to below 1. */
export function share(random: Random): number {
  return random.next() / 2 ** 32;
}

function withinFair(cents: number): number {
  return Math.min(FAIR_CENTS.most, Math.max(FAIR_CENTS.least, cents));
}

/** What a maker splits before its first quotes, to have something to sell. */
export function inventoryLots({ lots }: Place): number {
  return lots * INVENTORY;
}

export class DayBoard {
  readonly markets: readonly DayMarket[];
  readonly places: readonly Place[];
  readonly #random: Random;
  /** Sums of weights by rank: a draw is a search in it. */
  readonly #sums: Float64Array;
  #orders = 0;

  constructor(terms: DayTerms, random: Random) {
    this.#random = random;
    this.#sums = new Float64Array(terms.markets);
    let sum = 0;
    for (let rank = 0; rank < terms.markets; rank += 1) {
      sum += 1 / (rank + 1);
      this.#sums[rank] = sum;
    }
    this.markets = Array.from({ length: terms.markets }, (_, rank) => ({
      rank,
      places: this.#placesOf(rank, terms.makers),
      fairCents: random.between(FAIR_CENTS.least, FAIR_CENTS.most),
      isOpen: true,
    }));
    this.places = this.markets.flatMap(({ places }) => places);
  }

  /** A market by how often it is dealt in, among the first `ranks`; it may be closed. */
  draw(ranks = this.markets.length): DayMarket {
    const wanted = share(this.#random) * this.#sums[ranks - 1]!;
    let [low, high] = [0, ranks - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sums[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return this.markets[low]!;
  }

  /** Moves the fair price by a little, or by news. */
  move(market: DayMarket, byCents = (2 * share(this.#random) - 1) * STEP_CENTS): void {
    market.fairCents = withinFair(market.fairCents + byCents);
  }

  /** The number of an order to come. */
  nextNumber(): number {
    this.#orders += 1;
    return this.#orders - 1;
  }

  /** A new set of quotes around the fair price, in the place of the last one. */
  quote(place: Place): readonly DayOrder[] {
    const { fairCents } = this.markets[place.market]!;
    const postOnly = this.#random.chance(POST_ONLY_PERCENT);
    const orders = Array.from({ length: place.quotes }, (_, at): DayOrder => {
      const level = at >>> 1;
      const yesCents = at % 2 === 0 ? Math.ceil(fairCents) - 1 : Math.floor(fairCents) + 1;
      const cents = at % 2 === 0 ? yesCents - level : yesCents + level;
      return {
        ...sided(at % 2 === 0, level, Math.min(99, Math.max(1, cents))),
        number: this.nextNumber(),
        market: place.market,
        type: 'GTC',
        lots: place.lots * (1 + level),
        budgetMicros: 0,
        postOnly,
        livesSeconds: 0,
      };
    });
    place.live = orders.map(({ number }) => number);
    return orders;
  }

  #placesOf(rank: number, makers: number): readonly Place[] {
    const random = this.#random;
    const first = random.below(makers);
    return Array.from({ length: makersOf(rank, makers) }, (_, at) => ({
      market: rank,
      account: (first + at) % makers,
      quotes: random.between(LEAST_QUOTES, MOST_QUOTES),
      lots: 100 * random.between(5, 40),
      live: [],
      replacedMs: Number.NEGATIVE_INFINITY,
    }));
  }
}

/** A bid or an ask for YES, as an order for either outcome: every third level sells what it has. */
function sided(
  isBid: boolean,
  level: number,
  yesCents: number,
): { readonly outcome: Outcome; readonly side: Side; readonly cents: number } {
  const sells = level % 3 === 1;
  const outcome = isBid === sells ? 1 : 0;
  return {
    outcome,
    side: sells ? 'SELL' : 'BUY',
    cents: outcome === 0 ? yesCents : 100 - yesCents,
  };
}
