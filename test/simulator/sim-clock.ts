/**
 * Time and scheduling of a simulation: a queue of what is to happen, by time and then by order of
 * asking. While it is installed, the timers and immediates of everything that runs are its own, so
 * that nothing happens but in a step of it. Invariant: the same requests give the same steps.
 */
import { strict as assert } from 'node:assert';
import { setImmediate as realTurn } from 'node:timers/promises';

/** The start time of the random commands, so that their future times are in the future. */
const START_MS = 1_700_000_000_000;

type Run = () => void;

/** What `setTimeout` and its kin give; the parts that the program uses. */
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
  /** Never set: the monotonic clock, which begins where the wall clock does. */
  nowMs = START_MS;
  /** The amount by which the wall clock was set. */
  jumpMs = 0;
  steps = 0;
  #order = 0;
  /** Sorted, what is next last. */
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

  /** Forgets everything that was to happen: what asked for it is gone. */
  forgetAll(): void {
    this.#queue = [];
  }

  /** Lets happen what is next, and all that follows from it at once; false if nothing is. */
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
    // Promises that were settled by it, and by each other.
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
