/**
 * Who has how many orders waiting: counted by network and, within it, by owner, for owners cost
 * nothing. overload.ts judges by it whom to refuse.
 *
 * Invariant: the sums are those of the lines, at all times; a line that holds nothing is forgotten.
 * Bound: as many lines as orders wait.
 */
import type { Sender } from '../api/index.ts';
import { networkOf } from './subject.ts';

export type ShareBounds = Readonly<Record<'quietOwnerOrders' | 'quietNetworkOrders', number>>;

/** What one owner has waiting from one network. */
export interface Line<Item> {
  readonly network: Network<Item>;
  readonly owner: string;
  orders: number;
  /** What came together, oldest first; for the caller to keep. */
  readonly items: Item[];
}

interface Network<Item> {
  readonly name: string;
  orders: number;
  readonly lines: Map<string, Line<Item>>;
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

  /** What waits before an owner of whom little waits, where owners take turns. */
  get quietOrders(): number {
    return this.#quietOrders;
  }

  /** What waits before one of whose whole network little waits, where networks take turns. */
  get quietNetworkOrders(): number {
    return this.#quietNetworkOrders;
  }

  /** What waits of the network; 0 where nothing does. */
  networkOrders({ address }: Sender): number {
    return this.#networks.get(networkOf(address))?.orders ?? 0;
  }

  /** What waits of the owner, from this network. */
  lineOf({ address, owner }: Sender): Line<Item> | undefined {
    return this.#networks.get(networkOf(address))?.lines.get(owner);
  }

  /** The part of the whole that is this owner's: networks share evenly, and owners within each. */
  partOf({ address, owner }: Sender): number {
    const network = this.#networks.get(networkOf(address));
    if (network === undefined) return 1 / (this.#networks.size + 1);
    const owners = network.lines.size + (network.lines.has(owner) ? 0 : 1);
    return 1 / (this.#networks.size * owners);
  }

  /** Counts orders that came together; gives the line that they stand in. */
  add(sender: Sender, orders: number, item: Item): Line<Item> {
    const line = this.#lineFor(sender);
    line.items.push(item);
    this.#count(line, orders);
    return line;
  }

  /** Orders of a line are answered. */
  remove(line: Line<Item>, orders: number): void {
    this.#count(line, -orders);
    const { network } = line;
    if (line.orders === 0 && network.lines.get(line.owner) === line) {
      network.lines.delete(line.owner);
    }
    if (network.orders === 0 && this.#networks.get(network.name) === network) {
      this.#networks.delete(network.name);
    }
  }

  #lineFor({ address, owner }: Sender): Line<Item> {
    const name = networkOf(address);
    const network = this.#networks.get(name) ?? { name, orders: 0, lines: new Map() };
    this.#networks.set(name, network);
    const line = network.lines.get(owner) ?? { network, owner, orders: 0, items: [] };
    network.lines.set(owner, line);
    return line;
  }

  #count(line: Line<Item>, change: number): void {
    const { quietOwnerOrders, quietNetworkOrders } = this.#bounds;
    const { network } = line;
    this.#orders += change;
    this.#quietOrders += growth(line.orders, change, quietOwnerOrders);
    this.#quietNetworkOrders += growth(network.orders, change, quietNetworkOrders);
    line.orders += change;
    network.orders += change;
  }
}

/** By how much the lesser of a count and a cap grows. */
function growth(count: number, change: number, cap: number): number {
  return Math.min(count + change, cap) - Math.min(count, cap);
}
