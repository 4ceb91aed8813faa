/**
 * The single writer: gives every command its place, applies it at once, and holds its answer until
 * what the answer shows is durable (design 6). Invariants: seqs of changes run from 1 without gaps
 * and times never go back; commands of one synchronous run are contiguous; nothing is delivered or
 * answered before its commit, and after a failure nothing ever is. Bounds: STORE_BOUNDS.
 *
 * While one batch is committed the next one fills (group commit). When nothing is being committed,
 * a batch leaves at the end of the event loop's turn, so that what arrives together shares a sync.
 */
import { strict as assert } from 'node:assert';
import { type Command, type Engine, type EngineEvent, isChange } from '../engine/index.ts';
import { BatchBuilder, type JournalBatch } from './journal/index.ts';
import type { Applied, DurableCommand } from './shared/index.ts';
import {
  outcomeOf,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
  type StoreObserver,
  toError,
} from './shared/index.ts';

export interface SequencerOptions {
  readonly engine: Pick<Engine, 'apply' | 'nextDueMs'>;
  /** Of the last command in the journal. */
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly now: () => number;
  /** Starts a commit; `committed` or `fail` must follow. Called again only after that. */
  readonly write: (batch: JournalBatch) => void;
  /** Each batch when nothing joins it any more: the engine's state is the one after it. */
  readonly onSealed?: (commands: readonly DurableCommand[]) => void;
  /** Each batch after its commit, before its answers. */
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
  /** Called once. */
  readonly onFatal: (error: Error) => void;
  readonly observer?: StoreObserver;
}

type Answer = (applied: Applied) => void;

/** Commands that become durable together, and everyone who waits for that. */
class Batch {
  readonly commands: DurableCommand[] = [];
  readonly builder: BatchBuilder;
  /** Answers and what to answer, in pairs. */
  readonly answers: Answer[] = [];
  readonly answered: Applied[] = [];
  /** When each began to wait; empty without an observer. */
  readonly sinceMs: number[] = [];
  /** Looks at the state that wait with the answers. */
  readonly looks: (() => void)[] = [];
  /** When it was handed to the journal; 0 without an observer. */
  writtenMs = 0;

  constructor(firstSeq: number) {
    this.builder = new BatchBuilder(firstSeq);
  }
}

export class Sequencer {
  readonly #options: SequencerOptions;
  #appliedSeq: number;
  #durableSeq: number;
  #lastTimeMs: number;
  /** Submitted and not answered. */
  #waiting = 0;
  #filling: Batch;
  /** Full batches, oldest first. */
  readonly #full: Batch[] = [];
  #committing: Batch | undefined;
  #willFlush = false;
  #isOpen = true;
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #onIdle: (() => void) | undefined;

  constructor(options: SequencerOptions) {
    this.#options = options;
    this.#appliedSeq = options.lastSeq;
    this.#durableSeq = options.lastSeq;
    this.#lastTimeMs = options.lastTimeMs;
    this.#filling = new Batch(options.lastSeq + 1);
    this.#wake(); // what fell due while nothing ran
  }

  /** The last change that was applied. */
  get appliedSeq(): number {
    return this.#appliedSeq;
  }

  /** The time of the last command, also of one that changed nothing. */
  get appliedMs(): number {
    return this.#lastTimeMs;
  }

  /** The last change that is on the disk. */
  get durableSeq(): number {
    return this.#durableSeq;
  }

  /** Whether commands are taken. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Commands and looks that are not answered yet. */
  get waitingCount(): number {
    return this.#waiting;
  }

  /**
   * Rejects with StoreError `stopping` or `overloaded`, and with TypeError for a number that JSON
   * can't hold: replay would see another command. After a failure it stays pending.
   */
  submit(command: Command, evidence: unknown): Promise<Applied> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    const field = fieldThatIsNotFinite(command);
    if (field !== undefined) {
      return Promise.reject(new TypeError(`${field} of a command must be a finite number`));
    }
    return new Promise((answer) => this.#take(command, evidence, answer));
  }

