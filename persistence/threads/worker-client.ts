/**
 * Asks a supervised worker thread questions and awaits its answers. Use it for every worker that
 * answers.
 *
 * 1. Declare the questions: `interface Kinds { size: { ask: string; answer: number } }`.
 * 2. In the entry file, which starts with the import of node-version.ts, answer them:
 *    `const table: AnswerTable<Kinds> = { size: (path) => ... };`
 *    `const answer = (kind: string, question: unknown) => answerFrom(table, kind, question);`
 *    `runWorker('reader', (data: Data, post: Post<AnswerMessage>) =>
 *       answerQuestions({ answer, close }, post));`
 *    The name must be one of thread-priority.ts. Wrap `answer` in a transaction where it reads a
 *    database.
 * 3. On the main thread: `const client = new WorkerClient<Kinds>({ entry, name, data, ... })`,
 *    `await client.start()`, `await client.ask('size', path)`, `await client.stop()`.
 *
 * Invariant: each question settles once: with the worker's answer, with the error that the worker
 * threw, or, when the thread dies, with StoreError `downCode`. The thread starts again by itself.
 * Bound: `waitingLimit` questions; a further one is refused with StoreError `overloaded`.
 */
import { StoreError, type StoreErrorCode } from '../shared/index.ts';
import type { QuestionKinds } from './answer-questions.ts';
import {
  type AnswerMessage,
  type ErrorCodec,
  PendingAnswers,
  type QuestionMessage,
  type WorkerFailure,
} from './pending-answers.ts';
import type { WorkerOptions } from './start-worker.ts';
import { SupervisedWorker } from './supervised-worker.ts';

export interface WorkerClientOptions<Kinds>
  extends Pick<WorkerOptions<AnswerMessage>, 'entry' | 'name' | 'data'> {
  /** The code of the refusal while the thread is down, or when SQLite fails in it. */
  readonly downCode: StoreErrorCode;
  readonly waitingLimit: number;
  /** Called when the thread is down. It is restarted, unless it refused to open. */
  readonly onDown: (error: Error) => void;
  /**
   * Encodes the room's own errors, so that they reach the asker with their class. StoreErrors do
   * not need it; any other error arrives as an `Error` with the same message.
   */
  readonly errors?: ErrorCodec;
  /**
   * Slow questions are sent to the worker one at a time, so that a quick question waits for one
   * slow question at the most.
   */
  readonly isSlow?: (kind: keyof Kinds, question: unknown) => boolean;
}

export class WorkerClient<Kinds extends QuestionKinds<Kinds>> {
  readonly #options: WorkerClientOptions<Kinds>;
  readonly #worker: SupervisedWorker<QuestionMessage, undefined, AnswerMessage>;
  readonly #pending = new PendingAnswers();
  /** Slow questions that were not sent yet. */
  #slowQueue: QuestionMessage[] = [];
  /** The number of the slow question that the worker has. */
  #slowId: number | undefined;

  constructor(options: WorkerClientOptions<Kinds>) {
    const down = (error: Error): void => {
      this.#rejectAll(error.message);
      options.onDown(error);
    };
    this.#options = options;
    this.#worker = new SupervisedWorker({
      ...options,
      onOpen: () => undefined,
      onMessage: (message) => this.#settle(message),
      onDown: down,
      onRefused: down,
    });
  }

  get isUp(): boolean {
    return this.#worker.isUp;
  }

  get waitingCount(): number {
    return this.#pending.size;
  }

  /** Throws the thread's error if it refuses to open. */
  start(): Promise<void> {
    return this.#worker.start();
  }

  /** `transfer`: buffers of a quick question that move to the worker; detached here afterwards. */
  async ask<Kind extends keyof Kinds & string>(
    kind: Kind,
    question: Kinds[Kind]['ask'],
    transfer?: readonly ArrayBuffer[],
  ): Promise<Kinds[Kind]['answer']> {
    const { waitingLimit, name, isSlow } = this.#options;
    if (this.#pending.size >= waitingLimit) {
      throw new StoreError(
        'overloaded',
        `${this.#pending.size} questions wait for ${name}, which is the limit`,
      );
    }
    if (!this.#worker.isUp) throw this.#unavailable('it is being started again');
    return this.#pending.ask((id) => {
      const message = { id, kind, question };
      if (isSlow?.(kind, question) !== true) this.#worker.post(message, transfer);
      else {
        this.#slowQueue.push(message);
        this.#sendSlow();
      }
    });
  }

  /** Stops the thread and rejects the questions that it has not answered by then. */
  async stop(): Promise<void> {
    await this.#worker.stop().finally(() => this.#rejectAll('the exchange is stopping'));
  }

  #sendSlow(): void {
    if (this.#slowId !== undefined) return;
    const next = this.#slowQueue.shift();
    if (next === undefined) return;
    this.#slowId = next.id;
    this.#worker.post(next);
  }

  #settle(message: AnswerMessage): void {
    this.#worker.noteProgress();
    if (message.id === this.#slowId) {
      this.#slowId = undefined;
      this.#sendSlow();
    }
    this.#pending.settle(message, (failure) => this.errorOf(failure));
  }

  #rejectAll(why: string): void {
    this.#slowQueue = [];
    this.#slowId = undefined;
    this.#pending.rejectAll(this.#unavailable(why));
  }

  #unavailable(why: string): StoreError {
    return new StoreError(this.#options.downCode, `${this.#options.name} is down: ${why}`);
  }

  /** The error that a question would be rejected with. */
  errorOf(failure: WorkerFailure): Error {
    const { errors, downCode, name } = this.#options;
    switch (failure.kind) {
      case 'encoded':
        return errors?.decode(failure.error) ?? new Error(`${name} has no codec for its errors`);
      case 'store':
        return new StoreError(failure.code, failure.message);
      case 'database':
        return new StoreError(downCode, `${name} failed: ${failure.message}`);
      case 'mistake':
        return new Error(failure.message);
    }
  }
}
