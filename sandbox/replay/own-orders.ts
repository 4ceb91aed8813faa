/**
 * The orders that the replay has in the book, and what must change to reach the recorded sizes.
 *
 * Invariant: a level's orders are in the order of their arrival, which is how they are filled.
 * Bound: ORDERS_PER_LEVEL for each level; a level that grows beyond it is placed again as one.
 */
import { type Lots, lots, type Ticks } from '../../engine/model/index.ts';
import type { BookLevel, BookSide, LevelSizes } from './recorded-book.ts';

const ORDERS_PER_LEVEL = 8;

interface OwnOrder {
  readonly id: string;
  /** What is not filled. */
  lots: Lots;
}

/** Cancels come first: until then an order to place could meet one to cancel. */
export interface BookChange {
  readonly cancels: readonly string[];
  readonly places: readonly BookLevel[];
  /** How many levels have another size now. */
  readonly levels: number;
}

export const BOOK_SIDES = ['bid', 'ask'] as const satisfies readonly BookSide[];

function totalOf(orders: readonly OwnOrder[]): Lots {
  return lots(orders.reduce((sum, order) => sum + order.lots, 0));
}

export class OwnOrders {
  readonly #levels = { bid: new Map<Ticks, OwnOrder[]>(), ask: new Map<Ticks, OwnOrder[]>() };
  readonly #places = new Map<string, { readonly side: BookSide; readonly priceTicks: Ticks }>();

  sizeAt(side: BookSide, priceTicks: Ticks): Lots {
    return totalOf(this.#levels[side].get(priceTicks) ?? []);
  }

  prices(side: BookSide): Iterable<Ticks> {
    return this.#levels[side].keys();
  }

  idsAt(side: BookSide, priceTicks: Ticks): readonly string[] {
    return (this.#levels[side].get(priceTicks) ?? []).map(({ id }) => id);
  }

  add(id: string, { side, priceTicks, lots: size }: BookLevel): void {
    const orders = this.#levels[side].get(priceTicks);
    if (orders === undefined) this.#levels[side].set(priceTicks, [{ id, lots: size }]);
    else orders.push({ id, lots: size });
    this.#places.set(id, { side, priceTicks });
  }

  /** Notes what is left of an order; 0 when it is gone. */
  setRest(id: string, rest: Lots): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    const levels = this.#levels[place.side];
    const orders = levels.get(place.priceTicks) ?? [];
    const order = orders.find((one) => one.id === id);
    if (order !== undefined) order.lots = rest;
    if (rest > 0) return;
    this.#places.delete(id);
    const left = orders.filter((one) => one.id !== id);
    if (left.length === 0) levels.delete(place.priceTicks);
    else levels.set(place.priceTicks, left);
  }

  /** What leads from these orders to the sizes of `target`. */
  changeTo(target: (side: BookSide) => LevelSizes): BookChange {
    const cancels: string[] = [];
    const places: BookLevel[] = [];
    let levels = 0;
    for (const side of BOOK_SIDES) {
      const sizes = target(side);
      for (const [priceTicks, orders] of this.#levels[side]) {
        const size = sizes.get(priceTicks) ?? lots(0);
        const change = levelChange(orders, size);
        cancels.push(...change.cancels);
        if (change.cancels.length > 0 || change.rest > 0) levels += 1;
        if (change.rest > 0) places.push({ side, priceTicks, lots: change.rest });
      }
      for (const [priceTicks, size] of sizes) {
        if (this.#levels[side].has(priceTicks)) continue;
        places.push({ side, priceTicks, lots: size });
        levels += 1;
      }
    }
    return { cancels, places, levels };
  }
}

/** The newest orders of a level are cancelled, so that the oldest keep their turn. */
function levelChange(
  orders: readonly OwnOrder[],
  size: Lots,
): { readonly cancels: readonly string[]; readonly rest: Lots } {
  const total = totalOf(orders);
  if (total === size) return { cancels: [], rest: lots(0) };
  if (total < size && orders.length < ORDERS_PER_LEVEL) {
    return { cancels: [], rest: lots(size - total) };
  }
  let kept = total;
  let count = orders.length;
  const most = total < size ? 0 : size;
  while (kept > most) {
    count -= 1;
    kept = lots(kept - (orders[count]?.lots ?? kept));
  }
  return { cancels: orders.slice(count).map(({ id }) => id), rest: lots(size - kept) };
}