  /**
   * Looks at the state as applied, and answers with it when all that it shows is durable. Rejects
   * and stays pending as `submit`.
   */
  read<View>(view: () => View): Promise<View> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    const seen = view();
    const batch = this.#newestBatch();
    if (batch === undefined) return Promise.resolve(seen);
    this.#waiting += 1;
    return new Promise((answer) => batch.looks.push(() => answer(seen)));
  }

  #refusal(): StoreError | undefined {
    if (!this.#isOpen) return new StoreError('stopping', 'the exchange is stopping');
    if (this.#waiting < STORE_BOUNDS.waitingCommands) return undefined;
    return new StoreError('overloaded', `${this.#waiting} commands are waiting for the disk`);
  }

  /** The journal has the batch that was given to `write`, up to `seq`. */
  committed(seq: number): void {
    const batch = this.#committing;
    if (this.#hasFailed) return;
    assert(batch !== undefined && batch.commands.at(-1)?.seq === seq, 'commits come in order');
    this.#durableSeq = seq;
    this.#committing = undefined;
    const { observer } = this.#options;
    observer?.committed(batch.commands.length, performance.now() - batch.writtenMs);
    this.#pump();
    try {
      this.#options.onDurable(batch.commands);
    } catch (error) {
      this.fail(toError(error));
      return;
    }
    this.#answer(batch);
    if (this.#committing === undefined) this.#onIdle?.();
  }

  #answer(batch: Batch): void {
    this.#waiting -= batch.answers.length + batch.looks.length;
    batch.answers.forEach((answer, index) => {
      answer(batch.answered[index]!);
    });
    for (const look of batch.looks) look();
    const { observer } = this.#options;
    if (observer?.answered === undefined) return;
    const nowMs = performance.now();
    for (const sinceMs of batch.sinceMs) observer.answered(nowMs - sinceMs);
  }

  /** Ends everything: a commit failed, or an invariant broke. Nothing is answered any more. */
  fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#onIdle?.();
    this.#options.onFatal(error);
  }

  /** Takes nothing more; resolves when everything that was taken is durable, or has failed. */
  async drain(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    if (this.#hasFailed) return;
    this.#pump();
    if (this.#committing === undefined) return;
    await new Promise<void>((done) => {
      this.#onIdle = done;
    });
  }

  #take(command: Command, evidence: unknown, answer: Answer | undefined): void {
    try {
      const timeMs = Math.max(this.#lastTimeMs, this.#options.now());
      const seq = this.#appliedSeq + 1;
      const events = this.#apply(seq, timeMs, command);
      this.#lastTimeMs = timeMs;
      if (answer !== undefined) this.#waiting += 1;
      if (events.some(isChange)) this.#journal({ seq, timeMs, command, events }, evidence, answer);
      else this.#hold(timeMs, events, answer);
      this.#armTimer();
    } catch (error) {
      this.fail(toError(error));
    }
  }

  #apply(seq: number, timeMs: number, command: Command): EngineEvent[] {
    const { engine, observer } = this.#options;
    if (observer === undefined) return engine.apply(seq, timeMs, command);
    const startMs = performance.now();
    const events = engine.apply(seq, timeMs, command);
    observer.applied(command.kind, outcomeOf(events), performance.now() - startMs);
    return events;
  }

  #journal(durable: DurableCommand, evidence: unknown, answer: Answer | undefined): void {
    const batch = this.#filling;
    this.#appliedSeq = durable.seq;
    batch.builder.add(durable, evidence);
    batch.commands.push(durable);
    if (answer !== undefined) this.#wait(batch, answer, durable);
    const { batchCommands, batchFills } = STORE_BOUNDS;
    if (batch.commands.length === batchCommands || batch.builder.fillCount >= batchFills) {
      this.#full.push(batch);
      this.#filling = new Batch(durable.seq + 1);
      this.#seal(batch);
    }
    this.#flushSoon();
  }

  /** An answer that changed nothing waits for the state that it was judged in. */
  #hold(timeMs: number, events: readonly EngineEvent[], answer: Answer | undefined): void {
    if (answer === undefined) return;
    const applied = { seq: this.#appliedSeq, timeMs, events };
    const batch = this.#newestBatch();
    if (batch === undefined) {
      this.#waiting -= 1;
      answer(applied);
      this.#options.observer?.answered?.(0);
    } else {
      this.#wait(batch, answer, applied);
    }
  }

  /** Lets an answer wait until a batch is durable. */
  #wait(batch: Batch, answer: Answer, applied: Applied): void {
    batch.answers.push(answer);
    batch.answered.push(applied);
    if (this.#options.observer !== undefined) batch.sinceMs.push(performance.now());
  }

  /** The batch that holds the last change; undefined when that is durable. */
  #newestBatch(): Batch | undefined {
    if (this.#filling.commands.length > 0) return this.#filling;
    return this.#full.at(-1) ?? this.#committing;
  }

  #flushSoon(): void {
    if (this.#willFlush || this.#committing !== undefined) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      this.#pump();
    });
  }

  /** Sends the oldest batch if nothing is being committed. */
  #pump(): void {
    if (this.#hasFailed || this.#committing !== undefined) return;
    const batch = this.#full.shift() ?? this.#takeFilling();
    if (batch === undefined) return;
    this.#committing = batch;
    if (this.#options.observer !== undefined) batch.writtenMs = performance.now();
    this.#options.write(batch.builder.build());
  }

  #takeFilling(): Batch | undefined {
    const batch = this.#filling;
    if (batch.commands.length === 0) return undefined;
    this.#filling = new Batch(this.#appliedSeq + 1);
    this.#seal(batch);
    return this.#hasFailed ? undefined : batch;
  }

  #seal({ commands }: Batch): void {
    try {
      this.#options.onSealed?.(commands);
    } catch (error) {
      this.fail(toError(error));
    }
  }

  /**
   * Sees to it that what falls due happens on a quiet exchange too. An earlier wake-up stays as it
   * is and looks again, so that this costs a busy exchange nothing.
   */
  #armTimer(): void {
    const dueMs = this.#options.engine.nextDueMs();
    if (dueMs >= this.#timerAtMs || dueMs === Number.POSITIVE_INFINITY || !this.#isOpen) return;
    const nowMs = this.#options.now();
    const delayMs = Math.min(Math.max(dueMs - nowMs, 0), STORE_PACE.timerMs);
    clearTimeout(this.#timer);
    this.#timerAtMs = nowMs + delayMs;
    this.#timer = setTimeout(() => this.#wake(), delayMs).unref();
  }

  #wake(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const { engine, now } = this.#options;
    if (engine.nextDueMs() <= now()) this.#take({ kind: 'advance_time' }, undefined, undefined);
    else this.#armTimer();
  }
}

function isNotFinite(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(isNotFinite)
    : typeof value === 'number' && !Number.isFinite(value);
}

/** Names are looked at only when something is wrong, because every command comes through here. */
function fieldThatIsNotFinite(command: Command): string | undefined {
  if (!Object.values(command).some(isNotFinite)) return undefined;
  return Object.entries(command).find(([, value]) => isNotFinite(value))?.[0];
}
