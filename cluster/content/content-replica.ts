/**
 * The main thread's side of a catalog in a cluster: passes writes to the core, gives the writer
 * thread the records that come back through the log, and answers a write with the result of this
 * node's own application. So a node reads its own writes.
 *
 * Invariant: records are applied in the order of their numbers, each once. Missing ones are fetched
 * from this node's journal, and after an absence from the core. Bounds: `waitingLimit` writes wait,
 * beyond it `overloaded`; `queuedBytes` of records wait in memory, and those beyond it are fetched.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ContentStamp,
  readStamp,
  STORE_PACE,
  StoreError,
  toError,
} from '../../persistence/shared/index.ts';
import type { WorkerFailure } from '../../persistence/threads/index.ts';
import type { AppliedQuestion } from './content-log.ts';
import {
  type ContentRecord,
  continues,
  decodeRecord,
  encodePart,
  partsOfQuestion,
  RECORD_BOUNDS,
} from './content-record.ts';
import { encodeQuestion } from './question-codec.ts';
import type { ContentKind } from './write-places.ts';

/** Records that a node missed; `copy` if it must copy the whole catalog. */
export type MissedRecords =
  | { readonly kind: 'records'; readonly records: readonly Uint8Array[]; readonly last: number }
  | { readonly kind: 'copy' };

export interface ContentReplicaOptions {
  readonly state: ContentStamp;
  /**
   * Puts the parts of one question into the log, as records that follow each other. Rejects with
   * StoreError if it is unknown whether they are in the log.
   */
  readonly append: (parts: readonly Uint8Array[]) => Promise<void>;
  /** The records after this one that the node's own journal has. */
  readonly journaled: (after: ContentStamp) => Promise<readonly Uint8Array[]>;
  /** Asks the core for the records after this one. */
  readonly missed: (after: ContentStamp) => Promise<MissedRecords>;
  readonly waitingLimit: number;
  /** Applies records in the writer thread. */
  readonly apply: (records: readonly Uint8Array[]) => Promise<readonly AppliedQuestion[]>;
  readonly errorOf: (failure: WorkerFailure) => Error;
  /** A question that this process does not wait for, as one of another node, was applied. */
  readonly onApplied: (applied: AppliedQuestion) => void;
  /** Records could not be applied or fetched. It is tried again. */
  readonly onBehind: (error: Error) => void;
  /** This node can't follow any more: the process must end, and its start copies the catalog. */
  readonly onLost: (error: StoreError) => void;
  readonly retryMs?: number;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class ContentReplica {
  readonly #options: ContentReplicaOptions;
  readonly #process = randomBytes(8).toString('hex');
  #count = 0;
  /** By the count of the question. */
  readonly #waiting = new Map<number, Waiting>();
  #state: ContentStamp;
  /** Records that follow `#state`, without gaps. */
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  /** The last number that this node has heard of. */
  #told: number;
  #working: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: ContentReplicaOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#told = options.state.number;
  }

  /** What is applied and on the disk. */
  get state(): ContentStamp {
    return this.#state;
  }

  /** The number of the last record that this node has heard of. */
  get toldNumber(): number {
    return this.#told;
  }

  async write(kind: ContentKind, question: unknown): Promise<unknown> {
    const actual = this.#waiting.size;
    if (actual >= this.#options.waitingLimit) {
      throw new StoreError('overloaded', `${actual} writes of the catalog wait, the limit`);
    }
    if (this.#isStopping) throw stopping();
    this.#count += 1;
    const count = this.#count;
    const asker = { process: this.#process, count };
    // Safe: the caller pairs kind and question.
    const parts = partsOfQuestion(asker, encodeQuestion(kind, question as never));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(count, { resolve, reject });
    // The record may be applied before the core's answer arrives, and may be in the log without it.
    this.#options.append(parts.map(encodePart)).catch((error: unknown) => {
      this.#take(count)?.reject(toError(error));
    });
    return promise;
  }

