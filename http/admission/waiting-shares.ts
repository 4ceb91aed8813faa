/**
 * The waiting orders by network and, within a network, by owner. Owners cost nothing, so counting
 * by owner alone would not be fair. overload.ts uses it to tell how many orders go before a new
 * one, in the order in which the fair queue serves them.
 *
 * Invariant: the sums always match the backlogs, and an empty backlog is forgotten.
 * Bound: one backlog for each waiting order.
 */
import type { Sender } from '../api/index.ts';
import type { RecentUse, UseLevels } from './recent-use.ts';
import { networkOf } from './subject.ts';

/** Members that wait, summed by their levels of recent use. */
class LevelSums {
  readonly #orders: number[] = [];
  readonly #members: number[] = [];

  add(level: number, members: number, orders: number): void {
    this.#members[level] = (this.#members[level] ?? 0) + members;
    this.#orders[level] = (this.#orders[level] ?? 0) + orders;
  }

  /**
   * The most orders of other members that go before an order that a member of this level is given
   * in its turn number `turn`. `own` is the member's own part of the sums.
   */
  ahead(level: number, turn: number, own: Leveled | undefined): number {
    let ahead = 0;
    for (let at = 0; at <= level; at += 1) {
      const isOwn = own?.level === at;
      const orders = (this.#orders[at] ?? 0) - (isOwn ? own.orders : 0);
      const members = (this.#members[at] ?? 0) - (isOwn ? 1 : 0);
      ahead += at < level ? orders : Math.min(orders, members * turn);
    }
    return ahead;
  }
}

interface Leveled {
  level: number;
  orders: number;
}

/** The waiting orders of one owner from one network. */
export interface OwnerBacklog<Item> extends Leveled {
  readonly network: Network<Item>;
  readonly owner: string;
  /** One item for each request, oldest first; the caller removes them. */
  readonly items: Item[];
}

interface Network<Item> extends Leveled {
  readonly name: string;
  readonly backlogs: Map<string, OwnerBacklog<Item>>;
  readonly sums: LevelSums;
}

export class WaitingShares<Item> {
  readonly #use: RecentUse;
  readonly #networks = new Map<string, Network<Item>>();
  readonly #sums = new LevelSums();
  #orders = 0;

  constructor(use: RecentUse) {
    this.#use = use;
  }

  get orders(): number {
    return this.#orders;
  }

  /** The waiting orders of the sender's network. */
  networkOrders({ address }: Sender): number {
    return this.#networks.get(networkOf(address))?.orders ?? 0;
  }

  /** The waiting orders of the sender; undefined for none. */
  backlogOf({ address, owner }: Sender): OwnerBacklog<Item> | undefined {
    return this.#networks.get(networkOf(address))?.backlogs.get(owner);
  }

  /** The most orders that go before one more of this sender. An unknown owner, '', goes last. */
  ahead(sender: Sender): number {
    const network = this.#networks.get(networkOf(sender.address));
    // A sender that is new is compared with others that are new.
    const levels = this.#use.levelsOf(sender, 1);
    const own = network?.backlogs.get(sender.owner);
    const ownOrders = own?.orders ?? 0;
    const inNetwork =
      network === undefined || sender.owner === ''
        ? (network?.orders ?? 0)
        : ownOrders + network.sums.ahead(levels.owner, ownOrders + 1, own);
    return inNetwork + this.#sums.ahead(levels.network, inNetwork + 1, network);
  }

  /** Adds the orders of one request to the sender's backlog. */
  add(sender: Sender, orders: number, item: Item): OwnerBacklog<Item> {
    const backlog = this.#backlogFor(sender);
    backlog.items.push(item);
    this.#count(backlog, orders);
    this.#level(backlog, this.#use.levelsOf(sender));
    return backlog;
  }

  /** Removes answered orders from a backlog. */
  remove(backlog: OwnerBacklog<Item>, orders: number): void {
    this.#count(backlog, -orders);
    const { network } = backlog;
    if (backlog.orders === 0 && network.backlogs.get(backlog.owner) === backlog) {
      network.backlogs.delete(backlog.owner);
      network.sums.add(backlog.level, -1, 0);
    }
    if (network.orders === 0 && this.#networks.get(network.name) === network) {
      this.#networks.delete(network.name);
      this.#sums.add(network.level, -1, 0);
    }
  }

  #backlogFor({ address, owner }: Sender): OwnerBacklog<Item> {
    const name = networkOf(address);
    let network = this.#networks.get(name);
    if (network === undefined) {
      network = { name, level: 0, orders: 0, backlogs: new Map(), sums: new LevelSums() };
      this.#networks.set(name, network);
      this.#sums.add(0, 1, 0);
    }
    let backlog = network.backlogs.get(owner);
    if (backlog === undefined) {
      backlog = { network, owner, level: 0, orders: 0, items: [] };
      network.backlogs.set(owner, backlog);
      network.sums.add(0, 1, 0);
    }
    return backlog;
  }

  #count(backlog: OwnerBacklog<Item>, change: number): void {
    const { network } = backlog;
    this.#orders += change;
    backlog.orders += change;
    network.orders += change;
    network.sums.add(backlog.level, 0, change);
    this.#sums.add(network.level, 0, change);
  }

  /** Moves a backlog and its network to the levels that they have now. */
  #level(backlog: OwnerBacklog<Item>, levels: UseLevels): void {
    const { network } = backlog;
    network.sums.add(backlog.level, -1, -backlog.orders);
    backlog.level = levels.owner;
    network.sums.add(backlog.level, 1, backlog.orders);
    this.#sums.add(network.level, -1, -network.orders);
    network.level = levels.network;
    this.#sums.add(network.level, 1, network.orders);
  }
}
