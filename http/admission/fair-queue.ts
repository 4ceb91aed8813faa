/**
 * A fair queue (round robin): networks take turns, and owners within each network, so that a sender
 * of thousands of items does not delay the items of others.
 *
 * Invariant: items of one owner and network leave in the order in which they came. Between two
 * items of one network every other waiting network has had its turn; likewise the owners of a
 * network.
 * Bound: none of its own; the caller limits the number of items.
 */
import type { Sender } from '../api/index.ts';
import { networkOf } from './subject.ts';

interface Link<Item> {
  readonly item: Item;
  next: Link<Item> | undefined;
}

interface ItemList<Item> {
  first: Link<Item>;
  last: Link<Item>;
}

/** In the order of turns: a key that had its turn goes to the end. */
type Rotation<Value> = Map<string, Value>;

function firstOf<Value>(turns: Rotation<Value>): [string, Value] | undefined {
  return turns.entries().next().value;
}

export class FairQueue<Item> {
  readonly #networks: Rotation<Rotation<ItemList<Item>>> = new Map();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push({ address, owner }: Sender, item: Item): void {
    const network = networkOf(address);
    const owners = this.#networks.get(network) ?? new Map<string, ItemList<Item>>();
    this.#networks.set(network, owners);
    const link: Link<Item> = { item, next: undefined };
    const list = owners.get(owner);
    if (list === undefined) owners.set(owner, { first: link, last: link });
    else {
      list.last.next = link;
      list.last = link;
    }
    this.#length += 1;
  }

  /** Takes up to `count` items. */
  take(count: number): Item[] {
    const taken: Item[] = [];
    while (taken.length < count) {
      const first = firstOf(this.#networks);
      if (first === undefined) break;
      const [network, owners] = first;
      const owner = firstOf(owners);
      this.#networks.delete(network);
      if (owner === undefined) continue;
      taken.push(takeOne(owners, owner));
      if (owners.size > 0) this.#networks.set(network, owners);
    }
    this.#length -= taken.length;
    return taken;
  }
}

function takeOne<Item>(
  owners: Rotation<ItemList<Item>>,
  [owner, list]: readonly [string, ItemList<Item>],
): Item {
  const { item, next } = list.first;
  owners.delete(owner);
  if (next !== undefined) {
    list.first = next;
    owners.set(owner, list);
  }
  return item;
}
