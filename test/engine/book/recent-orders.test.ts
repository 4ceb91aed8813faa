/**
 * The ring of closed orders compared with a list, with rings far smaller than the number of orders.
 */
import fc from 'fast-check';
import t from 'tap';
import { NONE } from '../../../engine/book/level-index.ts';
import { ID_WORDS, readOrderId, writeOrderId } from '../../../engine/book/order-id.ts';
import { OrderStore } from '../../../engine/book/order-store.ts';
import { OrderTable } from '../../../engine/book/order-table.ts';
import { placeOf, RecentOrders } from '../../../engine/book/recent-orders.ts';

function idOf(index: number): string {
  return `0x${index.toString(16).padStart(64, '0')}`;
}

/** A ring with its table, and a list of what it should remember, oldest first. */
class Rings {
  readonly #orders = new OrderStore(16);
  readonly #recent: RecentOrders;
  readonly #table: OrderTable;
  readonly #words = new Int32Array(ID_WORDS);
  readonly #size: number;
  #remembered: { id: string; seq: number }[] = [];
  #forgottenSeq = 0;
  #seq = 0;

  constructor(size: number) {
    const recent = new RecentOrders(size);
    this.#size = size;
    this.#recent = recent;
    this.#table = new OrderTable((entry, id) =>
      entry >= 0 ? this.#orders.hasId(entry, id) : recent.hasId(placeOf(entry), id),
    );
  }

  knows(id: string): boolean {
    readOrderId(id, this.#words);
    return this.#table.find(this.#words) !== NONE;
  }

  /** Accepts an order and closes it at once, unless its id is known. */
  close(id: string): void {
    if (this.knows(id)) return;
    this.#seq += 1;
    const handle = this.#orders.allocate(this.#words, 0);
    this.#orders.setTimes(handle, this.#seq, 0, 0);
    this.#table.add(this.#table.hash(this.#words, 0), handle);
    this.#recent.take(this.#orders, this.#table, handle);
    this.#remembered.push({ id, seq: this.#seq });
    if (this.#remembered.length > this.#size) this.#forgottenSeq = this.#remembered.shift()!.seq;
  }

  /** Whether ring and list remember the same orders, in the same sequence. */
  get agree(): boolean {
    const { count, forgottenSeq } = this.#recent;
    const places = Array.from({ length: count }, (_, at) => this.#recent.at(at));
    const found = places.map((place) => ({
      id: this.#recent.id(place),
      seq: this.#recent.acceptedSeq(place),
    }));
    return (
      forgottenSeq === this.#forgottenSeq &&
      JSON.stringify(found) === JSON.stringify(this.#remembered)
    );
  }
}

t.test('the ring remembers only the last orders, so a forgotten id can be used again', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 400 }),
      (size, indexes) => {
        const rings = new Rings(size);
        const closed: string[] = [];
        for (const index of indexes) {
          const id = idOf(index);
          const isKnown = rings.knows(id);
          if (isKnown !== closed.slice(-size).includes(id)) return false;
          rings.close(id);
          if (!isKnown) closed.push(id);
          if (!rings.agree) return false;
        }
        return true;
      },
    ),
    { numRuns: 100 },
  );
});

t.test('the ring writes an id as it was read', async (t) => {
  const words = Int32Array.of(1, -2, 3, -4, 5, -6, 7, -8);
  const orders = new OrderStore(1);
  const recent = new RecentOrders(2);
  const table = new OrderTable(() => true);
  const handle = orders.allocate(words, 0);
  table.add(table.hash(words, 0), handle);
  recent.take(orders, table, handle);
  t.equal(recent.id(recent.at(0)), writeOrderId(words, 0));
});
