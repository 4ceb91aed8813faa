/**
 * The time of commands. It is the wall clock's while that can be trusted: while it moves with the
 * monotonic clock. A wall clock that has moved by more than `clockJumpMs` against it since the last
 * look (somebody set it; the machine was suspended) is not followed: from the last good look on,
 * time goes by the monotonic clock, and the exchange takes no orders until the operator opens it
 * again, from when on the wall clock is trusted anew (design 6).
 *
 * Time never goes back. Where the journal is ahead of the wall clock by more than `clockJumpMs`,
 * at a start or once the operator opens, one of the two was wrong: an exchange that starts so is
 * paused as for a jump. From there time goes on from the journal's last by the monotonic clock, so
 * that what waits still comes due, until the wall clock is ahead again; opening accepts that. A
 * smaller lead is over soon, and until then time stands still.
 *
 * Invariant: nothing falls due by a clock that jumped, not even in the command that notices it, for
 * each asks for the time here; an exchange that is open trusts its clock, but for the moment until
 * the command that pauses it is taken. Smaller steps are followed, and so is drift of any length,
 * for each look is compared with the one before it, a second ago or so: a clock that is slewed
 * never jumps. What fell due while nothing ran is due: a start can't tell a wall clock that is
 * ahead of the right time, or behind it and still ahead of the journal, and trusts it.
 */
import type { Command } from '../../engine/index.ts';
import type { AppliedState, Exchange } from '../../persistence/index.ts';
import { toApiError } from '../errors/index.ts';
import type { Logger } from './log.ts';

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
type PausedExchange = Pick<Exchange, 'submit' | 'appliedMs'> & {
  readonly state: Pick<AppliedState, 'summary'>;
};

/** How often it is looked at when no command does. */
const LOOK_MS = 1_000;
const MS_PER_SECOND = 1_000;

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
  /** Where the journal was far ahead of the wall clock, and when; undefined while it is not. */
  #lead: { readonly timeMs: number; readonly monotonicMs: number } | undefined;
  /** Why an exchange that is open is paused; undefined once the operator has opened it. */
  #reason: string | undefined;
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

  /** The same where it is ahead: the lead of a journal over a wall clock that is behind it. */
  get journalLeadMs(): number {
    return Math.max(this.leadMs, 0);
  }

  /** Whether time goes by the wall clock. */
  get isTrusted(): boolean {
    return this.#jumpMs === undefined && this.#lead === undefined;
  }

  /** The time of a command, in milliseconds since the epoch. */
  now(): number {
    const timeMs = this.#followed();
    if (this.#lead === undefined) return timeMs;
    const { timeMs: fromMs, monotonicMs } = this.#lead;
    const leadingMs = Math.floor(fromMs + (this.#options.monotonicMs() - monotonicMs));
    if (timeMs < leadingMs) return leadingMs;
    this.#lead = undefined;
    return timeMs;
  }

  /** The wall clock's time, or what it would be had it not jumped. */
  #followed(): number {
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
    const leadMs = this.#goOnFrom(exchange.appliedMs);
    if (this.#lead !== undefined) {
      this.#reason ??= `the journal is ahead of the wall clock by ${secondsOf(leadMs)} seconds`;
    }
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Sees whether it jumped, where no command asks; the timer calls it. */
  look(): void {
    this.now();
    this.#pause();
  }

  /** The operator opens the exchange: the wall clock is right from now on, or behind for good. */
  trust(): void {
    if (this.#reason === undefined) return;
    const timeMs = Math.max(this.now(), this.#exchange?.appliedMs ?? 0);
    this.#reason = undefined;
    this.#jumpMs = undefined;
    this.#wallMs = this.#options.now();
    this.#monotonicMs = this.#options.monotonicMs();
    this.#options.log.info('the operator opened the exchange: its clock is trusted again');
    this.#goOnFrom(timeMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#exchange = undefined;
  }

  #distrust(wallMs: number, timeMs: number): void {
    this.#jumpMs = wallMs - timeMs;
    this.jumps += 1;
    const way = this.#jumpMs > 0 ? 'forward' : 'back';
    this.#reason = `the wall clock jumped ${way} by ${secondsOf(this.#jumpMs)} seconds`;
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
    if (this.#reason === undefined || exchange?.state.summary().tradingState !== 'open') return;
    const command: Command = { kind: 'set_trading_state', conditionId: '', state: 'cancel_only' };
    const evidence = { by: 'clock', reason: this.#reason };
    exchange.submit(command, evidence).catch((error: unknown) => {
      if (toApiError(error) === undefined) throw error;
      this.#options.log.warn({ err: error }, 'the exchange could not be paused yet');
    });
  }

  /** Time never goes back, nor stands still for long. Says how far the wall clock is behind. */
  #goOnFrom(timeMs: number): number {
    const leadMs = timeMs - this.#options.now();
    const isFar = leadMs > this.#options.clockJumpMs;
    this.#lead = isFar ? { timeMs, monotonicMs: this.#options.monotonicMs() } : undefined;
    if (leadMs >= NOTED_LEAD_MS) this.#options.log.warn({ leadMs }, isFar ? FAR_AHEAD : AHEAD);
    return leadMs;
  }
}

const FAR_AHEAD =
  'the journal is ahead of the wall clock, so one of them was wrong: time goes on ' +
  "from the journal's last by the monotonic clock. A start like that takes no orders until the " +
  'operator sees to the clock and opens the exchange, which accepts that time';
const AHEAD =
  'the journal is ahead of the wall clock: until that has caught up, nothing falls due, and what ' +
  'happens has the time of the last command';

function secondsOf(ms: number): number {
  return Math.round(Math.abs(ms) / MS_PER_SECOND);
}
