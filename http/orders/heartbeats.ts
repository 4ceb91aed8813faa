/**
 * The dead man's switch (wire 1.7): all live orders of an owner who has armed it are cancelled when
 * its heartbeats stop. Arming and tripping are commands. The heartbeats between them are not: they
 * only move a deadline in memory, and after a restart every armed switch gets a new window.
 *
 * With the answers below, a client always recovers if it sends "" first, and then the last id that
 * it got in an answer, also in a 400:
 *
 *   armed      "" or its id   the id; the deadline moves
 *              another id     400 with the id
 *   not armed  ""             armed with a new id
 *              another id     400 with a new id, which is now offered to the owner: so the owner
 *                             always learns once that the switch has tripped
 *              the offered    armed with it
 *              id
 *
 * A heartbeat during a trip waits for its end: arming again would replace the switch that is about
 * to trip, and its orders would stay.
 *
 * Invariant: deadlines are in the order in which they were set, because all windows have the same
 * length and the clock never goes back. So one timer, set for the first deadline, is enough. A trip
 * that is refused is tried again until it is done or the exchange stops.
 * Bound: one entry for each owner with an API key, and `HTTP_BOUNDS.switchTripsAtOnce` trips at the
 * same time: after a long pause all switches may be due at once.
 */
import { randomUUID } from 'node:crypto';
import type { ArmedSwitch } from '../../engine/index.ts';
import type { Caller } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { ApiError, ERRORS, echo, toApiError } from '../errors/index.ts';
import type { Logger } from '../runtime/log.ts';
import type { OrderIntake } from './intake.ts';
import type { KeyUser } from './owner-queue.ts';

export interface HeartbeatClock {
  /** Milliseconds that never go back. */
  now(): number;
  /** Calls `act` once, not before `delayMs`; returns a function that cancels it. */
  after(delayMs: number, act: () => void): () => void;
}

/** Acts after requests that have already arrived are read: their heartbeats are not late. */
export function timersOf(monotonicMs: () => number): HeartbeatClock {
  return {
    now: monotonicMs,
    after: (delayMs, act) => {
      let isOff = false;
      const timer = setTimeout(() => {
        setImmediate(() => {
          if (!isOff) act();
        });
      }, Math.ceil(delayMs));
      return () => {
        isOff = true;
        clearTimeout(timer);
      };
    },
  };
}

export interface HeartbeatOptions {
  readonly intake: Pick<OrderIntake, 'armSwitch' | 'tripSwitch'>;
  /** The longest time between two heartbeats. */
  readonly windowMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly clock: HeartbeatClock;
}

/** A trip that is in progress, or was refused and will be tried again. */
interface Trip {
  readonly owner: string;
  readonly heartbeatId: string;
  readonly done: Promise<void>;
  readonly finish: () => void;
}

const RETRY_MS = 1_000;

/** Where heartbeats go: to this process, or to the core of a cluster. */
export interface DeadMansSwitches {
  /**
   * Handles a heartbeat with an id, '' for none. Resolves with the id that the next one must carry,
   * when the switch is durably armed. Throws `invalid_heartbeat_id`, or the `ApiError` of a refused
   * arming.
   */
  beat(caller: Caller, id: string): Promise<string>;
  /** Stops tripping. Armed switches stay armed in the journal. */
  stop(): void;
}

export class Heartbeats implements DeadMansSwitches {
  readonly #options: HeartbeatOptions;
  /** Armed switches by owner, the earliest deadline first. */
  readonly #armed = new Map<string, { readonly id: string; readonly deadlineMs: number }>();
  /** Arming that is not durable yet, by owner. */
  readonly #arming = new Map<string, Promise<string>>();
  /** The id with which an owner may arm a switch, besides "". */
  readonly #offered = new Map<string, string>();
  readonly #trips = new Map<string, Trip>();
  /** Trips to try again at `#retryAtMs`. */
  #refused: Trip[] = [];
  #retryAtMs = Number.POSITIVE_INFINITY;
  #callOff: (() => void) | undefined;
  #isStopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Gives the switches of the journal a new window. */
  restore(switches: Iterable<ArmedSwitch>): void {
    for (const { owner, heartbeatId } of switches) this.#push(owner, heartbeatId);
  }

