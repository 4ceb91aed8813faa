/**
 * The single writer: gives every command its seq and time, applies it at once, and holds its answer
 * until everything that the answer shows is durable
 * (docs/decisions/0012-group-commit.md). Invariants: seqs of changes run from 1
 * without gaps and times never go back; commands of one synchronous run are contiguous; nothing is
 * delivered or answered before its commit, and nothing after a failure. Bounds: STORE_BOUNDS.
 *
 * What is due, and what a command left unfinished, is worked off before the next command, by
 * `advance_time` commands that each do a bounded part. Usually the first one is enough. Otherwise
 * commands and reads wait, in the order of their calls, and between two steps the event loop runs
 * (docs/decisions/0010-long-work-in-steps.md).
 *
 * While one batch is committed the next one fills (docs/decisions/0012-group-commit.md). When no
 * commit is running, a batch leaves at the end of the event loop's turn, so that commands that
 * arrive together share a sync.
 */
import { strict as assert } from 'node:assert';
import { type Command, type Engine, type Input, isChange } from '../engine/index.ts';
import { BatchBuilder, type JournalBatch } from './journal/batch.ts';
import { type CommandForm, NamedForm } from './journal/command-form.ts';
import {
  type Applied,
  type CommandSource,
  commandOutcome,
  type DurableCommand,
  joinSteps,
  mistakeIn,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
  type StoreObserver,
  toError,
} from './shared/index.ts';

export interface SequencerOptions {
  readonly engine: Pick<
    Engine,
    'inputOf' | 'apply' | 'names' | 'nextDueMs' | 'isBehind' | 'findRedemptions' | 'digest'
  >;
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly now: () => number;
  /**
   * Whether this process may answer from its state alone: reads, and commands that changed nothing
   * when no commit is due. If not, such answers wait for `confirmed`. By default it always may.
   */
  readonly isConfirmed?: () => boolean;
  /** Events after which a batch is complete, by default STORE_BOUNDS.batchEvents. */
  readonly batchEvents?: number;
  /** Characters of payloads after which a batch is complete; by default there is no such bound. */
  readonly batchBytes?: number;
  /** Starts a commit. The caller must then call `committed` or `fail`. */
  readonly append: (batch: JournalBatch) => void;
  readonly path: CommitPath;
  readonly observer?: StoreObserver;
}

/** What a batch passes on its way from the engine to its answers. The exchange implements it. */
export interface CommitPath {
  /** The batch is complete: the engine's state is the one after it. Its commit follows. */
  sealed(commands: readonly DurableCommand[]): void;
  /** The batch is durable. Its answers follow. */
  durable(commands: readonly DurableCommand[]): void;
  /** A commit failed or an invariant broke. Called once, and nothing after it. */
  failed(error: Error): void;
}

type Answer = (applied: Applied) => void;

/** Does a step of a command or of a read. Returns whether it was the last one. */
type Step = () => boolean;

const DUE = new NamedForm({ kind: 'advance_time' });

/** Commands that are answered with the events of all their steps. */
const NAMES_STEPS: ReadonlySet<Command['kind']> = new Set(['place_order', 'advance_time']);

/** Commands that become durable together, and the answers that wait for that. */
class Batch {
  readonly commands: DurableCommand[] = [];
  readonly builder: BatchBuilder;
  /** `answers[i]` is to be called with `answered[i]`. */
  readonly answers: Answer[] = [];
  readonly answered: Applied[] = [];
  /** When each answer began to wait; empty without an observer. */
  readonly sinceMs: number[] = [];
  /** Reads of the state that wait with the answers. */
  readonly reads: (() => void)[] = [];
  /** When it was sent to the journal; 0 without an observer. */
  writtenMs = 0;

  constructor(firstSeq: number) {
    this.builder = new BatchBuilder(firstSeq);
  }
}

export class Sequencer implements CommandSource {
  readonly #options: SequencerOptions;
  #appliedSeq: number;
  #durableSeq: number;
  #lastTimeMs: number;
  /** Commands and reads that are not answered. */
  #waiting = 0;
  #filling: Batch;
  /** Answers that wait until this process knows that its state is the exchange's. */
  #unconfirmed: (() => void)[] = [];
  /** Full batches, oldest first. */
  readonly #full: Batch[] = [];
  #committing: Batch | undefined;
  #willFlush = false;
  /** Commands and reads that wait for steps, in order. Each call adds an object of its own. */
  readonly #queue = new Set<Step>();
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
    this.#wake(); // something may have come due before the start
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

