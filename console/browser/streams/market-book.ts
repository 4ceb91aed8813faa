import { ONE_TICKS } from '../decimal/index.ts';
/**
 * The order book of a market, for both outcomes, in ticks and lots.
 *
 * A bid for NO at a price is an ask for YES at the complement, so each side is kept once. A level's
 * rank is its distance from the best possible price: the best level has the lowest rank, as seen
 * from either outcome.
 *
 * Invariant: ranks ascend, and each has a size above zero. Bound: `ONE_TICKS` levels a side.
 */

/** 0 is YES, or the first of the market's outcomes; 1 is NO. */
export type Outcome = 0 | 1;
export type BookSide = 'bid' | 'ask';

export interface BookLevel {
  readonly priceTicks: number;
  readonly lots: number;
}

class Levels {
  ranks: number[] = [];
  readonly lots = new Map<number, number>();

  set(rank: number, lots: number): void {
    const isKnown = this.lots.has(rank);
    if (lots > 0) this.lots.set(rank, lots);
    else this.lots.delete(rank);
    if (isKnown === lots > 0) return;
    const place = this.#placeOf(rank);
    if (isKnown) this.ranks.splice(place, 1);
    else this.ranks.splice(place, 0, rank);
  }

  /** The first place whose rank is not lower. Most changes are near the best price. */
  #placeOf(rank: number): number {
    let low = 0;
    let high = this.ranks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ranks[middle] ?? 0) < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  isEqual(other: Levels): boolean {
    return (
      this.ranks.length === other.ranks.length &&
      this.ranks.every((rank) => this.lots.get(rank) === other.lots.get(rank))
    );
  }
}

export class MarketBook {
  #bids = new Levels();
  #asks = new Levels();

  /** Sets the size of a level of YES. Zero removes it. */
  set(side: BookSide, priceTicks: number, lots: number): void {
    if (side === 'bid') this.#bids.set(ONE_TICKS - priceTicks, lots);
    else this.#asks.set(priceTicks, lots);
  }

  /** The best price of an outcome; undefined if nobody offers one. */
  best(outcome: Outcome, side: BookSide): number | undefined {
    const [rank] = this.#side(outcome, side).ranks;
    return rank === undefined ? undefined : priceOf(side, rank);
  }

  /** The levels of an outcome, the best first, at most `limit`. */
  levels(outcome: Outcome, side: BookSide, limit = ONE_TICKS): readonly BookLevel[] {
    const { ranks, lots } = this.#side(outcome, side);
    return ranks
      .slice(0, limit)
      .map((rank) => ({ priceTicks: priceOf(side, rank), lots: lots.get(rank) ?? 0 }));
  }

  /** The size at a price of an outcome; 0 for none. */
  lotsAt(outcome: Outcome, side: BookSide, priceTicks: number): number {
    const rank = side === 'bid' ? ONE_TICKS - priceTicks : priceTicks;
    return this.#side(outcome, side).lots.get(rank) ?? 0;
  }

  depth(outcome: Outcome, side: BookSide): number {
    return this.#side(outcome, side).ranks.length;
  }

  /** Takes the levels of another book. Returns whether they were different. */
  replace(other: MarketBook): boolean {
    const isSame = this.#bids.isEqual(other.#bids) && this.#asks.isEqual(other.#asks);
    this.#bids = other.#bids;
    this.#asks = other.#asks;
    return !isSame;
  }

  #side(outcome: Outcome, side: BookSide): Levels {
    return (outcome === 0) === (side === 'bid') ? this.#bids : this.#asks;
  }
}

function priceOf(side: BookSide, rank: number): number {
  return side === 'bid' ? ONE_TICKS - rank : rank;
}
