/**
 * What waits for the verifiers: networks take turns, and owners within each, so that one who sends
 * thousands does not stand before everybody else.
 *
 * Invariant: of one owner and network the earliest comes first; between two items of one network
 * each other network that waits has had its turn, and likewise of owners.
 * Bound: the caller's.
 */

import type { Sender } from '../api/index.ts';
import { networkOf } from './subject.ts';

interface Link<Item> {
  readonly item: Item;
  next: Link<Item> | undefined;
}

interface Line<Item> {
  first: Link<Item>;
  last: Link<Item>;
}

/** In the order in which they have their turn: whoever had it goes to the end. */
type Turns<Value> = Map<string, Value>;

function firstOf<Value>(turns: Turns<Value>): [string, Value] | undefined {
  return turns.entries().next().value;
}

export class FairQueue<Item> {
  readonly #networks: Turns<Turns<Line<Item>>> = new Map();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push({ address, owner }: Sender, item: Item): void {
    const network = networkOf(address);
    const owners = this.#networks.get(network) ?? new Map<string, Line<Item>>();
    this.#networks.set(network, owners);
    const link: Link<Item> = { item, next: undefined };
    const line = owners.get(owner);
    if (line === undefined) owners.set(owner, { first: link, last: link });
    else {
      line.last.next = link;
      line.last = link;
    }
    this.#length += 1;
  }

  /** As many as wait, up to a count. */
  take(count: number): Item[] {
    const taken: Item[] = [];
    while (taken.length < count) {
      const turn = firstOf(this.#networks);
      if (turn === undefined) break;
      const [network, owners] = turn;
      const next = firstOf(owners);
      this.#networks.delete(network);
      if (next === undefined) continue;
      taken.push(takeOne(owners, next));
      if (owners.size > 0) this.#networks.set(network, owners);
    }
    this.#length -= taken.length;
    return taken;
  }
}

function takeOne<Item>(
  owners: Turns<Line<Item>>,
  [owner, line]: readonly [string, Line<Item>],
): Item {
  const { item, next } = line.first;
  owners.delete(owner);
  if (next !== undefined) {
    line.first = next;
    owners.set(owner, line);
  }
  return item;
}
