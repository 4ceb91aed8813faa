/**
 * The time of commands. It is the wall clock's while that can be trusted: while it moves with the
 * monotonic clock. A wall clock that has moved by more than `clockJumpMs` against it since the last
 * look (somebody set it; the machine was suspended) is not followed: from the last good look on,
 * time goes by the monotonic clock, and the exchange takes no orders until the operator opens it
 * again, from when on the wall clock is trusted anew (design 6).
 *
 * Invariant: nothing falls due by a clock that jumped, not even in the command that notices it, for
 * each asks for the time here; an exchange that is open trusts its clock, but for the moment until
 * the command that pauses it is taken. Smaller steps are followed, and so is drift of any length,
 * for each look is compared with the one before it, a second ago or so: a clock that is slewed
 * never jumps. What fell due while nothing ran is due: the wall clock of a start is trusted,
 * whatever it says.
 */
import type { Command } from '../engine/index.ts';
import type { Exchange } from '../persistence/index.ts';
import type { Logger } from './log.ts';
import { toApiError } from './store-failures.ts';

export interface ClockOptions {
  /** The wall clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that is never set, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The most that the wall clock may move against the other between two looks. */
  readonly clockJumpMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** What of the store is paused, and says which time it has reached. */
type PausedExchange = Pick<Exchange, 'submit' | 'tradingState' | 'appliedMs'>;

/** How often it is looked at when no command does. */
const LOOK_MS = 1_000;

/** A lead of the journal over the wall clock that is worth a line: anything more than a slew. */
const NOTED_LEAD_MS = 1_000;

export class ExchangeClock {
  /** How often the wall clock jumped since the start. */
  jumps = 0;
  readonly #options: ClockOptions;
  /** The last good look: what the wall clock said, and the monotonic one. */
  #wallMs: number;
  #monotonicMs: number;
  /** How far it moved when it was trusted last; undefined while it is. */
  #jumpMs: number | undefined;
  #exchange: PausedExchange | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#wallMs = options.now();
    this.#monotonicMs = options.monotonicMs();
  }

  /** By how much the wall clock jumped, forward or (negative) back; 0 while it is trusted. */
  get jumpMs(): number {
    return this.#jumpMs ?? 0;
  }

  /** How far the time of commands is ahead of the wall clock; negative for behind. */
  get leadMs(): number {
    return Math.max(this.now(), this.#exchange?.appliedMs ?? 0) - this.#options.now();
  }

  /** The time of a command, in milliseconds since the epoch. */
  now(): number {
    const monotonicMs = this.#options.monotonicMs();
    const expectedMs = this.#wallMs + (monotonicMs - this.#monotonicMs);
    if (this.#jumpMs !== undefined) return Math.floor(expectedMs);
    const wallMs = this.#options.now();
    if (Math.abs(wallMs - expectedMs) > this.#options.clockJumpMs) {
      this.#distrust(wallMs, Math.floor(expectedMs));
      return Math.floor(expectedMs);
    }
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    return wallMs;
  }

  /** From now on it is looked at every second, and this is paused when it jumps, or has. */
  watch(exchange: PausedExchange): void {
    this.#exchange = exchange;
    this.#noteLead();
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Sees whether it jumped, where no command asks; the timer calls it. */
  look(): void {
    this.now();
    if (this.#jumpMs !== undefined) this.#pause();
  }

  /** The operator opens the exchange: the wall clock is right from now on. */
  trust(): void {
    if (this.#jumpMs === undefined) return;
    this.#jumpMs = undefined;
    this.#wallMs = this.#options.now();
    this.#monotonicMs = this.#options.monotonicMs();
    this.#options.log.info('the operator opened the exchange: its clock is trusted again');
    this.#noteLead();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#exchange = undefined;
  }

  #distrust(wallMs: number, timeMs: number): void {
    this.#jumpMs = wallMs - timeMs;
    this.jumps += 1;
    this.#options.log.warn(
      { jumpMs: this.#jumpMs, wallMs, timeMs },
      'the wall clock jumped: no orders are taken, and time goes by the monotonic clock, until ' +
        'the operator sees to the clock and opens the exchange',
    );
    // Not here: the sequencer may be in the middle of the command that asks for the time.
    queueMicrotask(() => this.#pause());
  }

  /** Once: what is paused is not open any more. What is refused is tried again at the next look. */
  #pause(): void {
    const exchange = this.#exchange;
    if (this.#jumpMs === undefined || exchange?.tradingState !== 'open') return;
    const command: Command = { kind: 'set_trading_state', conditionId: '', state: 'cancel_only' };
    const seconds = Math.round(Math.abs(this.#jumpMs) / LOOK_MS);
    const way = this.#jumpMs > 0 ? 'forward' : 'back';
    const evidence = { by: 'clock', reason: `the wall clock jumped ${way} by ${seconds} seconds` };
    exchange.submit(command, evidence).catch((error: unknown) => {
      if (toApiError(error) === undefined) throw error;
      this.#options.log.warn({ err: error }, 'the exchange could not be paused yet');
    });
  }

  /** Time never goes back: until the wall clock has caught up with the journal, it stands still. */
  #noteLead(): void {
    const leadMs = (this.#exchange?.appliedMs ?? 0) - this.#options.now();
    if (leadMs < NOTED_LEAD_MS) return;
    this.#options.log.warn(
      { leadMs },
      'the journal is ahead of the wall clock: until that has caught up, nothing falls due, and ' +
        'what happens has the time of the last command',
    );
  }
}
