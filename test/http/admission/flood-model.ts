/**
 * A flood in simulated time: sockets of many networks send an order as soon as the one before is
 * answered or refused, and quiet owners send one order now and then. The server looks at orders in
 * the turns of the fair queue and answers them by commits. Invariant: the same run every time.
 */
import { FairQueue } from '../../../http/admission/fair-queue.ts';
import { Overload, type WaitingOrders } from '../../../http/admission/overload.ts';
import type { Sender } from '../../../http/api/server-hooks.ts';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import { refusalIn } from './limits-fixture.ts';

export interface FloodRun {
  /** Flooding networks. */
  readonly networks: number;
  /** Of each flooding network. */
  readonly sockets: number;
  /** Of each flooding network: its sockets share them. */
  readonly owners: number;
  /** Orders that the server answers in a second. A wrong signature takes as long as ten. */
  readonly perSecond: number;
  readonly hasWrongSignatures: boolean;
  /** The quiet owner is in a network of its own, or in the first flooding one. */
  readonly isQuietApart: boolean;
  /** How long the quiet owner waits after each answer. */
  readonly quietPauseMs: number;
}

export interface FloodFigures {
  readonly quietSent: number;
  readonly quietRefused: number;
  /** The longest time that a quiet order waited for its answer. */
  readonly quietLongestMs: number;
  readonly floodAnswered: number;
}

const SECONDS = 4;
const COMMIT_MS = 5;
/** By then the flood has filled the queue. */
const SETTLED_MS = 2_000;
/** How long a client needs to send again. */
const ROUND_TRIP_MS = 5;
/** A wrong signature takes as long as so many orders. */
const WRONG_TAKES = 10;

interface Sending {
  readonly sender: Sender;
  readonly isQuiet: boolean;
  sentMs: number;
  /** When it sends next; Infinity while it waits for an answer. */
  nextMs: number;
}

interface Order {
  readonly sending: Sending;
  readonly waiting: WaitingOrders;
}

class Flood {
  readonly #run: FloodRun;
  readonly #overload: Overload;
  readonly #queue: FairQueue<Order>;
  #nowMs = 0;
  #pulse: (() => void) | undefined;
  #pulseMs = 0;
  /** Work that the server still can do in this millisecond, in orders. */
  #room = 0;
  #looked: Order[] = [];
  readonly #figures = { quietSent: 0, quietRefused: 0, quietLongestMs: 0, floodAnswered: 0 };

  constructor(run: FloodRun) {
    this.#run = run;
    this.#overload = new Overload({
      bounds: OVERLOAD_BOUNDS,
      clock: () => this.#nowMs,
      commitMs: () => COMMIT_MS,
      later: (pulse, delayMs) => {
        this.#pulse = pulse;
        this.#pulseMs = this.#nowMs + delayMs;
      },
    });
    this.#queue = new FairQueue(this.#overload.use);
  }

  figures(): FloodFigures {
    const senders = sendersOf(this.#run);
    for (this.#nowMs = 0; this.#nowMs < SECONDS * 1_000; this.#nowMs += 1) {
      for (const sending of senders) if (sending.nextMs <= this.#nowMs) this.#send(sending);
      this.#serve();
      if (this.#nowMs % COMMIT_MS === 0) this.#commit();
      if (this.#pulse === undefined || this.#nowMs < this.#pulseMs) continue;
      const pulse = this.#pulse;
      this.#pulse = undefined;
      pulse();
    }
    return this.#figures;
  }

  #send(sending: Sending): void {
    const { sender, isQuiet } = sending;
    const counts = isQuiet && this.#nowMs > SETTLED_MS;
    if (counts) this.#figures.quietSent += 1;
    sending.sentMs = this.#nowMs;
    const refusal = refusalIn(() => this.#overload.admit(sender));
    if (refusal !== undefined) {
      if (counts) this.#figures.quietRefused += 1;
      sending.nextMs = this.#nowMs + this.#pauseMs(isQuiet);
      return;
    }
    sending.nextMs = Number.POSITIVE_INFINITY;
    this.#queue.push(sender, { sending, waiting: this.#overload.add(sender, 1) });
  }

  #pauseMs(isQuiet: boolean): number {
    return isQuiet ? this.#run.quietPauseMs : ROUND_TRIP_MS;
  }

  #serve(): void {
    this.#room = Math.min(this.#room, 1) + this.#run.perSecond / 1_000;
    while (this.#room > 0) {
      const [order] = this.#queue.take(1);
      if (order === undefined) return;
      const isWrong = this.#run.hasWrongSignatures && !order.sending.isQuiet;
      this.#room -= isWrong ? WRONG_TAKES : 1;
      if (isWrong) this.#overload.use.chargeWrongSignature(order.sending.sender);
      this.#looked.push(order);
    }
  }

  #commit(): void {
    for (const { sending, waiting } of this.#looked.splice(0)) {
      waiting.answerAll();
      const waitMs = this.#nowMs - sending.sentMs;
      if (!sending.isQuiet) this.#figures.floodAnswered += 1;
      else if (this.#nowMs > SETTLED_MS) {
        this.#figures.quietLongestMs = Math.max(this.#figures.quietLongestMs, waitMs);
      }
      sending.nextMs = this.#nowMs + this.#pauseMs(sending.isQuiet);
    }
  }
}

function sendersOf({ networks, sockets, owners, isQuietApart }: FloodRun): Sending[] {
  const address = (network: number): string => `10.${network >> 8}.${network & 255}.1`;
  const start = { sentMs: 0, nextMs: 0 };
  const flood = Array.from({ length: networks * sockets }, (_, number) => {
    const network = number % networks;
    const owner = `0x${network}-${Math.floor(number / networks) % owners}`;
    return { sender: { address: address(network), owner }, isQuiet: false, ...start };
  });
  const quiet = { address: isQuietApart ? '192.0.2.1' : address(0), owner: '0xquiet' };
  return [...flood, { sender: quiet, isQuiet: true, ...start }];
}

export function runFlood(run: FloodRun): FloodFigures {
  return new Flood(run).figures();
}
