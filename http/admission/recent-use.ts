/**
 * How much of the exchange each network, and each owner within it, has lately used. Overload
 * protection lets those in first that used least (least attained service). So an owner that asks
 * for less than an equal share is served, however many networks flood, and all that flood get equal
 * shares.
 *
 * Uses are counted in orders, over the last one to two seconds, and compared by level: the number
 * of binary digits. Members of one level differ by less than a factor of two and take turns. Wrong
 * signatures weigh more and are remembered for longer, because many are under way before the first
 * is verified. The fair queue of the verifiers looks at wrong signatures alone: if it looked at
 * orders too, later ones would overtake those that were accepted.
 *
 * Invariant: a level depends only on what was charged in the present windows and the last ones.
 * Bound: `useCounts` keys for each window. A window that is full ends early.
 */
import type { Sender } from '../api/index.ts';
import { networkOf } from './subject.ts';

/** The fields are those of `OVERLOAD_BOUNDS` of the same names. */
export interface UseBounds {
  readonly useWindowMs: number;
  readonly wrongWindowMs: number;
  readonly wrongSignatureOrders: number;
  readonly useCounts: number;
}

/** How much a network has lately used, and how much its owner has used from this network. */
export interface UseLevels {
  readonly network: number;
  readonly owner: number;
}

const BITS = 32;
const MAX_COUNT = 2 ** 20;

/** Counts by key in the present window and the one before it. */
class TwoWindows {
  readonly #windowMs: number;
  readonly #most: number;
  #before = new Map<string, number>();
  #now = new Map<string, number>();
  #endMs: number;
  /** Windows that have ended. */
  ended = 0;

  constructor(nowMs: number, windowMs: number, most: number) {
    this.#windowMs = windowMs;
    this.#most = most;
    this.#endMs = nowMs + windowMs;
  }

  turn(nowMs: number): void {
    if (nowMs < this.#endMs) return;
    // After more than a window without a call, both windows are in the past.
    if (nowMs >= this.#endMs + this.#windowMs) this.#end();
    this.#end();
    this.#endMs = nowMs + this.#windowMs;
  }

  add(key: string, count: number): void {
    this.#now.set(key, Math.min((this.#now.get(key) ?? 0) + count, MAX_COUNT));
    if (this.#now.size >= this.#most) this.#end();
  }

  countOf(key: string): number {
    return (this.#now.get(key) ?? 0) + (this.#before.get(key) ?? 0);
  }

  #end(): void {
    this.ended += 1;
    this.#before = this.#now;
    this.#now = new Map();
  }
}

export class RecentUse {
  readonly #clock: () => number;
  readonly #orders: TwoWindows;
  readonly #wrong: TwoWindows;
  readonly #wrongSignatureOrders: number;

  /** `clock`: a monotonic clock in milliseconds. */
  constructor(bounds: UseBounds, clock: () => number) {
    this.#clock = clock;
    const { useWindowMs, wrongWindowMs, useCounts } = bounds;
    this.#orders = new TwoWindows(clock(), useWindowMs, useCounts);
    this.#wrong = new TwoWindows(clock(), wrongWindowMs, useCounts);
    this.#wrongSignatureOrders = bounds.wrongSignatureOrders;
  }

  /** Levels fall only when this number grows. */
  get endedWindows(): number {
    this.#turn();
    return this.#orders.ended + this.#wrong.ended;
  }

  charge(sender: Sender, orders: number): void {
    this.#turn();
    for (const key of keysOf(sender)) this.#orders.add(key, orders);
  }

  chargeWrongSignature(sender: Sender): void {
    this.#turn();
    for (const key of keysOf(sender)) this.#wrong.add(key, this.#wrongSignatureOrders);
  }

  /** The levels after `more` orders more. */
  levelsOf(sender: Sender, more = 0): UseLevels {
    this.#turn();
    const [network, owner] = keysOf(sender);
    return { network: this.#levelOf(network, more), owner: this.#levelOf(owner, more) };
  }

  /** Levels by wrong signatures alone: 1 for one or more, otherwise 0. */
  wrongLevelsOf(sender: Sender): UseLevels {
    this.#turn();
    const [network, owner] = keysOf(sender).map((key) => Math.min(this.#wrong.countOf(key), 1));
    return { network: network ?? 0, owner: owner ?? 0 };
  }

  #levelOf(key: string, more: number): number {
    return BITS - Math.clz32(this.#orders.countOf(key) + this.#wrong.countOf(key) + more);
  }

  #turn(): void {
    const nowMs = this.#clock();
    this.#orders.turn(nowMs);
    this.#wrong.turn(nowMs);
  }
}

/** The keys of a network and of an owner in it. No network's name has a space. */
function keysOf({ address, owner }: Sender): readonly [network: string, owner: string] {
  const network = networkOf(address);
  return [network, `${network} ${owner}`];
}
