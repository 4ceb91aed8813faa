/**
 * The time of commands (docs/decisions/0034-clocks.md). It is the wall clock's
 * time as long as the wall clock moves with the monotonic clock. When the wall clock moves by more
 * than `clockJumpMs` against it between two readings (it was set, or the machine was suspended), it
 * is not trusted: time continues from the last good reading by the monotonic clock, and the
 * exchange takes no orders until the operator opens it again. From then on the wall clock is
 * trusted again.
 *
 * Time never goes back. If the journal is ahead of the wall clock by more than `clockJumpMs`, at a
 * start or when the operator opens the exchange, one of the two was wrong. At a start, the exchange
 * is then paused as after a jump. Time continues from the journal's last time by the monotonic
 * clock, so that delayed orders and expirations still come due, until the wall clock is ahead
 * again. By opening the exchange the operator accepts this. If the journal is ahead by less, time
 * stands still until the wall clock has caught up.
 *
 * Invariant: a jump makes nothing come due, not even in the command that notices it, because every
 * command gets its time here. While the exchange is open its clock is trusted, except
 * until the command that pauses it is applied. Smaller steps and slow drift are followed, because
 * each reading is compared with the one before it, about a second ago: slewing a clock is no jump.
 *
 * The sandbox may move the time forward (docs/decisions/0034-clocks.md). All of the above then
 * applies to the wall clock plus the offset, so a wanted move is no jump.
 *
 * A node of a cluster that is not the core follows the wall clock wherever it goes: it gives no
 * command its time. From `watch` on, its jumps are judged too.
 *
 * What came due while the exchange was stopped is due at the start: a start can't detect a wall
 * clock that is ahead of the true time, or behind it but ahead of the journal.
 */

import type { Command } from '../../engine/index.ts';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { AppliedState, Exchange } from '../../persistence/index.ts';
import { toApiError } from '../errors/index.ts';
import type { Logger } from './log.ts';

export interface ClockOptions {
  /** The wall clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** A clock that is never set, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The most that the wall clock may move against the monotonic one between two readings. */
  readonly clockJumpMs: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Whether jumps count only from `watch` on, in a cluster; otherwise from the start. */
  readonly judgesWatched?: boolean;
}

/** The exchange that is paused when the clock jumps. */
type PausedExchange = Pick<Exchange, 'submit' | 'appliedMs'> & {
  readonly state: Pick<AppliedState, 'summary'>;
};

/** The pauses that an earlier start left, as `GET /actions` lists them. */
type PastActions = Pick<Exchange['reader'], 'actions'>;

/** How often the clock is read when no command reads it. */
const LOOK_MS = 1_000;
/** Who pauses the exchange, in the list of actions. */
const CLOCK = 'clock';
const ACTIONS_PAGE = 500;

/** The least lead of the journal over the wall clock that is logged. */
const NOTED_LEAD_MS = 1_000;

