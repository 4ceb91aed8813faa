/**
 * The book of a recorded market as its messages tell it, in prices of YES.
 *
 * Both assets show one book: a bid of NO at a price is an ask of YES at the complement. So messages
 * of either asset, or of both, lead to the same levels.
 */
import { complement, type Lots, lots, type Outcome, type Ticks } from '../../engine/model/index.ts';
import type { AssetLevel } from './recorded-message.ts';

/** `bid` or `ask` of YES. */
export type BookSide = 'bid' | 'ask';

/** Sizes by price. */
export type LevelSizes = ReadonlyMap<Ticks, Lots>;

export interface BookLevel {
  readonly side: BookSide;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

/** A level of an asset as the book of YES has it. */
export function asYes({ side, priceTicks, lots: size }: AssetLevel, outcome: Outcome): BookLevel {
  const isBid = (side === 'BUY') === (outcome === 0);
  return {
    side: isBid ? 'bid' : 'ask',
    priceTicks: outcome === 0 ? priceTicks : complement(priceTicks),
    lots: size,
  };
}

export class RecordedBook {
  readonly #sides = { bid: new Map<Ticks, Lots>(), ask: new Map<Ticks, Lots>() };

  levels(side: BookSide): LevelSizes {
    return this.#sides[side];
  }

  sizeAt(side: BookSide, priceTicks: Ticks): Lots {
    return this.#sides[side].get(priceTicks) ?? lots(0);
  }

  /** The best price; undefined for an empty side. */
  best(side: BookSide): Ticks | undefined {
    let best: Ticks | undefined;
    for (const price of this.#sides[side].keys()) {
      if (best === undefined || (side === 'bid' ? price > best : price < best)) best = price;
    }
    return best;
  }

  get isCrossed(): boolean {
    const [bid, ask] = [this.best('bid'), this.best('ask')];
    return bid !== undefined && ask !== undefined && bid >= ask;
  }

  clear(): void {
    this.#sides.bid.clear();
    this.#sides.ask.clear();
  }

  set({ side, priceTicks, lots: size }: BookLevel): void {
    if (size === 0) this.#sides[side].delete(priceTicks);
    else this.#sides[side].set(priceTicks, size);
  }
}
