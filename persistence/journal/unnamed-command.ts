import type { Command, EngineEvent, EngineNames } from '../../engine/index.ts';
import type { DurableCommand } from '../shared/index.ts';
import type { StoredCommand } from './part.ts';

/**
 * A command that was applied by its numbers, with its events. Its names are looked up when they are
 * first asked for: most of those who get it only need the events.
 */
export class UnnamedCommand implements DurableCommand {
  readonly seq: number;
  readonly timeMs: number;
  /** See `StoredCommand`. */
  readonly endsBatch: boolean;
  readonly events: readonly EngineEvent[];
  readonly #source: UnnamedSource;
  readonly #names: EngineNames;
  #command: Command | undefined;

  /** `names`: those of the engine that has applied it. */
  constructor(
    place: Place,
    events: readonly EngineEvent[],
    source: UnnamedSource,
    names: EngineNames,
  ) {
    this.seq = place.seq;
    this.timeMs = place.timeMs;
    this.endsBatch = place.endsBatch;
    this.events = events;
    this.#source = source;
    this.#names = names;
  }

  get command(): Command {
    this.#command ??= this.#source.command(this.#names);
    return this.#command;
  }

  get apiKey(): string {
    return this.#source.apiKey();
  }
}

/** What an applied command is decoded from. */
interface UnnamedSource {
  command(names: EngineNames): Command;
  /** The API key of an order; '' for any other command. */
  apiKey(): string;
}

type Place = Pick<StoredCommand, 'seq' | 'timeMs' | 'endsBatch'>;
