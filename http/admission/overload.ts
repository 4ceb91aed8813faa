/**
 * Overload protection: refuses new orders at once when they come faster than they can be answered,
 * so that none waits without end. It decides by the time that a new order would wait (the number of
 * waiting orders times the time that one answer has lately taken), not by the length of a queue. It
 * also refuses when the event loop is so late that requests wait unseen in sockets. That limit is
 * higher, because the loop is also late when other processes use the processor, and the exchange
 * could still do the work.
 *
 * As in CoDel, a short burst may use more room than a lasting queue: after a refusal the lower
 * target applies until the wait has stayed well below it for a while (hysteresis). Each order is
 * still decided for itself, so that as many are taken as are answered.
 *
 * An owner is not refused for the backlog of another, but only for the orders that go before its
 * own. Networks that lately used less go before those that used more, and networks that used about
 * as much take turns; the owners of a network likewise (recent-use.ts). So in a flood from many
 * networks each of them gets an equal share, and a network that asks for less is not refused. The
 * verifiers serve what was accepted by networks and owners in turn. An order that is too old causes
 * refusals of its owner alone; if no order at all is answered, all owners are refused.
 *
 * Invariant: new orders are refused only while other orders wait: more than `freeOrders` of them,
 * or too old ones, or behind a late event loop. No timer runs while no order waits.
 * Bound: `OVERLOAD_BOUNDS`. `waitingOrders` is so far below the bounds of the queues behind it that
 * orders alone never fill them, and cancels and reads have the rest. One owner has a quarter of it
 * at the most, one network a half.
 */
import type { LoadGate, Sender } from '../api/index.ts';
import type { OVERLOAD_BOUNDS } from '../bounds/sizes.ts';
import { overloadedBy } from '../errors/index.ts';
import { RecentUse } from './recent-use.ts';
import { type OwnerBacklog, WaitingShares } from './waiting-shares.ts';

export type OverloadBounds = { readonly [bound in keyof typeof OVERLOAD_BOUNDS]: number };

export interface OverloadOptions {
  readonly bounds: OverloadBounds;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** The shortest time that a recent commit took. */
  readonly commitMs: () => number;
  /** Calls back once after the delay, at the end of a turn of the event loop. */
  readonly later: (pulse: () => void, delayMs: number) => void;
}

/** The orders of one request that wait for an answer. */
export interface WaitingOrders {
  /** Counts one of them as answered: the engine and the disk are done with it. */
  answerOne(): void;
  /** Counts all the others as answered. */
  answerAll(): void;
}

interface WaitingRequest {
  readonly sinceMs: number;
  /** The number of orders answered before it came. */
  readonly answeredBefore: number;
  orders: number;
  next: WaitingRequest | undefined;
}

/**
 * Calls back at the end of a turn: after a pause of the whole process, answers that have already
 * arrived are handled first, and only the orders left over really wait.
 */
export function endOfTurn(pulse: () => void, delayMs: number): void {
  setTimeout(() => setImmediate(pulse), delayMs).unref();
}

