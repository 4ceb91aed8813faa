/**
 * Time and scheduling of a simulation: a queue of timers by time, then by order of creation. While
 * it is installed, it replaces the timers and immediates of the process, so that everything happens
 * in one of its steps. Invariant: the same requests give the same steps.
 */
import { strict as assert } from 'node:assert';
import { setImmediate as realTurn } from 'node:timers/promises';

/** The start time of the random commands, so that their future times are in the future. */
const START_MS = 1_700_000_000_000;

type Run = () => void;

/** What `setTimeout` and similar functions return, as far as the program uses it. */
class SimTimer {
  atMs: number;
  readonly order: number;
  readonly run: Run;
  /** The interval of a repeating timer; undefined for other timers. */
  readonly everyMs: number | undefined;
  isCleared = false;

  constructor(atMs: number, order: number, { run, everyMs }: Pick<SimTimer, 'run' | 'everyMs'>) {
    this.atMs = atMs;
    this.order = order;
    this.run = run;
    this.everyMs = everyMs;
  }

  unref(): this {
    return this;
  }
}

function isBefore(a: SimTimer, b: SimTimer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

export class SimClock {
  /** The monotonic clock, which is never set. It starts with the time of the wall clock. */
  nowMs = START_MS;
  /** How far the wall clock was set forward in total; negative if back. */
  jumpMs = 0;
  steps = 0;
  #order = 0;
  /** Sorted; the next timer is last. */
  #queue: SimTimer[] = [];

  get wallMs(): number {
    return this.nowMs + this.jumpMs;
  }

  after(delayMs: number, run: Run, everyMs?: number): SimTimer {
    this.#order += 1;
    const atMs = this.nowMs + Math.max(0, Math.ceil(delayMs));
    const timer = new SimTimer(atMs, this.#order, { run, everyMs });
    this.#insert(timer);
    return timer;
  }

  clear(timer: SimTimer | undefined): void {
    if (timer !== undefined) timer.isCleared = true;
  }

  /** Drops all timers, because the exchange that set them is gone. */
  forgetAll(): void {
    this.#queue = [];
  }

  /** Runs the next timer and the promises that it settles; false if there is no timer. */
  async step(): Promise<boolean> {
    let timer = this.#queue.pop();
    while (timer?.isCleared) timer = this.#queue.pop();
    if (timer === undefined) return false;
    assert(timer.atMs >= this.nowMs, 'time never goes back');
    this.nowMs = timer.atMs;
    this.steps += 1;
    timer.run();
    if (timer.everyMs !== undefined && !timer.isCleared) {
      timer.atMs = this.nowMs + timer.everyMs;
      this.#insert(timer);
    }
    // Lets the promises run that were settled by the timer, and by each other.
    await realTurn();
    return true;
  }

  #insert(timer: SimTimer): void {
    let at = this.#queue.length;
    while (at > 0 && isBefore(this.#queue[at - 1]!, timer)) at -= 1;
    this.#queue.splice(at, 0, timer);
  }

  /**
   * Takes the place of the process's timers until the returned function is called. `realTurn` is
   * untouched, because the modules that import it have their own copy.
   */
  install(): () => void {
    const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } =
      globalThis;
    const real = { setTimeout, setInterval, setImmediate };
    const clears = { clearTimeout, clearInterval, clearImmediate };
    const clear = (timer: SimTimer | undefined): void => this.clear(timer);
    Object.assign(globalThis, {
      setTimeout: (run: Run, delayMs = 0) => this.after(delayMs, run),
      setInterval: (run: Run, everyMs: number) => this.after(everyMs, run, everyMs),
      setImmediate: (run: Run) => this.after(0, run),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    });
    return () => {
      Object.assign(globalThis, real, clears);
    };
  }
}
