/**
 * When the messages of a recording are due: at their recorded distances, or as many times faster.
 *
 * Invariant: times that go back cost no wait, and nothing waits longer than the longest pause of
 * the plan.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface PaceOptions {
  /** How many times faster than recorded; infinite for no waiting at all. */
  readonly speed: number;
  /** A longer pause between two messages is shortened to this, before the speed counts. */
  readonly longestPauseMs: number;
  /** A monotonic clock. */
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export const REAL_TIME = {
  nowMs: () => performance.now(),
  sleep: (ms: number) => sleep(ms),
} as const;

export class Pace {
  readonly #options: PaceOptions;
  #startMs: number | undefined;
  /** The latest recorded time, and the recorded time from the first message to it. */
  #latestMs = 0;
  #recordedMs = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Waits until a message with this recorded time is due. */
  async wait(recordedMs: number | undefined): Promise<void> {
    const { speed, longestPauseMs, nowMs } = this.#options;
    if (recordedMs === undefined || speed === Number.POSITIVE_INFINITY) return;
    if (this.#startMs === undefined) {
      this.#startMs = nowMs();
      this.#latestMs = recordedMs;
      return;
    }
    const pauseMs = recordedMs - this.#latestMs;
    if (pauseMs <= 0) return;
    this.#latestMs = recordedMs;
    this.#recordedMs += Math.min(pauseMs, longestPauseMs);
    const waitMs = this.#startMs + this.#recordedMs / speed - nowMs();
    if (waitMs > 0) await this.#options.sleep(waitMs);
  }
}
