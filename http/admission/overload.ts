/**
 * Says when orders come faster than they can be answered, so that new ones are refused at once
 * instead of waiting without end (design 6). Judged is the time that a new order would wait, not
 * the length of a queue: what waits, times what an answer has lately taken; and whether the event
 * loop is so late that requests wait in sockets, unseen. That has a bound of its own, which is
 * higher: a process that others keep waiting is late too, and would refuse what it can do.
 *
 * As in CoDel, a burst may use more room than a queue that stands: after a refusal the target is
 * the lower one, until the wait has stayed well below it for a while. That is the hysteresis; which
 * orders are refused meanwhile is decided for each anew, so that as many are taken as are answered.
 *
 * Nobody is refused for the backlog of another. Verifiers serve networks and owners in turn, so an
 * owner of whom few orders wait has only few of each other owner before its next one; it is refused
 * when these alone are too many. Of whom more wait, it is refused beyond its even part of what may
 * wait. Age is each owner's own; that nothing at all is answered is everybody's.
 *
 * Invariant: nothing but orders that really wait, more than `freeOrders` of them or too old ones,
 * keeps new ones out, and every ticket ends. Without any that wait no timer runs.
 * Bound: `OVERLOAD_BOUNDS`; `waitingOrders` lies so far below the hard bounds of the queues behind
 * it that placings alone never fill them, and cancels and reads have the rest. One owner has a
 * quarter of it at most, one network a half.
 */

import type { LoadGate, Sender } from '../api/index.ts';
import type { OVERLOAD_BOUNDS } from '../bounds/index.ts';
import { overloadedBy } from '../errors/index.ts';
import { type Line, WaitingShares } from './waiting-shares.ts';

export type OverloadBounds = { readonly [bound in keyof typeof OVERLOAD_BOUNDS]: number };

export interface OverloadOptions {
  readonly bounds: OverloadBounds;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** What a commit has lately taken at least. */
  readonly commitMs: () => number;
  /** Calls back once, that much later, at the end of a turn of the event loop. */
  readonly later: (pulse: () => void, delayMs: number) => void;
}

/** Orders that came in one request. */
export interface Ticket {
  /** One of them is answered, as far as engine and disk are concerned. */
  leave(): void;
  /** So are all that have not left yet. */
  end(): void;
}

interface Waiting {
  readonly sinceMs: number;
  /** How many had been answered when it came. */
  readonly answeredBefore: number;
  orders: number;
  next: Waiting | undefined;
}

/**
 * At the end of a turn, for a pause of the whole process delays the answers that are there already
 * too: only what is still unanswered after everything was heard really waits.
 */
export function endOfTurn(pulse: () => void, delayMs: number): void {
  setTimeout(() => setImmediate(pulse), delayMs).unref();
}

