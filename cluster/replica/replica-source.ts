/**
 * The source of commands of a node that follows the core: applies the durable commands of the log,
 * in order, in this node's engine, and sends new ones to the core. Invariants: the engine applies
 * only what the log has committed; a command is answered when this node has applied it, and a read
 * shows all commands that this node sent before it. Bounds: FEED_BOUNDS.waitingRequests commands
 * with requestBytes that are not answered, and STORE_BOUNDS.waitingCommands reads.
 */
import { strict as assert } from 'node:assert';
import type { Command, Engine } from '../../engine/index.ts';
import { BatchBuilder, type JournalBatch } from '../../persistence/journal/batch.ts';
import type { StoredCommand } from '../../persistence/journal/part.ts';
import { applyStored } from '../../persistence/recovery/recovery.ts';
import {
  type Applied,
  type CommandSource,
  type DurableCommand,
  joinSteps,
  mistakeIn,
  STORE_BOUNDS,
  StoreError,
  type StoreErrorCode,
  toError,
} from '../../persistence/shared/index.ts';
import { FEED_BOUNDS } from '../feed/index.ts';
import {
  type AnsweredStep,
  answersIn,
  encodeHeard,
  encodeSubmit,
  type SubmitAnswer,
} from './submits.ts';

/** The way to the core, while there is one. */
export interface Uplink {
  submit(...parts: readonly Uint8Array[]): void;
}

export interface ReplicaSourceOptions {
  readonly engine: Engine;
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  /** The checksum of that command; 0 if there is none. */
  readonly lastChecksum: number;
  /** Throws StoreError `no_core` if what this node shows is not current. */
  readonly checkCurrent: () => void;
  /** The last entry that this node has heard of. */
  readonly heardNumber: () => number;
  /** A batch is complete: the engine's state is the one after it. */
  readonly onBatch: (commands: readonly DurableCommand[], batch: JournalBatch) => void;
  /** Called once. Nothing is applied afterwards. */
  readonly onFatal: (error: Error) => void;
}

interface Pending {
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: StoreError) => void;
  readonly bytes: number;
  /** The core's answer, until this node has applied the commands that it names. */
  steps: readonly AnsweredStep[] | undefined;
}

interface WaitingRead {
  /** The last command that was sent before it. */
  readonly afterId: number;
  readonly run: () => void;
  readonly refuse: (error: StoreError) => void;
}

export class ReplicaSource implements CommandSource {
  readonly #options: ReplicaSourceOptions;
  #appliedSeq: number;
  #lastTimeMs: number;
  /** The last command that was applied since the start. */
  #last: StoredCommand | undefined;
  #uplink: Uplink | undefined;
  #isOpen = true;
  #hasFailed = false;
  #lastId = 0;
  #waitingBytes = 0;
  /** In the order in which they were sent. */
  readonly #pending = new Map<number, Pending>();
  /** Commands that leave at the end of this turn. */
  #outgoing: Buffer[] = [];
  /** The ids of answers by the seq that they wait for. */
  readonly #answersAt = new Map<number, number[]>();
  /** The commands that answers name, once they are applied. */
  readonly #named = new Map<number, DurableCommand | undefined>();
  #reads: WaitingRead[] = [];
  /** Commands that are applied and whose batch is not complete. */
  #commands: DurableCommand[] = [];
  #builder: BatchBuilder;
  #onIdle: (() => void) | undefined;

  constructor(options: ReplicaSourceOptions) {
    this.#options = options;
    this.#appliedSeq = options.lastSeq;
    this.#lastTimeMs = options.lastTimeMs;
    this.#builder = new BatchBuilder(options.lastSeq + 1);
  }

  get appliedSeq(): number {
    return this.#appliedSeq;
  }

  get appliedMs(): number {
    return this.#lastTimeMs;
  }

  get lastChecksum(): number {
    return this.#last?.checksum ?? this.#options.lastChecksum;
  }

