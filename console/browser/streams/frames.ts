/**
 * Runs what shows changed state, at most once a frame.
 *
 * Invariant: a function that is added several times before a frame runs once in it. Bound: the
 * number of different functions.
 */
import { batch } from '@preact/signals';
import type { Environment } from './environment.ts';

export class Frames {
  readonly #environment: Environment;
  #waiting = new Set<() => void>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  add(run: () => void): void {
    if (this.#waiting.size === 0) this.#environment.onNextFrame(() => this.#draw());
    this.#waiting.add(run);
  }

  #draw(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    batch(() => {
      for (const run of waiting) run();
    });
  }
}