export class Overload implements LoadGate {
  readonly #options: OverloadOptions;
  readonly #shares: WaitingShares<Waiting>;
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  #answeredOrders = 0;
  /** When the last was answered, or the first came after a rest. */
  #movedMs = 0;
  #isPulsing = false;
  #pulsedMs = 0;
  /** What is learned at each pulse: the age of the oldest order, */
  #oldestMs = 0;
  /**
   * the time that one answer takes while many wait, the lesser of the last two readings, for one
   * long pause is no load; beyond capacity on a disk of 40 ms and more, which answers in bursts,
   * orders wait some fifth longer for that. It is kept: of a burst after a rest too no more is
   * taken than was possible last, and `freeOrders` of it teach whether that has changed,
   */
  #orderMs: number;
  #lastOrderMs: number;
  /** and how late the event loop is, the lesser of two as well. */
  #lateMs = 0;
  #lastLateMs = 0;
  /** When the queue was last seen to stand. */
  #stoodMs = Number.NEGATIVE_INFINITY;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#orderMs = options.bounds.assumedOrderMs;
    this.#lastOrderMs = options.bounds.assumedOrderMs;
    this.#shares = new WaitingShares(options.bounds);
  }

  get waitingOrders(): number {
    return this.#shares.orders;
  }

  /** For how long the oldest order waits by now; 0 when none does. */
  get oldestMs(): number {
    return this.#first === undefined ? 0 : this.#options.clock() - this.#first.sinceMs;
  }

  /** From a refusal until the wait has eased for a while. */
  get isStanding(): boolean {
    return this.#options.clock() - this.#stoodMs <= this.#options.bounds.easedMs;
  }

  /** Throws the `ApiError` `overloaded` when one more of theirs could not be answered in time. */
  admit(sender: Sender): void {
    this.#refuseWhereFull(sender);
    this.#refuseWhereOld(sender);
    const limitMs = this.#limitMs();
    const waitMs = this.#waitMs(this.#shares.orders);
    const { lateLoopMs } = this.#options.bounds;
    const isLate = this.#lateMs > lateLoopMs;
    if ((waitMs <= limitMs && !isLate) || this.#isWithinShare(sender, limitMs)) return;
    if (waitMs > limitMs) this.#refuse('waitMs', limitMs, waitMs);
    this.#refuse('eventLoopMs', lateLoopMs, this.#lateMs);
  }

  /**
   * The target, and beyond it the commit that is under way and the order's own: on a slow disk they
   * take no less for fewer orders, and whoever refused for them would leave the rest idle.
   */
  #limitMs(): number {
    const { burstWaitMs, standingWaitMs, slowDiskMs } = this.#options.bounds;
    const diskMs = Math.min(2 * this.#options.commitMs(), slowDiskMs);
    return diskMs + (this.isStanding ? standingWaitMs : burstWaitMs);
  }

  #refuseWhereFull(sender: Sender): void {
    const { waitingOrders, waitingOrdersPerNetwork, waitingOrdersPerOwner } = this.#options.bounds;
    const rows = [
      ['waitingOrders', waitingOrders, this.#shares.orders],
      ['waitingOrdersPerNetwork', waitingOrdersPerNetwork, this.#shares.networkOrders(sender)],
      ['waitingOrdersPerOwner', waitingOrdersPerOwner, this.#shares.lineOf(sender)?.orders ?? 0],
    ] as const;
    for (const [field, limit, actual] of rows) {
      if (actual >= limit) this.#refuse(field, limit, actual);
    }
  }

  /** The owner's own oldest order; and anybody's while the disk stands still. */
  #refuseWhereOld(sender: Sender): void {
    if (this.#first === undefined) return;
    const { stalledMs } = this.#options.bounds;
    const first = this.#shares.lineOf(sender)?.items[0];
    const oldestMs = first === undefined ? 0 : this.#pulsedMs - first.sinceMs;
    const stillMs = this.#pulsedMs - this.#movedMs;
    const worstMs = Math.max(oldestMs, stillMs);
    if (worstMs > stalledMs) this.#refuse('oldestOrderMs', stalledMs, worstMs);
  }

  /** Whether it may have one more although more waits than can be answered in time. */
  #isWithinShare(sender: Sender, limitMs: number): boolean {
    // Only a claim, and not of anybody who is known: nobody's share.
    if (sender.owner === '') return false;
    const { quietOwnerOrders, quietNetworkOrders, freeOrders } = this.#options.bounds;
    const own = this.#shares.lineOf(sender)?.orders ?? 0;
    if (own < quietOwnerOrders) {
      const isQuiet = this.#shares.networkOrders(sender) < quietNetworkOrders;
      const byNetwork = isQuiet ? this.#shares.quietNetworkOrders : Number.POSITIVE_INFINITY;
      const ahead = Math.min(this.#shares.quietOrders, byNetwork);
      return ahead <= freeOrders || this.#waitMs(ahead) <= limitMs;
    }
    if (this.#lateMs > this.#options.bounds.lateLoopMs) return false;
    const roomOrders = limitMs / this.#orderMs;
    return own < roomOrders * this.#shares.partOf(sender);
  }

  /** Orders were taken: they wait until their ticket says otherwise. */
  enter(sender: Sender, orders: number): Ticket {
    const waiting: Waiting = {
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
    const line = this.#shares.add(sender, orders, waiting);
    if (!this.#isPulsing) this.#startPulse(waiting.sinceMs);
    return {
      leave: () => this.#leave(line, waiting, Math.min(waiting.orders, 1)),
      end: () => this.#leave(line, waiting, waiting.orders),
    };
  }

  #leave(line: Line<Waiting>, waiting: Waiting, orders: number): void {
    if (orders === 0) return;
    waiting.orders -= orders;
    this.#answeredOrders += orders;
    this.#movedMs = this.#options.clock();
    while (line.items[0]?.orders === 0) line.items.shift();
    this.#shares.remove(line, orders);
    while (this.#first?.orders === 0) this.#first = this.#first.next;
    if (this.#first === undefined) this.#last = undefined;
  }

  #refuse(field: string, limit: number, actual: number): never {
    this.#stoodMs = this.#options.clock();
    throw overloadedBy(field, limit, Math.round(actual));
  }

  /**
   * How long one behind so many would wait. Few orders are never too many: a slow disk is. How late
   * the event loop is need not be added, for what is answered waits for that too.
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
    // All that were answered since the oldest came were ahead of it, but for a few that other
    // owners overtook it with. Fewer than a sample say how much was asked, not what is possible.
    const answered = this.#answeredOrders - this.#first.answeredBefore;
    if (answered >= sampledOrders) this.#learn(this.#oldestMs / answered);
    if (this.isStanding && this.#waitMs(this.#shares.orders) > this.#limitMs() / 2)
      this.#stoodMs = nowMs;
    this.#pulseLater();
  }

  #learn(orderMs: number): void {
    this.#orderMs = Math.min(orderMs, this.#lastOrderMs);
    this.#lastOrderMs = orderMs;
  }

  /** Until the next order comes. */
  #rest(): void {
    this.#isPulsing = false;
    this.#oldestMs = 0;
    this.#lateMs = 0;
    this.#lastLateMs = 0;
  }
}
