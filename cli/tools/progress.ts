/**
 * Shows the progress of long work on one line of a terminal, which each update overwrites.
 *
 * Invariant: nothing is written where there is no terminal, so that logs and pipes contain results
 * only. Bound: at most one update every UPDATE_MS.
 */

import type { ProgressOptions } from '../parser/program-command.ts';

export interface Progress {
  /** What is counted, such as `commands replayed`. A new text starts a new count. */
  readonly what: string;
  readonly done: number;
  /** 0 when unknown. */
  readonly total: number;
}

const UPDATE_MS = 200;
const ERASE_LINE = '\r\u001b[K';

export class ProgressLine {
  readonly #options: ProgressOptions;
  #what = '';
  #startMs = 0;
  #startCount = 0;
  #updateMs = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  show({ what, done, total }: Progress): void {
    const { isTerminal, nowMs, write } = this.#options;
    if (!isTerminal) return;
    const now = nowMs();
    if (what !== this.#what) {
      this.#what = what;
      this.#startMs = now;
      this.#startCount = done;
    }
    if (now - this.#updateMs < UPDATE_MS) return;
    this.#updateMs = now;
    const seconds = (now - this.#startMs) / 1_000;
    const rate = seconds > 0 ? Math.round((done - this.#startCount) / seconds) : 0;
    const share = total > 0 ? `${Math.floor((100 * done) / total)}%, ` : '';
    const of = total > 0 ? ` of ${counted(total)}` : '';
    write(`${ERASE_LINE}${share}${counted(done)}${of} ${what}, ${counted(rate)}/s`);
    this.#isShown = true;
  }

  /** Erases the line. Call it before anything else is written. */
  end(): void {
    if (this.#isShown) this.#options.write(ERASE_LINE);
    this.#isShown = false;
  }
}

/** `1234567` as "1,234,567". */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}