  /** Takes the records of an entry of the log, in the order of the log. */
  receive(records: readonly Uint8Array[]): void {
    for (const record of records) {
      if (readStamp(record).lineage === this.#state.lineage) this.#enqueue(record);
    }
    this.#work();
  }

  /** The core's last record has this number: fetches what this node lacks. */
  catchUp(number: number): void {
    this.#told = Math.max(this.#told, number);
    this.#work();
  }

  /**
   * Resolves when all that this node has heard of is applied, but for the first parts of a question
   * whose last part it has not heard of.
   */
  async drain(): Promise<void> {
    while (!this.#isStopping && !this.#isIdle) {
      this.#work();
      await this.#working;
    }
    if (this.#isStopping) throw stopping();
  }

  /** Finishes the current step. Writes that wait are rejected. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#rejectAll(stopping());
    await this.#working;
  }

  #enqueue(record: Uint8Array): void {
    const { number } = readStamp(record);
    this.#told = Math.max(this.#told, number);
    const isNext = number === this.#state.number + this.#queue.length + 1;
    if (!isNext || this.#queuedBytes >= RECORD_BOUNDS.queuedBytes) return;
    this.#queue.push(record);
    this.#queuedBytes += record.length;
  }

  #work(): void {
    if (this.#working !== undefined || this.#isStopping || this.#isIdle) return;
    this.#working = this.#workOff().finally(() => {
      this.#working = undefined;
      this.#work();
    });
  }

  get #isIdle(): boolean {
    return !this.isQueueShort && this.#wholeQuestions().length === 0;
  }

  async #workOff(): Promise<void> {
    while (!this.#isStopping && !this.#isIdle) {
      try {
        const some = this.#wholeQuestions();
        await (some.length > 0 ? this.#apply(some) : this.#fetch());
      } catch (error) {
        if (this.#isStopping) return;
        this.#options.onBehind(toError(error));
        await sleep(this.#options.retryMs ?? STORE_PACE.catalogRetryMs, undefined, { ref: false });
      }
    }
  }

  /** Whether records that this node has heard of are missing in the queue. */
  get isQueueShort(): boolean {
    return !this.has(this.#told);
  }

  /** Whether this record, and all before it, are here, applied or not. */
  has(number: number): boolean {
    return number <= this.#state.number + this.#queue.length;
  }

  #wholeQuestions(): Uint8Array[] {
    let bytes = 0;
    let questions = 0;
    let end = 0;
    let before: ContentRecord | undefined;
    for (const [index, encoded] of this.#queue.entries()) {
      const record = decodeRecord(encoded);
      // A question without its last part ends where another one begins.
      if (before !== undefined && !continues(before, record)) end = index;
      bytes += encoded.length;
      before = record;
      if (record.part + 1 < record.parts) continue;
      before = undefined;
      questions += 1;
      end = index + 1;
      const { appliedAtOnce, appliedBytes } = RECORD_BOUNDS;
      if (questions === appliedAtOnce || bytes >= appliedBytes) break;
    }
    return this.#queue.slice(0, end);
  }

  async #apply(some: readonly Uint8Array[]): Promise<void> {
    const applied = await this.#options.apply(some);
    for (const { length } of some) this.#queuedBytes -= length;
    this.#queue = this.#queue.slice(some.length);
    const { lineage, number } = this.#state;
    this.#state = { lineage, number: number + some.length };
    for (const one of applied) this.#answer(one);
  }

  /** Fetches records that follow the queue: from this node's journal, else from the core. */
  async #fetch(): Promise<void> {
    const { lineage, number } = this.#state;
    const after = { lineage, number: number + this.#queue.length };
    const kept = await this.#options.journaled(after);
    const missed =
      readNumber(kept[0]) === after.number + 1
        ? { kind: 'records' as const, records: kept, last: this.#told }
        : await this.#options.missed(after);
    if (missed.kind === 'copy') {
      this.#lose();
      return;
    }
    this.#told = Math.max(this.#told, missed.last);
    const before = this.#queue.length;
    for (const record of missed.records) this.#enqueue(record);
    const isShort = this.#queue.length === before && this.isQueueShort;
    if (isShort) throw new Error(`there is no record of the catalog after ${after.number}`);
  }

  #lose(): void {
    this.#isStopping = true;
    this.#rejectAll(stopping());
    this.#options.onLost(
      new StoreError(
        'catalog_unavailable',
        'the core does not keep the records of the catalog that this node missed: start it ' +
          'again, and it copies the catalog',
      ),
    );
  }

  #answer(applied: AppliedQuestion): void {
    const { asker, result } = applied;
    const waiting = asker.process === this.#process ? this.#take(asker.count) : undefined;
    if (waiting === undefined) this.#options.onApplied(applied);
    else if (result.kind === 'answer') waiting.resolve(result.value);
    else waiting.reject(this.#options.errorOf(result.failure));
  }

  #take(count: number): Waiting | undefined {
    const waiting = this.#waiting.get(count);
    this.#waiting.delete(count);
    return waiting;
  }

  #rejectAll(error: StoreError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function readNumber(record: Uint8Array | undefined): number | undefined {
  return record && readStamp(record).number;
}

function stopping(): StoreError {
  return new StoreError('stopping', 'the exchange is stopping');
}
