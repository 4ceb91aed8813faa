/**
 * A command on its way to the engine and the journal: with names, as this process made it, or
 * packed with its evidence, as another node of a cluster sent it. A packed one is decoded only as
 * far as needed: the engine takes its numbers, and the journal its bytes.
 */
import type { Command, Engine, EngineEvent, EngineNames, Input } from '../../engine/index.ts';
import { PayloadReader } from '../rows/payload.ts';
import type { Applied, DurableCommand } from '../shared/index.ts';
import type { BatchBuilder } from './batch.ts';
import type { StoredCommand } from './part.ts';

export interface CommandForm {
  /** The command itself if it has names, else only its kind. */
  readonly head: Pick<Command, 'kind'>;
  isKnown(engine: Pick<Engine, 'inputOf' | 'knows'>): boolean;
  /** What the engine takes. It is valid until this is called for another command. */
  input(engine: Pick<Engine, 'inputOf'>): Input;
  command(names: EngineNames): Command;
  /** Adds it to a batch, as it was applied. `input` is what stood for it, and `names` its names. */
  addTo(batch: BatchBuilder, applied: Applied, input: Input, names: EngineNames): DurableCommand;
}

export class NamedForm implements CommandForm {
  readonly head: Command;
  readonly #evidence: unknown;

  constructor(command: Command, evidence?: unknown) {
    this.head = command;
    this.#evidence = evidence;
  }

  isKnown(): boolean {
    return true;
  }

  input(engine: Pick<Engine, 'inputOf'>): Input {
    return engine.inputOf(this.head);
  }

  command(): Command {
    return this.head;
  }

  addTo(batch: BatchBuilder, { seq, timeMs, events }: Applied, input: Input): DurableCommand {
    const durable = { seq, timeMs, command: this.head, events };
    batch.add(durable, this.#evidence, input);
    return durable;
  }
}

const reader = new PayloadReader();

const HEADS = {
  place_order: { kind: 'place_order' },
  cancel_orders: { kind: 'cancel_orders' },
} as const;

export type PackedKind = keyof typeof HEADS;

export class PackedForm implements CommandForm {
  readonly head: (typeof HEADS)[PackedKind];
  readonly #payload: Uint8Array;

  constructor(kind: PackedKind, payload: Uint8Array) {
    this.head = HEADS[kind];
    this.#payload = payload;
  }

  isKnown(engine: Pick<Engine, 'inputOf' | 'knows'>): boolean {
    return engine.knows(this.input(engine));
  }

  input(engine: Pick<Engine, 'inputOf'>): Input {
    return reader.input(this.head.kind, this.#payload, engine);
  }

  command(names: EngineNames): Command {
    return reader.command(this.head.kind, this.#payload, names);
  }

  apiKey(): string {
    return reader.apiKey(this.head.kind, this.#payload);
  }

  addTo(
    batch: BatchBuilder,
    { seq, timeMs, events }: Applied,
    _input: Input,
    names: EngineNames,
  ): DurableCommand {
    // The end of the batch is not known yet. Readers of a core's commands do not need it.
    const durable = new UnnamedCommand({ seq, timeMs, endsBatch: false }, events, this, names);
    batch.addStored(durable, this.head.kind, this.#payload);
    return durable;
  }
}

/**
 * A command that was applied by its numbers, with its events. Its names are looked up when they are
 * first asked for: most of those who get it only need the events.
 */
export class UnnamedCommand implements DurableCommand {
  readonly seq: number;
  readonly timeMs: number;
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
  apiKey(): string;
}

type Place = Pick<StoredCommand, 'seq' | 'timeMs' | 'endsBatch'>;
