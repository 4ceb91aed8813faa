/**
 * One market's book in the reference for orders, in YES ticks: price levels in sorted arrays, first
 * come first served within a level. A BUY of NO at q is an offer of YES at 1 - q, so that orders
 * of both outcomes meet in one book, as ours do.
 */

export interface BookOrder {
  readonly id: string;
  /** Lower case. */
  readonly owner: string;
  /** 0 YES, 1 NO. */
  readonly outcome: 0 | 1;
  readonly isBuy: boolean;
  /** In the order's own outcome. */
  readonly priceTicks: number;
  /** The remaining size. */
  lots: number;
}

const ONE_TICKS = 10_000;

interface Level {
  readonly ticks: number;
  /** In order of arrival. */
  readonly orders: Map<string, BookOrder>;
}

/** Whether an order is on the bid side of the YES book. */
function isBid({ outcome, isBuy }: BookOrder): boolean {
  return isBuy === (outcome === 0);
}

/** Converts a price of an outcome into one of YES, and back. */
function mirrored(outcome: 0 | 1, ticks: number): number {
  return outcome === 0 ? ticks : ONE_TICKS - ticks;
}

export class Book {
  /** Best first. */
  readonly #bids: Level[] = [];
  readonly #asks: Level[] = [];

  add(order: BookOrder): void {
    const ticks = mirrored(order.outcome, order.priceTicks);
    const levels = isBid(order) ? this.#bids : this.#asks;
    const at = levels.findIndex((level) =>
      isBid(order) ? level.ticks <= ticks : level.ticks >= ticks,
    );
    const found = at < 0 ? undefined : levels[at];
    if (found?.ticks === ticks) {
      found.orders.set(order.id, order);
      return;
    }
    const level = { ticks, orders: new Map([[order.id, order]]) };
    levels.splice(at < 0 ? levels.length : at, 0, level);
  }

  remove(order: BookOrder): void {
    const ticks = mirrored(order.outcome, order.priceTicks);
    const levels = isBid(order) ? this.#bids : this.#asks;
    const at = levels.findIndex((level) => level.ticks === ticks);
    const orders = levels[at]?.orders;
    orders?.delete(order.id);
    if (orders?.size === 0) levels.splice(at, 1);
  }

  /** The first order that a new order would meet, if there is one. */
  first(order: BookOrder): BookOrder | undefined {
    const level = this.#reached(order).next().value;
    return level?.orders.values().next().value;
  }

  /** The lots of other owners that a new order would meet, up to its own size. */
  reachableLots(order: BookOrder): number {
    let lots = 0;
    for (const level of this.#reached(order)) {
      for (const maker of level.orders.values())
        if (maker.owner !== order.owner) lots += maker.lots;
      if (lots >= order.lots) return lots;
    }
    return lots;
  }

  /** The maker's price, in the outcome of the new order. */
  static priceFor({ outcome }: BookOrder, maker: BookOrder): number {
    return mirrored(outcome, mirrored(maker.outcome, maker.priceTicks));
  }

  *#reached(order: BookOrder): Generator<Level, undefined> {
    const ticks = mirrored(order.outcome, order.priceTicks);
    for (const level of isBid(order) ? this.#asks : this.#bids) {
      if (isBid(order) ? level.ticks > ticks : level.ticks < ticks) return;
      yield level;
    }
  }
}
