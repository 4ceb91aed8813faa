/**
 * One market's book in the reference for orders: price levels in sorted arrays, first come first
 * served within a level. All orders are BUYs: one of YES and one of NO match when their prices add
 * up to one or more, and mint a set.
 */

export interface BookOrder {
  readonly id: string;
  /** Lower case. */
  readonly owner: string;
  /** 0 YES, 1 NO. */
  readonly outcome: 0 | 1;
  readonly priceTicks: number;
  /** The remaining size. */
  lots: number;
}

export const ONE_TICKS = 10_000;

interface Level {
  readonly ticks: number;
  /** In order of arrival. */
  readonly orders: Map<string, BookOrder>;
}

export class Book {
  /** Of YES and of NO, the highest price first. */
  readonly #levels: readonly [Level[], Level[]] = [[], []];

  add(order: BookOrder): void {
    const { id, outcome, priceTicks: ticks } = order;
    const levels = this.#levels[outcome];
    const at = levels.findIndex((level) => level.ticks <= ticks);
    const found = levels[at];
    if (found?.ticks === ticks) found.orders.set(id, order);
    else levels.splice(at < 0 ? levels.length : at, 0, { ticks, orders: new Map([[id, order]]) });
  }

  remove({ id, outcome, priceTicks }: BookOrder): void {
    const levels = this.#levels[outcome];
    const at = levels.findIndex(({ ticks }) => ticks === priceTicks);
    const orders = levels[at]?.orders;
    orders?.delete(id);
    if (orders?.size === 0) levels.splice(at, 1);
  }

  /** The order that a new order meets first, if there is one. */
  first({ outcome, priceTicks }: BookOrder): BookOrder | undefined {
    const [best] = this.#levels[outcome === 0 ? 1 : 0];
    if (best === undefined || best.ticks + priceTicks < ONE_TICKS) return undefined;
    return best.orders.values().next().value;
  }
}
