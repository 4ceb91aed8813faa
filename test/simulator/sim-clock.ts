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

/**
 * A process of a simulation with several. A timer belongs to the process in whose step it was set,
 * and so do the promises that the step settles. Without processes, all timers belong to the world.
 */
export class SimProcess {
  readonly name: string;
  isGone = false;
  /** Timers that came due while the process was paused, in order; undefined while it runs. */
  #waiting: SimTimer[] | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get isPaused(): boolean {
    return this.#waiting !== undefined;
  }

  pause(): void {
    this.#waiting ??= [];
  }

  /** Returns what came due meanwhile. */
  resume(): readonly SimTimer[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    return waiting;
  }

  /** Whether the timer has to wait until the process is resumed. */
  keep(timer: SimTimer): boolean {
    this.#waiting?.push(timer);
    return this.isPaused;
  }
}

/** What `setTimeout` and similar functions return, as far as the program uses it. */
class SimTimer {
  atMs: number;
  order: number;
  readonly run: Run;
  /** The interval of a repeating timer; undefined for other timers. */
  readonly everyMs: number | undefined;
  readonly owner: SimProcess | undefined;
  isCleared = false;

  constructor(atMs: number, order: number, what: Pick<SimTimer, 'run' | 'everyMs' | 'owner'>) {
    this.atMs = atMs;
    this.order = order;
    this.run = what.run;
    this.everyMs = what.everyMs;
    this.owner = what.owner;
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
  /** The process whose step this is. */
  #owner: SimProcess | undefined;
  #order = 0;
  /** Sorted; the next timer is last. */
  #queue: SimTimer[] = [];

  get wallMs(): number {
    return this.nowMs + this.jumpMs;
  }

  after(delayMs: number, run: Run, everyMs?: number): SimTimer {
    return this.#add(delayMs, { run, everyMs, owner: this.#owner });
  }

  /** Does something as a process: what it sets belongs to it. */
  as(owner: SimProcess | undefined, run: Run): void {
    const before = this.#owner;
    this.#owner = owner;
    try {
      run();
    } finally {
      this.#owner = before;
    }
  }

  /** Does something later, in a step of another process, or of the world. */
  afterAs(owner: SimProcess | undefined, delayMs: number, run: Run): SimTimer {
    return this.#add(delayMs, { run, everyMs: undefined, owner });
  }

  /** Lets a paused process run again: first what came due meanwhile, in order. */
  resume(process: SimProcess): void {
    for (const timer of process.resume()) {
      this.#order += 1;
      timer.atMs = this.nowMs;
      timer.order = this.#order;
      this.#insert(timer);
    }
  }

  #add(delayMs: number, what: Pick<SimTimer, 'run' | 'everyMs' | 'owner'>): SimTimer {
    this.#order += 1;
    const atMs = this.nowMs + Math.max(0, Math.ceil(delayMs));
    const timer = new SimTimer(atMs, this.#order, what);
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
    const timer = this.#next();
    if (timer === undefined) return false;
    assert(timer.atMs >= this.nowMs, 'time never goes back');
    this.nowMs = timer.atMs;
    this.steps += 1;
    this.#owner = timer.owner;
    timer.run();
    if (timer.everyMs !== undefined && !timer.isCleared) {
      timer.atMs = this.nowMs + timer.everyMs;
      this.#insert(timer);
    }
    // Lets the promises run that were settled by the timer, and by each other.
    await realTurn();
    this.#owner = undefined;
    return true;
  }

  #next(): SimTimer | undefined {
    for (;;) {
      const timer = this.#queue.pop();
      if (timer === undefined) return undefined;
      if (timer.isCleared || timer.owner?.isGone) continue;
      if (timer.owner?.keep(timer) !== true) return timer;
    }
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
