/** Makes an engine from the parts of a snapshot, which may arrive one by one. */

import { Engine } from './engine.ts';
import { BOUNDS, type Bounds, type SnapshotPart } from './model/index.ts';
import { StateLoader } from './snapshot/index.ts';
import type { MemoryOptions } from './state/engine-state.ts';

export class SnapshotLoader {
  readonly #bounds: Bounds;
  readonly #memory: MemoryOptions;
  readonly #loader: StateLoader;

  /** The bounds must be those under which the snapshot was written. */
  constructor(bounds: Partial<Bounds> = {}, memory: MemoryOptions = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#memory = memory;
    this.#loader = new StateLoader(this.#bounds, memory);
  }

  /** Loads the next part and does not keep its bytes. Throws SnapshotError. */
  take(part: SnapshotPart): void {
    this.#loader.take(part);
  }

  /**
   * Returns the engine after the last part. Throws SnapshotError if parts are missing or disagree.
   */
  finish(): Engine {
    return new Engine(this.#bounds, this.#memory, this.#loader.finish());
  }
}
