/**
 * Checkpoints: saved states of a running exchange, which can be brought back to one of them.
 *
 * A restore copies the checkpoint while the exchange still runs. Only then is the core closed, the
 * copy put in the place of the folder's data, and another core opened.
 *
 * Invariant: one of save, restore and remove runs at a time. A restore that is refused has changed
 * nothing; one that fails later ends the exchange, and its next start has the whole of the one or
 * the other state.
 */
import { ApiError } from '../../http/errors/index.ts';
import type { ExchangeClock } from '../../http/runtime/clock.ts';
import type { CoreSwap } from '../../http/services/index.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { SavedStateRefusal } from '../../persistence/index.ts';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import type { SavedState } from './description.ts';
import { SavedStates } from './saved-states.ts';

/** A state that the exchange was brought back to. */
export interface RestoredCheckpoint extends SavedState {
  /** The new id of the streams: seqs of the one before can't be compared. */
  readonly streamId: string;
}

export interface CheckpointParts {
  readonly swap: CoreSwap;
  readonly clock: Pick<ExchangeClock, 'now'>;
  readonly settings: Pick<Settings, 'now'>;
}

/**
 * All but `list` reject or throw SavedStateRefusal: `checkpoint_busy` while another one is made,
 * restored or removed.
 */
export class Checkpoints {
  readonly #parts: CheckpointParts;
  readonly #states: SavedStates;
  /** What is being saved or restored. */
  #task: Promise<unknown> | undefined;
  #isClosing = false;

  /** Called when the folder is open. Removes what a crash left half-made. */
  constructor(parts: CheckpointParts) {
    this.#parts = parts;
    this.#states = new SavedStates(parts.swap.folder, PROGRAM_VERSION);
  }

  /** The oldest first. */
  list(): readonly SavedState[] {
    return this.#states.list();
  }

  save(name: string): Promise<SavedState> {
    return this.#alone(() => {
      const { swap, clock, settings } = this.#parts;
      const timeMs = Math.max(clock.now(), swap.services.exchange.appliedMs);
      return this.#states.save({ name, timeMs, madeMs: settings.now() });
    });
  }

  /** Replaces all services: those of the caller are closed when it resolves. */
  restore(id: string): Promise<RestoredCheckpoint> {
    return this.#alone(async () => {
      const { swap, settings } = this.#parts;
      const state = await this.#states.stage(id, settings.now());
      await swap.replace();
      return { ...state, streamId: swap.services.exchange.streamId };
    });
  }

  remove(id: string): SavedState {
    this.#refuseSecond();
    return this.#states.remove(id);
  }

  /** Waits for what is being saved or restored, and refuses everything from now on. */
  async close(): Promise<void> {
    this.#isClosing = true;
    // Its caller gets the failure.
    await this.#task?.catch(() => undefined);
  }

  async #alone<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#refuseSecond();
    const task = run();
    this.#task = task;
    try {
      return await task;
    } finally {
      this.#task = undefined;
    }
  }

  #refuseSecond(): void {
    if (this.#isClosing) throw new ApiError('service_not_ready');
    if (this.#task !== undefined) throw new SavedStateRefusal('checkpoint_busy', {});
  }
}
