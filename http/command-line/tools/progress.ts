/**
 * How far long work is, on one line of a terminal that is written over. Invariant: nothing is
 * written where there is no terminal, so that logs and pipes hold results alone. Bound: one line
 * each PACE_MS.
 */

export interface Progress {
  /** What is counted: `commands replayed`. Another text begins another count. */
  readonly what: string;
  readonly done: number;
  /** 0 where it is not known. */
  readonly total: number;
}

export interface ProgressOptions {
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
  /** A clock in milliseconds that never goes back. */
  readonly nowMs: () => number;
}

const PACE_MS = 200;
const ERASE_LINE = '\r\u001b[K';

export class ProgressLine {
  readonly #options: ProgressOptions;
  #what = '';
  #begunMs = 0;
  #begunAt = 0;
  #shownMs = Number.NEGATIVE_INFINITY;
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
      this.#begunMs = now;
      this.#begunAt = done;
    }
    if (now - this.#shownMs < PACE_MS) return;
    this.#shownMs = now;
    const seconds = (now - this.#begunMs) / 1_000;
    const rate = seconds > 0 ? Math.round((done - this.#begunAt) / seconds) : 0;
    const share = total > 0 ? `${Math.floor((100 * done) / total)}%, ` : '';
    const of = total > 0 ? ` of ${counted(total)}` : '';
    write(`${ERASE_LINE}${share}${counted(done)}${of} ${what}, ${counted(rate)}/s`);
    this.#isShown = true;
  }

  /** Before anything else is written. */
  end(): void {
    if (this.#isShown) this.#options.write(ERASE_LINE);
    this.#isShown = false;
  }
}

/** 1234567 is "1,234,567". */
export function counted(count: number): string {
  return count.toLocaleString('en-US');
}