  async beat(caller: KeyUser, id: string): Promise<string> {
    const { owner } = caller;
    await this.#trips.get(owner)?.done;
    const armed = this.#armed.get(owner);
    if (armed !== undefined) {
      if (id !== '' && id !== armed.id) throw wrongId(id, armed.id);
      this.#push(owner, armed.id);
      return armed.id;
    }
    const offered = this.#offered.get(owner) ?? randomUUID();
    this.#offered.set(owner, offered);
    if (id !== '' && id !== offered) throw wrongId(id, offered);
    return await this.#armOnce(caller, offered);
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff?.();
    this.#callOff = undefined;
    for (const { finish } of this.#trips.values()) finish();
  }

  /** First heartbeats that arrive together arm one switch. */
  #armOnce(caller: KeyUser, id: string): Promise<string> {
    const { owner } = caller;
    const known = this.#arming.get(owner);
    if (known !== undefined) return known;
    const arming = this.#arm(caller, id).finally(() => this.#arming.delete(owner));
    this.#arming.set(owner, arming);
    return arming;
  }

  async #arm(caller: KeyUser, id: string): Promise<string> {
    const { owner } = caller;
    await this.#options.intake.armSwitch(caller, id);
    this.#offered.delete(owner);
    this.#push(owner, id);
    return id;
  }

  /** Sets an owner's deadline, behind all others. */
  #push(owner: string, id: string): void {
    this.#armed.delete(owner);
    this.#armed.set(owner, { id, deadlineMs: this.#options.clock.now() + this.#options.windowMs });
    if (this.#callOff === undefined) this.#setTimer();
  }

  #setTimer(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const [first] = this.#hasRoom() ? this.#armed.values() : [];
    const atMs = Math.min(first?.deadlineMs ?? Number.POSITIVE_INFINITY, this.#retryAtMs);
    if (this.#isStopped || atMs === Number.POSITIVE_INFINITY) return;
    this.#callOff = this.#options.clock.after(Math.max(atMs - this.#options.clock.now(), 0), () =>
      this.#wake(),
    );
  }

  /** Trips the switches that are due: often none, because heartbeats have moved the deadlines. */
  #wake(): void {
    const nowMs = this.#options.clock.now();
    for (const [owner, { id, deadlineMs }] of this.#armed) {
      if (deadlineMs > nowMs || !this.#hasRoom()) break;
      this.#armed.delete(owner);
      this.#trip(owner, id);
    }
    if (this.#retryAtMs <= nowMs) {
      const refused = this.#refused;
      this.#refused = [];
      this.#retryAtMs = Number.POSITIVE_INFINITY;
      for (const trip of refused) void this.#attempt(trip);
    }
    this.#setTimer();
  }

  #hasRoom(): boolean {
    return this.#trips.size < HTTP_BOUNDS.switchTripsAtOnce;
  }

  #trip(owner: string, heartbeatId: string): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const trip: Trip = { owner, heartbeatId, done: promise, finish: resolve };
    this.#trips.set(owner, trip);
    void this.#attempt(trip);
  }

  async #attempt(trip: Trip): Promise<void> {
    const { owner, heartbeatId } = trip;
    const { intake, log } = this.#options;
    try {
      const orders = await intake.tripSwitch(owner, heartbeatId);
      log.info({ owner, orders }, "a dead man's switch tripped");
      this.#end(trip);
    } catch (failure) {
      // A stopping exchange trips nothing: the switch is armed again at the next start.
      if (toApiError(failure)?.code === 'service_not_ready') this.#end(trip);
      else this.#retryLater(trip, failure);
    }
  }

  #end({ owner, finish }: Trip): void {
    this.#trips.delete(owner);
    finish();
    this.#setTimer();
  }

  #retryLater(trip: Trip, failure: unknown): void {
    const { owner } = trip;
    const message = "a dead man's switch could not trip and is tried again";
    this.#options.log.warn({ err: failure, owner }, message);
    this.#refused.push(trip);
    this.#retryAtMs = Math.min(this.#retryAtMs, this.#options.clock.now() + RETRY_MS);
    this.#setTimer();
  }
}

function wrongId(actual: string, next: string): ApiError {
  return new ApiError('invalid_heartbeat_id', {
    field: 'heartbeat_id',
    actual: echo(actual),
    heartbeat_id: next,
    // The official SDK knows this error by these words alone.
    error_msg: ERRORS.invalid_heartbeat_id.text,
  });
}
