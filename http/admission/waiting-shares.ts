/**
 * The number of waiting orders by network and, within a network, by owner. Owners cost nothing, so
 * counting by owner alone would not be fair. overload.ts uses it to decide which orders to refuse.
 *
 * Invariant: the sums always match the backlogs, and an empty backlog is forgotten.
 * Bound: one backlog for each waiting order.
 */
import type { Sender } from '../api/index.ts';
import { networkOf } from './subject.ts';

export type ShareBounds = Readonly<Record<'quietOwnerOrders' | 'quietNetworkOrders', number>>;

/** The waiting orders of one owner from one network. */
export interface OwnerBacklog<Item> {
  readonly network: Network<Item>;
  readonly owner: string;
  orders: number;
  /** One item for each request, oldest first; the caller removes them. */
  readonly items: Item[];
}

interface Network<Item> {
  readonly name: string;
  orders: number;
  readonly backlogs: Map<string, OwnerBacklog<Item>>;
}

export class WaitingShares<Item> {
  readonly #bounds: ShareBounds;
  readonly #networks = new Map<string, Network<Item>>();
  #orders = 0;
  #quietOrders = 0;
  #quietNetworkOrders = 0;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  get orders(): number {
    return this.#orders;
  }

  /** The most orders that go before those of an owner with few orders, as owners take turns. */
  get quietOrders(): number {
    return this.#quietOrders;
  }

  /** The most orders that go before those of a network with few orders, as networks take turns. */
  get quietNetworkOrders(): number {
    return this.#quietNetworkOrders;
  }

  /** The waiting orders of the sender's network. */
  networkOrders({ address }: Sender): number {
    return this.#networks.get(networkOf(address))?.orders ?? 0;
  }

  /** The waiting orders of the sender; undefined for none. */
  backlogOf({ address, owner }: Sender): OwnerBacklog<Item> | undefined {
    return this.#networks.get(networkOf(address))?.backlogs.get(owner);
  }

  /** The sender's fair share, as a fraction: networks share equally, and owners within each. */
  shareOf({ address, owner }: Sender): number {
    const network = this.#networks.get(networkOf(address));
    if (network === undefined) return 1 / (this.#networks.size + 1);
    const owners = network.backlogs.size + (network.backlogs.has(owner) ? 0 : 1);
    return 1 / (this.#networks.size * owners);
  }

  /** Adds the orders of one request to the sender's backlog. */
  add(sender: Sender, orders: number, item: Item): OwnerBacklog<Item> {
    const backlog = this.#backlogFor(sender);
    backlog.items.push(item);
    this.#count(backlog, orders);
    return backlog;
  }

  /** Removes answered orders from a backlog. */
  remove(backlog: OwnerBacklog<Item>, orders: number): void {
    this.#count(backlog, -orders);
    const { network } = backlog;
    if (backlog.orders === 0 && network.backlogs.get(backlog.owner) === backlog) {
      network.backlogs.delete(backlog.owner);
    }
    if (network.orders === 0 && this.#networks.get(network.name) === network) {
      this.#networks.delete(network.name);
    }
  }

  #backlogFor({ address, owner }: Sender): OwnerBacklog<Item> {
    const name = networkOf(address);
    const network = this.#networks.get(name) ?? { name, orders: 0, backlogs: new Map() };
    this.#networks.set(name, network);
    const backlog = network.backlogs.get(owner) ?? { network, owner, orders: 0, items: [] };
    network.backlogs.set(owner, backlog);
    return backlog;
  }

  #count(backlog: OwnerBacklog<Item>, change: number): void {
    const { quietOwnerOrders, quietNetworkOrders } = this.#bounds;
    const { network } = backlog;
    this.#orders += change;
    this.#quietOrders += growth(backlog.orders, change, quietOwnerOrders);
    this.#quietNetworkOrders += growth(network.orders, change, quietNetworkOrders);
    backlog.orders += change;
    network.orders += change;
  }
}

/** The change of `min(count, cap)` when `count` changes. */
function growth(count: number, change: number, cap: number): number {
  return Math.min(count + change, cap) - Math.min(count, cap);
}