  /** The log has committed whatever this node applies. */
  get durableSeq(): number {
    return this.#appliedSeq;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get waitingCount(): number {
    return this.#pending.size + this.#reads.length;
  }

  /**
   * Rejects with StoreError `no_core` while there is no core, and if the connection to it is lost:
   * then the core may have taken the command or not. Also with `stopping` and `overloaded`.
   */
  submit(command: Command, evidence: unknown): Promise<Applied> {
    const refusal = this.#refusal() ?? this.#sendingRefusal() ?? mistakeIn(command);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#lastId += 1;
    const id = this.#lastId;
    const input = this.#options.engine.inputOf(command);
    const bytes = encodeSubmit({ id, command, evidence, input });
    if (this.#outgoing.length === 0) setImmediate(() => this.#send());
    this.#outgoing.push(bytes);
    this.#waitingBytes += bytes.length;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, bytes: bytes.length, steps: undefined });
    });
  }

  /** Waits for the commands that were sent before, because the caller expects to see them. */
  read<View>(view: () => View): Promise<View> {
    const refusal = this.#refusal() ?? this.#readingRefusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((answer, refuse) => {
      const run = (): void => {
        try {
          this.#options.checkCurrent();
          answer(view());
        } catch (error) {
          refuse(error);
        }
      };
      if (this.#pending.size === 0) run();
      else this.#reads.push({ afterId: this.#lastId, run, refuse });
    });
  }

  expectMovedClock(): void {
    throw new StoreError('other_node', 'a cluster has no sandbox, so its clock can not be moved');
  }

  /** There is a core again. */
  connect(uplink: Uplink): void {
    this.#uplink = uplink;
    this.#lastId = 0;
  }

  /** The core is lost. What it was sent may have happened or not: senders ask again. */
  disconnect(error: StoreError): void {
    this.#uplink = undefined;
    this.#outgoing = [];
    const pending = [...this.#pending.values()];
    const reads = this.#reads;
    this.#pending.clear();
    this.#answersAt.clear();
    this.#named.clear();
    this.#reads = [];
    this.#waitingBytes = 0;
    for (const one of pending) one.reject(error);
    for (const one of reads) one.refuse(error);
    this.#onIdle?.();
  }

  /** Applies commands that the log has committed; they follow the last ones without a gap. */
  apply(commands: Iterable<StoredCommand>): void {
    try {
      for (const command of commands) {
        if (this.#hasFailed) return;
        this.#apply(command);
      }
    } catch (error) {
      this.fail(toError(error));
    }
  }

  /** A frame of the core's answers to commands. */
  takeAnswers(body: Buffer): void {
    for (const answer of answersIn(body)) this.#takeAnswer(answer);
    this.#runReads();
  }

  fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#isOpen = false;
    this.#onIdle?.();
    this.#options.onFatal(error);
  }

  async drain(): Promise<void> {
    this.#isOpen = false;
    if (this.#hasFailed || this.waitingCount === 0) return;
    await new Promise<void>((done) => {
      this.#onIdle = done;
    });
  }

  #refusal(): StoreError | undefined {
    if (!this.#isOpen) return new StoreError('stopping', 'the exchange is stopping');
    try {
      this.#options.checkCurrent();
      return undefined;
    } catch (error) {
      if (error instanceof StoreError) return error;
      throw error;
    }
  }

  #sendingRefusal(): StoreError | undefined {
    if (this.#uplink === undefined) return new StoreError('no_core', 'there is no core now');
    const { waitingRequests, requestBytes } = FEED_BOUNDS;
    if (this.#pending.size < waitingRequests && this.#waitingBytes < requestBytes) return undefined;
    return new StoreError(
      'overloaded',
      `${this.#pending.size} commands with ${this.#waitingBytes} bytes wait for the core, and ` +
        `${waitingRequests} with ${requestBytes} bytes may`,
    );
  }

  #readingRefusal(): StoreError | undefined {
    if (this.#reads.length < STORE_BOUNDS.waitingCommands) return undefined;
    return new StoreError('overloaded', `${this.#reads.length} reads wait, which is the limit`);
  }

  #send(): void {
    const outgoing = this.#outgoing;
    this.#outgoing = [];
    if (outgoing.length === 0) return;
    this.#uplink?.submit(encodeHeard(this.#options.heardNumber()), ...outgoing);
  }

  #apply(logged: StoredCommand): void {
    const { seq, timeMs, kind, payload, endsBatch } = logged;
    assert(seq === this.#appliedSeq + 1, `command ${seq} of the log follows ${this.#appliedSeq}`);
    const durable = applyStored(this.#options.engine, logged);
    this.#appliedSeq = seq;
    this.#lastTimeMs = timeMs;
    this.#last = logged;
    this.#builder.addStored(durable, kind, payload);
    this.#commands.push(durable);
    if (this.#named.has(seq)) this.#named.set(seq, durable);
    if (endsBatch) this.#finishBatch();
  }

  #finishBatch(): void {
    const commands = this.#commands;
    this.#builder.digest = this.#options.engine.digest;
    const batch = this.#builder.build();
    this.#commands = [];
    this.#builder = new BatchBuilder(this.#appliedSeq + 1);
    this.#options.onBatch(commands, batch);
    if (this.#answersAt.size > 0) for (const { seq } of commands) this.#settleAt(seq);
    this.#runReads();
  }

  #settleAt(seq: number): void {
    const ids = this.#answersAt.get(seq);
    if (ids === undefined) return;
    this.#answersAt.delete(seq);
    for (const id of ids) this.#settle(id);
  }

  #takeAnswer({ id, steps, code, message }: SubmitAnswer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (steps === undefined) {
      this.#forget(id, pending);
      // Safe: the core sends codes of StoreError.
      pending.reject(new StoreError(code as StoreErrorCode, message ?? ''));
      return;
    }
    pending.steps = steps;
    let untilSeq = 0;
    for (const step of steps) {
      untilSeq = Math.max(untilSeq, step[0]);
      if (step.length === 1) this.#named.set(step[0], undefined);
    }
    if (untilSeq <= this.#shownSeq) {
      this.#settle(id);
      return;
    }
    const others = this.#answersAt.get(untilSeq);
    if (others === undefined) this.#answersAt.set(untilSeq, [id]);
    else others.push(id);
  }

  /** The last command whose batch was reported. */
  get #shownSeq(): number {
    return this.#appliedSeq - this.#commands.length;
  }

  #settle(id: number): void {
    const pending = this.#pending.get(id);
    if (pending?.steps === undefined) return;
    this.#forget(id, pending);
    const [first, ...later] = pending.steps.map((step) => this.#applied(step));
    assert(first !== undefined, 'an answer has a step');
    pending.resolve(joinSteps([first, ...later]));
  }

  #applied([seq, timeMs, events]: AnsweredStep): Applied {
    if (timeMs !== undefined && events !== undefined) return { seq, timeMs, events };
    const named = this.#named.get(seq);
    assert(named !== undefined, 'an answer names a command before it is applied');
    this.#named.delete(seq);
    return { seq, timeMs: named.timeMs, events: named.events };
  }

  #forget(id: number, { bytes }: Pending): void {
    this.#pending.delete(id);
    this.#waitingBytes -= bytes;
    if (this.waitingCount === 0) this.#onIdle?.();
  }

  #runReads(): void {
    if (this.#reads.length === 0) return;
    const oldest = this.#pending.keys().next().value ?? Number.POSITIVE_INFINITY;
    const later = this.#reads.findIndex(({ afterId }) => afterId >= oldest);
    for (const { run } of this.#reads.splice(0, later === -1 ? this.#reads.length : later)) run();
    if (this.waitingCount === 0) this.#onIdle?.();
  }
}