export class Overload implements LoadGate {
  /** What each sender lately used; the verifiers use it too. */
  readonly use: RecentUse;
  readonly #options: OverloadOptions;
  readonly #shares: WaitingShares<WaitingRequest>;
  #first: WaitingRequest | undefined;
  #last: WaitingRequest | undefined;
  #answeredOrders = 0;
  /** When an order was last answered, or came while none waited. */
  #movedMs = 0;
  #isPulsing = false;
  #pulsedMs = 0;
  /** The age of the oldest order at the last pulse. */
  #oldestMs = 0;
  /**
   * The time that one answer takes while many wait: the lesser of the last two readings, because
   * one long pause is not load. (If commits take 40 ms or more, answers come in bursts and this is
   * too low: above capacity, orders then wait about a fifth longer.) It is kept while no
   * order waits, so that a burst after a rest gets no more room than the last measured capacity.
   * `freeOrders` are accepted anyway, and are enough to measure it again.
   */
  #orderMs: number;
  #lastOrderMs: number;
  /** How late the event loop is, also the lesser of two readings. */
  #lateMs = 0;
  #lastLateMs = 0;
  /** When the queue was last congested. */
  #congestedMs = Number.NEGATIVE_INFINITY;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#orderMs = options.bounds.assumedOrderMs;
    this.#lastOrderMs = options.bounds.assumedOrderMs;
    this.use = new RecentUse(options.bounds, options.clock);
    this.#shares = new WaitingShares(this.use);
  }

  get waitingOrders(): number {
    return this.#shares.orders;
  }

  /** The age of the oldest waiting order; 0 for none. */
  get oldestMs(): number {
    return this.#first === undefined ? 0 : this.#options.clock() - this.#first.sinceMs;
  }

  /** True from a refusal until the wait has been short for a while. */
  get isCongested(): boolean {
    return this.#options.clock() - this.#congestedMs <= this.#options.bounds.easedMs;
  }

  /** Throws the `ApiError` `overloaded` when one more order could not be answered in time. */
  admit(sender: Sender): void {
    this.#refuseWhereFull(sender);
    this.#refuseWhereOld(sender);
    const limitMs = this.#limitMs();
    if (this.#waitMs(this.#shares.orders) > limitMs) {
      // Orders that come later may take as much time again before its turn.
      const waitMs = 2 * this.#shares.ahead(sender) * this.#orderMs;
      if (waitMs > limitMs) this.#refuse('waitMs', limitMs, waitMs);
    }
    const { lateLoopMs } = this.#options.bounds;
    if (this.#lateMs > lateLoopMs && !this.#isQuiet(sender)) {
      this.#refuse('eventLoopMs', lateLoopMs, this.#lateMs);
    }
    // What is no order is not charged when it is added.
    if (sender.owner === '') this.use.charge(sender, 1);
  }

  /** Whether few orders of a known sender wait. */
  #isQuiet(sender: Sender): boolean {
    if (sender.owner === '') return false;
    const own = this.#shares.backlogOf(sender)?.orders ?? 0;
    return own < this.#options.bounds.quietOwnerOrders;
  }

  /**
   * The target, plus two commits: the one under way and the order's own. On a slow disk a commit
   * takes as long for few orders as for many, so refusing orders would only leave it idle.
   */
  #limitMs(): number {
    const { burstWaitMs, congestedWaitMs, slowDiskMs } = this.#options.bounds;
    const diskMs = Math.min(2 * this.#options.commitMs(), slowDiskMs);
    return diskMs + (this.isCongested ? congestedWaitMs : burstWaitMs);
  }

  #refuseWhereFull(sender: Sender): void {
    const { waitingOrders, waitingOrdersPerNetwork, waitingOrdersPerOwner } = this.#options.bounds;
    const rows = [
      ['waitingOrders', waitingOrders, this.#shares.orders],
      ['waitingOrdersPerNetwork', waitingOrdersPerNetwork, this.#shares.networkOrders(sender)],
      ['waitingOrdersPerOwner', waitingOrdersPerOwner, this.#shares.backlogOf(sender)?.orders ?? 0],
    ] as const;
    for (const [field, limit, actual] of rows) {
      if (actual >= limit) this.#refuse(field, limit, actual);
    }
  }

  /** Refuses when the owner's oldest order is too old, or when no order at all is answered. */
  #refuseWhereOld(sender: Sender): void {
    if (this.#first === undefined) return;
    const { stalledMs } = this.#options.bounds;
    const first = this.#shares.backlogOf(sender)?.items[0];
    const oldestMs = first === undefined ? 0 : this.#pulsedMs - first.sinceMs;
    const stillMs = this.#pulsedMs - this.#movedMs;
    const worstMs = Math.max(oldestMs, stillMs);
    if (worstMs > stalledMs) this.#refuse('oldestOrderMs', stalledMs, worstMs);
  }

  /** Counts accepted orders as waiting, until they are answered. */
  add(sender: Sender, orders: number): WaitingOrders {
    const waiting: WaitingRequest = {
      sinceMs: this.#options.clock(),
      answeredBefore: this.#answeredOrders,
      orders,
      next: undefined,
    };
    if (this.#first === undefined || this.#last === undefined) {
      this.#first = waiting;
      this.#movedMs = waiting.sinceMs;
    } else this.#last.next = waiting;
    this.#last = waiting;
    this.use.charge(sender, orders);
    const backlog = this.#shares.add(sender, orders, waiting);
    if (!this.#isPulsing) this.#startPulse(waiting.sinceMs);
    return {
      answerOne: () => this.#answerOne(backlog, waiting, Math.min(waiting.orders, 1)),
      answerAll: () => this.#answerOne(backlog, waiting, waiting.orders),
    };
  }

  #answerOne(backlog: OwnerBacklog<WaitingRequest>, waiting: WaitingRequest, orders: number): void {
    if (orders === 0) return;
    waiting.orders -= orders;
    this.#answeredOrders += orders;
    this.#movedMs = this.#options.clock();
    while (backlog.items[0]?.orders === 0) backlog.items.shift();
    this.#shares.remove(backlog, orders);
    while (this.#first?.orders === 0) this.#first = this.#first.next;
    if (this.#first === undefined) this.#last = undefined;
  }

  #refuse(field: string, limit: number, actual: number): never {
    this.#congestedMs = this.#options.clock();
    throw overloadedBy(field, Math.floor(limit), Math.ceil(actual));
  }

  /**
   * The wait of an order behind `orders` others; 0 for up to `freeOrders`. The lateness of the
   * event loop is not added, because `#orderMs` includes it.
   */
  #waitMs(orders: number): number {
    return orders > this.#options.bounds.freeOrders ? orders * this.#orderMs : 0;
  }

  #startPulse(nowMs: number): void {
    this.#isPulsing = true;
    this.#pulsedMs = nowMs;
    this.#pulseLater();
  }

  #pulseLater(): void {
    this.#options.later(() => this.#pulse(), this.#options.bounds.pulseMs);
  }

  #pulse(): void {
    if (this.#first === undefined) {
      this.#rest();
      return;
    }
    const { pulseMs, sampledOrders } = this.#options.bounds;
    const nowMs = this.#options.clock();
    const lateMs = Math.max(nowMs - this.#pulsedMs - pulseMs, 0);
    this.#lateMs = Math.min(lateMs, this.#lastLateMs);
    this.#lastLateMs = lateMs;
    this.#pulsedMs = nowMs;
    this.#oldestMs = nowMs - this.#first.sinceMs;
    // The orders answered since the oldest came were ahead of it, except for a few of other owners
    // that overtook it. Fewer than `sampledOrders` would measure the demand, not the capacity.
    const answered = this.#answeredOrders - this.#first.answeredBefore;
    if (answered >= sampledOrders) this.#learn(this.#oldestMs / answered);
    if (this.isCongested && this.#waitMs(this.#shares.orders) > this.#limitMs() / 2)
      this.#congestedMs = nowMs;
    this.#pulseLater();
  }

  #learn(orderMs: number): void {
    this.#orderMs = Math.min(orderMs, this.#lastOrderMs);
    this.#lastOrderMs = orderMs;
  }

  /** Stops the timer until the next order comes. */
  #rest(): void {
    this.#isPulsing = false;
    this.#oldestMs = 0;
    this.#lateMs = 0;
    this.#lastLateMs = 0;
  }
}
