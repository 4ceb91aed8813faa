/** A clock that a test moves. */
import type { LogClock } from '../../../cluster/log/index.ts';

interface Timer {
  readonly atMs: number;
  readonly call: () => void;
}

export class TestClock implements LogClock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  /** Moves the clock on, and fires what is due in its order. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    await settle();
    for (;;) {
      const [next] = [...this.#timers].sort((one, other) => one.atMs - other.atMs);
      if (next === undefined || next.atMs > endMs) break;
      this.#timers.delete(next);
      this.#nowMs = next.atMs;
      next.call();
      await settle();
    }
    this.#nowMs = endMs;
  }
}

/** Lets all promises go on that can. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
