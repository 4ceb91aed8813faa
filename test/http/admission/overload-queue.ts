/**
 * A server in simulated time: orders arrive at random, are verified and matched one at a time, and
 * are answered by commits, one at a time. So the load gate behaves the same on every machine.
 * Invariant: one seed, one run.
 */

import { FairQueue } from '../../../http/admission/fair-queue.ts';
import {
  Overload,
  type OverloadBounds,
  type WaitingOrders,
} from '../../../http/admission/overload.ts';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import { refusalIn } from './limits-fixture.ts';

export interface QueueRun {
  /** Capacity in orders a second. */
  readonly perSecond: number;
  /** The load, as a multiple of the capacity. */
  readonly times: number;
  readonly commitMs: number;
  readonly seconds: number;
  readonly bounds?: OverloadBounds;
}

export interface QueueFigures {
  /** Orders answered, as a share of the capacity. */
  readonly goodput: number;
  /** p99 of the orders admitted after LEARNED_MS. */
  readonly p99Ms: number;
  readonly refused: number;
  readonly mostWaiting: number;
}

interface Order {
  readonly orders: WaitingOrders;
  readonly arrivedMs: number;
}

const OWNERS = 1_000;
const LEARNED_MS = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Uniform in (0, 1], from one seed. */
function makeRandom() {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state + 1) / (2 ** 31 + 1);
  };
}

class Queue {
  readonly #run: QueueRun;
  readonly #random = makeRandom();
  readonly #overload: Overload;
  #nowMs = 0;
  #pulse: () => void = () => {};
  /** Times of the next events. */
  #pulseMs = NEVER;
  #arrivalMs = 0;
  #matchedMs = NEVER;
  #committedMs = NEVER;
  readonly #verifying: FairQueue<Order>;
  #matched: Order[] = [];
  #committing: Order[] = [];
  readonly #latenciesMs: number[] = [];
  #answered = 0;
  #sent = 0;
  #refused = 0;
  #mostWaiting = 0;

  constructor(run: QueueRun) {
    this.#run = run;
    this.#overload = new Overload({
      bounds: run.bounds ?? OVERLOAD_BOUNDS,
      clock: () => this.#nowMs,
      commitMs: () => run.commitMs,
      later: (pulse, delayMs) => {
        this.#pulse = pulse;
        this.#pulseMs = this.#nowMs + delayMs;
      },
    });
    this.#verifying = new FairQueue(this.#overload.use);
  }

  figures(): QueueFigures {
    const { perSecond, seconds } = this.#run;
    while (this.#nowMs < seconds * 1_000) this.#step();
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    return {
      goodput: this.#answered / (perSecond * seconds),
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      refused: this.#refused / this.#sent,
      mostWaiting: this.#mostWaiting,
    };
  }

  #step(): void {
    this.#nowMs = Math.min(this.#pulseMs, this.#arrivalMs, this.#matchedMs, this.#committedMs);
    if (this.#nowMs === this.#pulseMs) {
      this.#pulseMs = NEVER;
      this.#pulse();
    } else if (this.#nowMs === this.#arrivalMs) this.#arrive();
    else if (this.#nowMs === this.#matchedMs) {
      this.#matchedMs = NEVER;
      this.#matched.push(...this.#verifying.take(1));
    } else this.#answer();
    if (this.#matchedMs === NEVER && this.#verifying.length > 0) {
      this.#matchedMs = this.#nowMs + this.#gapMs(this.#run.perSecond);
    }
    if (this.#committing.length > 0 || this.#matched.length === 0) return;
    this.#committing = this.#matched;
    this.#matched = [];
    this.#committedMs = this.#nowMs + this.#run.commitMs;
  }

  #arrive(): void {
    const { perSecond, times } = this.#run;
    this.#arrivalMs = this.#nowMs + this.#gapMs(perSecond * times);
    this.#sent += 1;
    const owner = this.#sent % OWNERS;
    const asking = { address: `10.0.${owner >> 8}.${owner & 255}`, owner: `0x${owner}` };
    if (refusalIn(() => this.#overload.admit(asking)) !== undefined) {
      this.#refused += 1;
      return;
    }
    const orders = this.#overload.add(asking, 1);
    this.#verifying.push(asking, { orders, arrivedMs: this.#nowMs });
    this.#mostWaiting = Math.max(this.#mostWaiting, this.#overload.waitingOrders);
  }

  #answer(): void {
    this.#committedMs = NEVER;
    for (const { orders, arrivedMs } of this.#committing) {
      if (arrivedMs > LEARNED_MS) this.#latenciesMs.push(this.#nowMs - arrivedMs);
      this.#answered += 1;
      orders.answerAll();
    }
    this.#committing = [];
  }

  #gapMs(perSecond: number): number {
    return (-Math.log(this.#random()) * 1_000) / perSecond;
  }
}

export function runQueue(run: QueueRun): QueueFigures {
  return new Queue(run).figures();
}