  /** Whether commands are accepted. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get waitingCount(): number {
    return this.#waiting;
  }

  /**
   * Rejects with StoreError `stopping` or `overloaded`, and with TypeError for a number that JSON
   * can't hold, because replay would see another command. Stays pending if the exchange fails.
   */
  submit(command: Command, evidence: unknown): Promise<Applied> {
    const mistake = mistakeIn(command);
    if (mistake !== undefined) return Promise.reject(mistake);
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    const form = new NamedForm(command, evidence);
    return new Promise((answer) => this.#take(form, answer));
  }

  /**
   * As `submit`, for a command in any form, whose numbers are finite. Returns why it is refused, or
   * calls `answer` later. It makes no promise, because a core takes every command through here.
   */
  take(form: CommandForm, answer: (applied: Applied) => void): StoreError | undefined {
    const refusal = this.#refusal();
    if (refusal === undefined) this.#take(form, answer);
    return refusal;
  }

  #take(form: CommandForm, answer: Answer): void {
    this.#waiting += 1;
    this.#run(this.#stepsOf(form, answer));
  }

  /**
   * The clock is about to be moved: the timer is set again by the next command. Throws as `submit`
   * rejects.
   */
  expectMovedClock(): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
    clearTimeout(this.#timer);
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  /**
   * Calls `view` at once, or after the commands that wait for steps, and answers with its result
   * when everything that it shows is durable. Rejects, or stays pending, in the same cases as
   * `submit`.
   */
  read<View>(view: () => View): Promise<View> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#waiting += 1;
    return new Promise((answer, refuse) => {
      this.#run(() => {
        try {
          this.#show(view(), answer);
        } catch (error) {
          this.#waiting -= 1;
          refuse(error);
        }
        return true;
      });
    });
  }

  /** Answers a read when what it shows is durable. */
  #show<View>(result: View, answer: (result: View) => void): void {
    const batch = this.#newestBatch();
    if (batch !== undefined) {
      batch.reads.push(() => answer(result));
    } else {
      this.#answerNow(() => answer(result));
    }
  }

  /** Answers from the state alone, when everything that it shows is durable. */
  #answerNow(answer: () => void): void {
    if (this.#options.isConfirmed?.() === false) {
      this.#unconfirmed.push(answer);
      return;
    }
    this.#waiting -= 1;
    answer();
  }

  /** The state of this process was the exchange's just now. */
  confirmed(): void {
    const answers = this.#unconfirmed;
    this.#unconfirmed = [];
    for (const answer of answers) this.#answerNow(answer);
    this.#reportIdle();
  }

  get #batchEvents(): number {
    return this.#options.batchEvents ?? STORE_BOUNDS.batchEvents;
  }

  #refusal(): StoreError | undefined {
    if (!this.#isOpen) return new StoreError('stopping', 'the exchange is stopping');
    if (this.#waiting < STORE_BOUNDS.waitingCommands) return undefined;
    return new StoreError(
      'overloaded',
      `${this.#waiting} commands and reads wait for the disk, which is the limit`,
    );
  }

  /** To be called when the batch that was given to `append`, which ends at `seq`, is durable. */
  committed(seq: number): void {
    const batch = this.#committing;
    if (this.#hasFailed) return;
    assert(batch !== undefined && batch.commands.at(-1)?.seq === seq, 'commits come in order');
    this.#durableSeq = seq;
    this.#committing = undefined;
    const { observer } = this.#options;
    observer?.committed(batch.commands.length, performance.now() - batch.writtenMs);
    // A commit that ends while a long batch is delivered would be delivered in the same turn.
    if (batch.builder.eventCount < this.#batchEvents) this.#pump();
    else setImmediate(() => this.#pump());
    try {
      this.#options.path.durable(batch.commands);
    } catch (error) {
      this.fail(toError(error));
      return;
    }
    this.#answer(batch);
    this.#reportIdle();
  }

  get #isIdle(): boolean {
    const isAnswered = this.#unconfirmed.length === 0;
    return isAnswered && this.#newestBatch() === undefined && this.#queue.size === 0;
  }

  #reportIdle(): void {
    if (this.#isIdle) this.#onIdle?.();
  }

  #answer(batch: Batch): void {
    this.#waiting -= batch.answers.length;
    batch.answers.forEach((answer, index) => {
      answer(batch.answered[index]!);
    });
    // The commit may be an old one, of which this process was told late.
    for (const read of batch.reads) this.#answerNow(read);
    const { observer } = this.#options;
    if (observer?.answered === undefined) return;
    const nowMs = performance.now();
    for (const sinceMs of batch.sinceMs) observer.answered(nowMs - sinceMs);
  }

  /** A commit failed or an invariant broke: from now on nothing is answered. */
  fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#queue.clear();
    this.#onIdle?.();
    this.#options.path.failed(error);
  }

  /** Accepts no more commands; resolves when all accepted ones are durable or have failed. */
  async drain(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    if (this.#hasFailed) return;
    this.#pump();
    if (this.#isIdle) return;
    await new Promise<void>((done) => {
      this.#onIdle = done;
    });
  }

  /** Does the first step at once, unless others wait; the further ones in turns of their own. */
  #run(step: Step): void {
    if (this.#queue.size === 0 && this.#isLast(step)) return;
    if (this.#hasFailed) return;
    this.#queue.add(step);
    if (this.#queue.size === 1) setImmediate(() => this.#continue());
  }

  #isLast(step: Step): boolean {
    try {
      return step();
    } catch (error) {
      this.fail(toError(error));
      return false;
    }
  }

  /** Does one step, or many commands that need no second one. */
  #continue(): void {
    let count = 0;
    for (const step of this.#queue) {
      if (count === STORE_BOUNDS.queuedCommandsPerTurn || !this.#isLast(step)) break;
      this.#queue.delete(step);
      count += 1;
    }
    if (this.#hasFailed) return;
    if (this.#queue.size > 0) {
      setImmediate(() => this.#continue());
    } else {
      this.#armTimer();
      this.#reportIdle();
    }
  }

  /** The steps of a command: of what is due before it, and then its own. */
  #stepsOf(form: CommandForm, answer: Answer | undefined): Step {
    const { engine, now } = this.#options;
    const { kind } = form.head;
    let applied: Applied | undefined;
    const steps: Applied[] = [];
    return () => {
      const timeMs = Math.max(this.#lastTimeMs, now());
      if (applied === undefined) {
        if (kind === 'advance_time') {
          if (!engine.findRedemptions()) return false;
        } else if (engine.isBehind(timeMs)) {
          this.#apply(timeMs, DUE);
          if (engine.isBehind(timeMs)) return false;
        }
        applied = this.#apply(timeMs, form);
      } else {
        const step = this.#apply(timeMs, DUE);
        // What no answer needs must not wait in memory for the last step.
        const isNamed = answer !== undefined && NAMES_STEPS.has(kind);
        steps.push(isNamed ? step : { ...step, events: [] });
      }
      if (engine.isBehind(applied.timeMs)) return false;
      if (answer !== undefined) this.#hold(answer, joinSteps([applied, ...steps]));
      return true;
    };
  }

  /** Applies a command and journals it if it changed something. */
  #apply(timeMs: number, form: CommandForm): Applied {
    const { engine, observer } = this.#options;
    const seq = this.#appliedSeq + 1;
    const input = form.input(engine);
    const startMs = observer === undefined ? 0 : performance.now();
    const events = engine.apply(seq, timeMs, input);
    observer?.applied(form.head, commandOutcome(events), performance.now() - startMs);
    this.#lastTimeMs = timeMs;
    if (events.some(isChange)) this.#journal({ seq, timeMs, events }, form, input);
    this.#armTimer();
    return { seq: this.#appliedSeq, timeMs, events };
  }

  #journal(applied: Applied, form: CommandForm, input: Input): void {
    const batch = this.#filling;
    this.#appliedSeq = applied.seq;
    batch.commands.push(form.addTo(batch.builder, applied, input, this.#options.engine.names));
    const { batchBytes = Number.POSITIVE_INFINITY } = this.#options;
    const { eventCount, payloadLength } = batch.builder;
    if (eventCount >= this.#batchEvents || payloadLength >= batchBytes) {
      this.#full.push(batch);
      this.#filling = new Batch(applied.seq + 1);
      this.#seal(batch);
    }
    this.#flushSoon();
  }

  /** Answers a command once the state after it is durable, also if it changed nothing. */
  #hold(answer: Answer, applied: Applied): void {
    const batch = this.#newestBatch();
    if (batch === undefined) {
      this.#answerNow(() => {
        answer(applied);
        this.#options.observer?.answered?.(0);
      });
    } else {
      this.#wait(batch, answer, applied);
    }
  }

  #wait(batch: Batch, answer: Answer, applied: Applied): void {
    batch.answers.push(answer);
    batch.answered.push(applied);
    if (this.#options.observer !== undefined) batch.sinceMs.push(performance.now());
  }

  /** The batch of the last change; undefined if that is durable. */
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

  /** Sends the oldest batch if no commit is running. */
  #pump(): void {
    if (this.#hasFailed || this.#committing !== undefined) return;
    const batch = this.#full.shift() ?? this.#takeFilling();
    if (batch === undefined) return;
    this.#committing = batch;
    if (this.#options.observer !== undefined) batch.writtenMs = performance.now();
    this.#options.append(batch.builder.build());
  }

  #takeFilling(): Batch | undefined {
    const batch = this.#filling;
    if (batch.commands.length === 0) return undefined;
    this.#filling = new Batch(this.#appliedSeq + 1);
    this.#seal(batch);
    return this.#hasFailed ? undefined : batch;
  }

  #seal({ commands, builder }: Batch): void {
    builder.digest = this.#options.engine.digest;
    try {
      this.#options.path.sealed(commands);
    } catch (error) {
      this.fail(toError(error));
    }
  }

  /**
   * Sets the timer for the next due event, which must happen on a quiet exchange too. An earlier
   * timer is kept and checks again when it fires, so a busy exchange seldom sets one.
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
    // Steps are being done, and the last one sets the timer.
    if (this.#queue.size > 0) return;
    const { engine, now } = this.#options;
    if (engine.nextDueMs() <= now()) this.#run(this.#stepsOf(DUE, undefined));
    else this.#armTimer();
  }
}
