/**
 * A fair queue (round robin): networks take turns, and owners within each network, so that a sender
 * of thousands of items does not delay the items of others. Networks, and owners, that lately
 * signed wrong take theirs when no others wait.
 *
 * Invariant: items of one owner and network leave in the order in which they came. Between two
 * items of one network every other waiting network of its level has had its turn, and no network of
 * a lower level waits; likewise the owners of a network.
 * Bound: none of its own; the caller limits the number of items.
 */
import type { Sender } from '../api/index.ts';
import type { RecentUse } from './recent-use.ts';
import { networkOf } from './subject.ts';

/** A member that has no place yet. */
const NO_LEVEL = -1;

interface Member {
  level: number;
}

/** Members that take turns, those of the lowest level first. */
class Turns<M extends Member> {
  /** Each in the order of turns: a member that had its turn goes to the end. */
  readonly #levels: (Set<M> | undefined)[] = [];

  get first(): M | undefined {
    for (const level of this.#levels) {
      const [first] = level ?? [];
      if (first !== undefined) return first;
    }
    return undefined;
  }

  /** Moves a member to the end of a level, unless it has this level. */
  place(member: M, level: number): void {
    if (member.level === level) return;
    this.remove(member);
    member.level = level;
    this.endTurn(member);
  }

  /** Moves a member to the end of its level. */
  endTurn(member: M): void {
    const members = this.#levels[member.level] ?? new Set<M>();
    this.#levels[member.level] = members;
    members.delete(member);
    members.add(member);
  }

  remove(member: M): void {
    this.#levels[member.level]?.delete(member);
  }
}

interface Link<Item> {
  readonly item: Item;
  next: Link<Item> | undefined;
}

interface OwnerItems<Item> extends Member {
  readonly sender: Sender;
  first: Link<Item>;
  last: Link<Item>;
}

interface NetworkItems<Item> extends Member {
  readonly name: string;
  readonly owners: Map<string, OwnerItems<Item>>;
  readonly turns: Turns<OwnerItems<Item>>;
}

export class FairQueue<Item> {
  readonly #use: RecentUse;
  readonly #networks = new Map<string, NetworkItems<Item>>();
  readonly #turns = new Turns<NetworkItems<Item>>();
  #length = 0;
  /** `RecentUse.endedWindows` when all levels were last read. */
  #endedWindows = 0;

  constructor(use: RecentUse) {
    this.#use = use;
  }

  get length(): number {
    return this.#length;
  }

  push(sender: Sender, item: Item): void {
    const name = networkOf(sender.address);
    const network: NetworkItems<Item> = this.#networks.get(name) ?? {
      name,
      level: NO_LEVEL,
      owners: new Map(),
      turns: new Turns(),
    };
    this.#networks.set(name, network);
    const link: Link<Item> = { item, next: undefined };
    const own = network.owners.get(sender.owner);
    if (own === undefined) {
      const items = { sender, level: NO_LEVEL, first: link, last: link };
      network.owners.set(sender.owner, items);
      this.#place(network, items);
    } else {
      own.last.next = link;
      own.last = link;
      this.#place(network, own);
    }
    this.#length += 1;
  }

  /** Takes up to `count` items. */
  take(count: number): Item[] {
    if (this.#endedWindows !== this.#use.endedWindows) this.#placeAll();
    const taken: Item[] = [];
    while (taken.length < count) {
      const network = this.#turns.first;
      const items = network?.turns.first;
      if (network === undefined || items === undefined) break;
      taken.push(items.first.item);
      this.#takeFirst(network, items);
    }
    this.#length -= taken.length;
    return taken;
  }

  #place(network: NetworkItems<Item>, items: OwnerItems<Item>): void {
    const levels = this.#use.wrongLevelsOf(items.sender);
    this.#turns.place(network, levels.network);
    network.turns.place(items, levels.owner);
  }

  /** Wrong signatures are forgotten when a window ends. */
  #placeAll(): void {
    this.#endedWindows = this.#use.endedWindows;
    for (const network of this.#networks.values()) {
      for (const items of network.owners.values()) this.#place(network, items);
    }
  }

  #takeFirst(network: NetworkItems<Item>, items: OwnerItems<Item>): void {
    const { next } = items.first;
    if (next === undefined) {
      network.turns.remove(items);
      network.owners.delete(items.sender.owner);
    } else {
      items.first = next;
      network.turns.endTurn(items);
    }
    if (network.owners.size > 0) this.#turns.endTurn(network);
    else {
      this.#turns.remove(network);
      this.#networks.delete(network.name);
    }
  }
}
