/**
 * When the commands of traced requests were applied, and when the last commit was: what the store's
 * observer tells. A command is known by its object, which the exchange hands through unchanged.
 *
 * Bound: one entry for each command of a traced request that is not answered.
 */
import type { Command } from '../../engine/model/index.ts';
import type { StoreObserver } from '../../persistence/index.ts';

/** Times are those of `performance.now()`; 0 until the command is applied. */
export interface Times {
  startMs: number;
  endMs: number;
  outcome: string;
}

export class CommandTimes implements StoreObserver {
  readonly #watched = new Map<Pick<Command, 'kind'>, Times>();
  /** The last commit of the journal. */
  readonly commit = { startMs: 0, endMs: 0, commands: 0 };

  get watchedCount(): number {
    return this.#watched.size;
  }

  /** Notes when the command is applied, from now until `forget`. */
  watch(command: Command): Readonly<Times> {
    const times = { startMs: 0, endMs: 0, outcome: '' };
    this.#watched.set(command, times);
    return times;
  }

  forget(command: Command): void {
    this.#watched.delete(command);
  }

  applied(command: Pick<Command, 'kind'>, outcome: string, durationMs: number): void {
    const times = this.#watched.get(command);
    if (times === undefined) return;
    times.endMs = performance.now();
    times.startMs = times.endMs - durationMs;
    times.outcome = outcome;
  }

  committed(commands: number, durationMs: number): void {
    const { commit } = this;
    commit.endMs = performance.now();
    commit.startMs = commit.endMs - durationMs;
    commit.commands = commands;
  }
}
