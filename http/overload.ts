/**
 * Says when orders come faster than they can be answered, so that new ones are refused at once
 * instead of waiting without end (design 6). Judged is the time that a new order would wait, not
 * the length of a queue: what waits, times what an answer has lately taken, and how late the event
 * loop is, because requests also wait in sockets, unseen.
 *
 * As in CoDel, a burst may use more room than a queue that stands: after a refusal the target is
 * the lower one, until the wait has stayed well below it for a while. That is the hysteresis; which
 * orders are refused meanwhile is decided for each anew, so that as many are taken as are answered.
 *
 * Invariant: nothing but orders that really wait, more than `freeOrders` of them or too old ones,
 * keeps new ones out, and every ticket ends. Without any that wait no timer runs.
 * Bound: `OVERLOAD_BOUNDS`; `waitingOrders` lies so far below the hard bounds of the queues behind
 * it that placings alone never fill them, and cancels and reads have the rest.
 */
import type { OVERLOAD_BOUNDS } from './bounds.ts';
import { overloadedBy } from './errors.ts';
import type { LoadGate } from './server-hooks.ts';

export type OverloadBounds = { readonly [bound in keyof typeof OVERLOAD_BOUNDS]: number };

export interface OverloadOptions {
  readonly bounds: OverloadBounds;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
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
export const endOfTurn = (pulse: () => void, delayMs: number): void => {
  setTimeout(() => setImmediate(pulse), delayMs).unref();
};

export class Overload implements LoadGate {
  readonly #options: OverloadOptions;
  #first: Waiting | undefined;
  #last: Waiting | undefined;
  #waitingOrders = 0;
  #answeredOrders = 0;
  #isPulsing = false;
  #pulsedMs = 0;
  /** What is learned at each pulse: the age of the oldest order, */
  #oldestMs = 0;
  /** the time that one answer takes while many wait (0: not known), and when that was learned, */
  #orderMs = 0;
  #sampledMs = 0;
  /** and how late the event loop is: the lesser of two, for one long pause is no load. */
  #lateMs = 0;
  #lastLateMs = 0;
  /** When the queue was last seen to stand. */
  #stoodMs = Number.NEGATIVE_INFINITY;

  constructor(options: OverloadOptions) {
    this.#options = options;
  }

  get waitingOrders(): number {
    return this.#waitingOrders;
  }

  /** For how long the oldest order waits by now; 0 when none does. */
  get oldestMs(): number {
    return this.#first === undefined ? 0 : this.#options.clock() - this.#first.sinceMs;
  }

  /** From a refusal until the wait has eased for a while. */
  get isStanding(): boolean {
    return this.#options.clock() - this.#stoodMs <= this.#options.bounds.easedMs;
  }

  /** Throws the `ApiError` `overloaded` when one more could not be answered in time. */
  admit(): void {
    const { waitingOrders, stalledMs, burstWaitMs, standingWaitMs } = this.#options.bounds;
    if (this.#waitingOrders >= waitingOrders) {
      this.#refuse('waitingOrders', waitingOrders, this.#waitingOrders);
    }
    if (this.#oldestMs > stalledMs) this.#refuse('oldestOrderMs', stalledMs, this.#oldestMs);
    const limitMs = this.isStanding ? standingWaitMs : burstWaitMs;
    if (this.#lateMs > limitMs) this.#refuse('eventLoopMs', limitMs, this.#lateMs);
    const waitMs = this.#waitMs();
    if (waitMs > limitMs) this.#refuse('waitMs', limitMs, waitMs);
  }

  /** Orders were taken: they wait until their ticket says otherwise. */
  enter(orders: number): Ticket {
    const waiting: Waiting = {
      sinceMs: this.#options.clock(),
      answeredBefore: this.#answeredOrders,
      orders,
      next: undefined,
    };
    if (this.#first === undefined || this.#last === undefined) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
    this.#waitingOrders += orders;
    if (!this.#isPulsing) this.#startPulse(waiting.sinceMs);
    return {
      leave: () => this.#leave(waiting, Math.min(waiting.orders, 1)),
      end: () => this.#leave(waiting, waiting.orders),
    };
  }

  #leave(waiting: Waiting, orders: number): void {
    waiting.orders -= orders;
    this.#waitingOrders -= orders;
    this.#answeredOrders += orders;
    while (this.#first?.orders === 0) this.#first = this.#first.next;
    if (this.#first === undefined) this.#last = undefined;
  }

  #refuse(field: string, limit: number, actual: number): never {
    this.#stoodMs = this.#options.clock();
    throw overloadedBy(field, limit, Math.round(actual));
  }

  /** How long an order that came now would wait. Few orders are never too many: a slow disk is. */
  #waitMs(): number {
    const waits = this.#waitingOrders > this.#options.bounds.freeOrders;
    return this.#lateMs + (waits ? this.#waitingOrders * this.#orderMs : 0);
  }

  #startPulse(nowMs: number): void {
    this.#isPulsing = true;
    this.#pulsedMs = nowMs;
    // What was possible a moment ago is so still; of long ago it says nothing.
    if (nowMs - this.#sampledMs > this.#options.bounds.easedMs) this.#orderMs = 0;
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
    const { pulseMs, sampledOrders, standingWaitMs } = this.#options.bounds;
    const nowMs = this.#options.clock();
    const lateMs = Math.max(nowMs - this.#pulsedMs - pulseMs, 0);
    this.#lateMs = Math.min(lateMs, this.#lastLateMs);
    this.#lastLateMs = lateMs;
    this.#pulsedMs = nowMs;
    this.#oldestMs = nowMs - this.#first.sinceMs;
    // All that were answered since the oldest came were ahead of it, but for a few that other
    // owners overtook it with. Fewer than a sample say how much was asked, not what is possible.
    const answered = this.#answeredOrders - this.#first.answeredBefore;
    if (answered >= sampledOrders) {
      this.#orderMs = this.#oldestMs / answered;
      this.#sampledMs = nowMs;
    }
    if (this.isStanding && this.#waitMs() > standingWaitMs / 2) this.#stoodMs = nowMs;
    this.#pulseLater();
  }

  /** Until the next order comes. */
  #rest(): void {
    this.#isPulsing = false;
    this.#oldestMs = 0;
    this.#lateMs = 0;
    this.#lastLateMs = 0;
  }
}
