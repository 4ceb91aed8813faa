/**
 * Measures the turns of the event loop of the program that it is preloaded into: how long each one
 * holds the main thread, in processor time of that thread and by the clock. The message `begin`
 * starts a measurement; `end` waits until the thread has no more work, and answers with
 * `WatchedTurns`.
 *
 * While there is work the event loop never sleeps, so a turn contains no waiting. After some turns
 * without work it sleeps for 1 ms at a time, because a loop that spins makes garbage.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface WatchedTurns {
  /** From `begin` until the last turn with work. */
  readonly wallMs: number;
  /** Processor time of the main thread in turns with work. */
  readonly workMs: number;
  /** The turn with most processor time. */
  readonly longestMs: number;
  /** The same, where collections of garbage in a turn do not count. */
  readonly longestOwnMs: number;
  /** The longest turn by the clock. */
  readonly longestWallMs: number;
  /** Turns of more than LONG_MS without collections of garbage. */
  readonly longTurns: number;
}

interface Turn {
  readonly startMs: number;
  readonly endMs: number;
  readonly workMs: number;
}

const LONG_MS = 5;
/** Shorter turns are the watch itself, and empty polls. */
const WORK_MS = 0.1;
/** Without longer turns for a while the thread is quiet. */
const BUSY_MS = 1;
const IDLE_TURNS = 20;
const QUIET_MS = 400;
/** How long it waits for that. */
const MOST_QUIET_MS = 10_000;

/** Processor time of this thread so far. */
function threadMs(): number {
  // The kernel brings the figure of the running thread up to date for this call only.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

class Watch {
  readonly #turns: Turn[] = [];
  readonly #collections: { readonly startMs: number; readonly endMs: number }[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime: startMs, duration } of list.getEntries()) {
      this.#collections.push({ startMs, endMs: startMs + duration });
    }
  });
  readonly #beganMs = performance.now();
  #lastMs = this.#beganMs;
  #lastWorkMs = threadMs();
  #busyMs = this.#beganMs;
  #idleTurns = 0;
  #endMs = Number.POSITIVE_INFINITY;
  #onQuiet: ((turns: WatchedTurns) => void) | undefined;

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
    setImmediate(() => this.#turn());
  }

  end(onQuiet: (turns: WatchedTurns) => void): void {
    this.#onQuiet = onQuiet;
    this.#endMs = performance.now();
  }

  #turn(): void {
    const [endMs, untilMs] = [performance.now(), threadMs()];
    const workMs = untilMs - this.#lastWorkMs;
    this.#idleTurns = workMs >= WORK_MS ? 0 : this.#idleTurns + 1;
    if (workMs >= WORK_MS) {
      this.#turns.push({ startMs: this.#lastMs, endMs, workMs });
      if (workMs >= BUSY_MS) this.#busyMs = endMs;
    }
    [this.#lastMs, this.#lastWorkMs] = [performance.now(), threadMs()];
    const isQuiet = endMs - this.#busyMs > QUIET_MS || endMs - this.#endMs > MOST_QUIET_MS;
    if (this.#onQuiet !== undefined && isQuiet) {
      this.#observer.disconnect();
      this.#onQuiet(this.#result());
    } else if (this.#idleTurns < IDLE_TURNS) setImmediate(() => this.#turn());
    else setTimeout(() => this.#turn(), 1);
  }

  #result(): WatchedTurns {
    const own = this.#turns.map(
      (turn) => turn.workMs - Math.min(turn.workMs, this.#garbageMs(turn)),
    );
    const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
    return {
      wallMs: this.#busyMs - this.#beganMs,
      workMs: this.#turns.reduce((sum, { workMs }) => sum + workMs, 0),
      longestMs: most(this.#turns.map(({ workMs }) => workMs)),
      longestOwnMs: most(own),
      longestWallMs: most(this.#turns.map(({ startMs, endMs }) => endMs - startMs)),
      longTurns: own.filter((ms) => ms > LONG_MS).length,
    };
  }

  #garbageMs({ startMs, endMs }: Turn): number {
    return this.#collections.reduce((sum, one) => {
      return sum + Math.max(0, Math.min(one.endMs, endMs) - Math.max(one.startMs, startMs));
    }, 0);
  }
}

if (isMainThread && process.send !== undefined) {
  let watch: Watch | undefined;
  process.on('message', (message) => {
    if (message === 'begin') {
      watch = new Watch();
      process.send?.('begun');
    } else watch?.end((turns) => process.send?.(turns));
  });
  // The channel must not keep the program from ending.
  process.channel?.unref();
}