export class ExchangeClock {
  /** The number of jumps of the wall clock since the start. */
  jumps = 0;
  readonly #options: ClockOptions;
  /** How far the sandbox moved the time from the wall clock. */
  #offsetMs = 0;
  /** The last good reading of both clocks, the wall clock with the offset. */
  #wallMs: number;
  #monotonicMs: number;
  /** The size of the last jump; undefined while the wall clock is trusted. */
  #jumpMs: number | undefined;
  /** The journal's time when it was far ahead of the wall clock; undefined while it is not. */
  #lead: { readonly timeMs: number; readonly monotonicMs: number } | undefined;
  /** Why the exchange must be paused; undefined if it need not be. */
  #reason: string | undefined;
  /** Whether a pause by the clock is the reason why the exchange is not open, if it is not. */
  #hasPaused = false;
  #exchange: PausedExchange | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ClockOptions) {
    this.#options = options;
    this.#wallMs = options.now();
    this.#monotonicMs = options.monotonicMs();
  }

  /** The size of the jump, negative for backward; 0 while the wall clock is trusted. */
  get jumpMs(): number {
    return this.#jumpMs ?? 0;
  }

  /** How far the sandbox moved the time from the wall clock; 0 for not at all. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** How far the time of commands is ahead of `shownMs`; negative if it is behind. */
  get leadMs(): number {
    return Math.max(this.now(), this.#exchange?.appliedMs ?? 0) - this.shownMs();
  }

  /** `leadMs` without negative values. */
  get journalLeadMs(): number {
    return Math.max(this.leadMs, 0);
  }

  /** Whether the time is the wall clock's. */
  get isTrusted(): boolean {
    return this.#jumpMs === undefined && this.#lead === undefined;
  }

  /** Whether orders are paused because of the clock: until the operator opens the exchange. */
  get pausesOrders(): boolean {
    return this.#hasPaused && !this.#isOpen();
  }

  /** The time of a command, in milliseconds since the epoch. */
  now(): number {
    const timeMs = this.#wallTime();
    if (this.#lead === undefined) return timeMs;
    const { timeMs: fromMs, monotonicMs } = this.#lead;
    const leadingMs = Math.floor(fromMs + (this.#options.monotonicMs() - monotonicMs));
    if (timeMs < leadingMs) return leadingMs;
    this.#lead = undefined;
    return timeMs;
  }

  /** The time that clients are shown: the wall clock with the offset, also after a jump. */
  shownMs(): number {
    return this.#options.now() + this.#offsetMs;
  }

  /** Moves the time, so that `offsetMs` is as given. No wall clock jumped because of that. */
  setOffset(offsetMs: number): void {
    // Finds a jump of the wall clock first, which the new offset would hide.
    this.now();
    const byMs = offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    this.#wallMs += byMs;
    const lead = this.#lead;
    if (lead !== undefined) this.#lead = { ...lead, timeMs: lead.timeMs + byMs };
  }

  /** The wall clock's time, or the time that it would show without its jump. */
  #wallTime(): number {
    const monotonicMs = this.#options.monotonicMs();
    if (this.#options.judgesWatched === true && this.#exchange === undefined) {
      this.#wallMs = this.shownMs();
      this.#monotonicMs = monotonicMs;
      return this.#wallMs;
    }
    const expectedMs = this.#wallMs + (monotonicMs - this.#monotonicMs);
    if (this.#jumpMs !== undefined) return Math.floor(expectedMs);
    const wallMs = this.shownMs();
    if (Math.abs(wallMs - expectedMs) > this.#options.clockJumpMs) {
      this.#distrust(wallMs, Math.floor(expectedMs));
      return Math.floor(expectedMs);
    }
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    return wallMs;
  }

  /** Reads the clock every second from now on, and pauses the exchange after a jump. */
  watch(exchange: PausedExchange): void {
    // The last reading may be old where jumps did not count before.
    this.now();
    this.#exchange = exchange;
    const leadMs = this.#continueFrom(exchange.appliedMs);
    if (this.#lead !== undefined) {
      this.#reason ??= `the journal is ahead of the wall clock by ${secondsOf(leadMs)} seconds`;
    }
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Finds out whether an earlier start paused the exchange because of the clock. */
  async recallPause(reader: PastActions): Promise<void> {
    for (let beforeSeq = Number.MAX_SAFE_INTEGER; !this.#isOpen(); ) {
      const query = { kind: 'set_trading_state', beforeSeq, limit: ACTIONS_PAGE } as const;
      const { records, more } = await reader.actions(query);
      for (const { by, command } of records) {
        if (command.kind !== 'set_trading_state' || command.conditionId !== '') continue;
        if (command.state === 'open') return;
        if (by === CLOCK) {
          this.#hasPaused = !this.#isOpen();
          return;
        }
      }
      if (!more) return;
      beforeSeq = records.at(-1)?.seq ?? 0;
    }
  }

  /** Reads the clock and pauses the exchange if it jumped. The timer calls it. */
  look(): void {
    this.now();
    this.#pause();
  }

  /** The operator opens the exchange: the wall clock is trusted from now on. */
  trust(): void {
    this.#hasPaused = false;
    if (this.#reason === undefined) return;
    const timeMs = Math.max(this.now(), this.#exchange?.appliedMs ?? 0);
    this.#reason = undefined;
    this.#jumpMs = undefined;
    this.#wallMs = this.shownMs();
    this.#monotonicMs = this.#options.monotonicMs();
    this.#options.log.info('the operator opened the exchange: its clock is trusted again');
    this.#continueFrom(timeMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#exchange = undefined;
  }

  #distrust(wallMs: number, timeMs: number): void {
    this.#jumpMs = wallMs - timeMs;
    this.jumps += 1;
    const direction = this.#jumpMs > 0 ? 'forward' : 'back';
    this.#reason = `the wall clock jumped ${direction} by ${secondsOf(this.#jumpMs)} seconds`;
    this.#options.log.warn(
      { jumpMs: this.#jumpMs, wallMs, timeMs },
      'the wall clock jumped: no orders are taken, and time goes by the monotonic clock, until ' +
        'the operator checks the clock and opens the exchange',
    );
    // Not now: the sequencer may be applying the command that reads this time.
    queueMicrotask(() => this.#pause());
  }

  /** Pauses an open exchange. A refused command is tried again at the next reading. */
  #pause(): void {
    const exchange = this.#exchange;
    if (this.#reason === undefined || exchange === undefined || !this.#isOpen()) return;
    this.#hasPaused = true;
    const command: Command = { kind: 'set_trading_state', conditionId: '', state: 'cancel_only' };
    const evidence = { by: CLOCK, reason: this.#reason };
    exchange.submit(command, evidence).catch((error: unknown) => {
      if (toApiError(error) === undefined) throw error;
      this.#options.log.warn({ err: error }, 'the exchange could not be paused yet');
    });
  }

  #isOpen(): boolean {
    return this.#exchange?.state.summary().tradingState === 'open';
  }

  /** Continues from a time of the journal. Returns how far the wall clock is behind it. */
  #continueFrom(timeMs: number): number {
    const leadMs = timeMs - this.shownMs();
    const isFar = leadMs > this.#options.clockJumpMs;
    this.#lead = isFar ? { timeMs, monotonicMs: this.#options.monotonicMs() } : undefined;
    if (leadMs >= NOTED_LEAD_MS) this.#options.log.warn({ leadMs }, isFar ? FAR_AHEAD : AHEAD);
    return leadMs;
  }
}

const FAR_AHEAD =
  'the journal is far ahead of the wall clock: one of them was wrong. Time continues from ' +
  'the last time in the journal, by the monotonic clock. After a start, the exchange accepts no ' +
  'orders until the operator checks the clock and opens the exchange, which confirms that time';
const AHEAD =
  'the journal is ahead of the wall clock: until the wall clock has caught up, no order expires ' +
  'or is released, and all commands get the last time in the journal';

function secondsOf(ms: number): number {
  return Math.round(Math.abs(ms) / SECOND_MS);
}
