/**
 * The main thread's side of analytics: starts their thread at the first question, for most short
 * lives of an exchange ask none. Invariants: an answer shows all that was applied when it was asked
 * for; of the questions that take long the thread has one at a time, so that all others wait for
 * one of them at most. Bound: STORE_BOUNDS.waitingReads, of the long ones once more; excess:
 * `overloaded`.
 */

import type { Projector } from '../../projection/index.ts';
import { STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import { WorkerClient } from '../../threads/index.ts';
import type {
  AnalyticsAnswer,
  AnalyticsKind,
  AnalyticsQuestions,
  ExchangeAnalytics,
} from './questions.ts';
import type { AnalyticsThreadData } from './thread.ts';

type AnalyticsQuestionKinds = {
  readonly [Kind in AnalyticsKind]: {
    readonly ask: AnalyticsQuestions[Kind];
    readonly answer: AnalyticsAnswer;
  };
};

export interface AnalyticsHostOptions {
  readonly data: AnalyticsThreadData;
  readonly projector: Pick<Projector, 'reach'>;
  readonly appliedSeq: () => number;
  /** The thread is down; it is started again by itself, or at the next question. */
  readonly onDown: (error: Error) => void;
}

/** A page of more rows takes the thread some 30 ms and more. */
const LONG_PAGE_ROWS = 1_000;

/** A page of many rows, or by size, for which all that an account did is looked at. */
function takesLong(kind: AnalyticsKind, question: AnalyticsQuestions[AnalyticsKind]): boolean {
  if (kind === 'activity') return !('sortBy' in question) || question.sortBy !== 'TIMESTAMP';
  if (!('limit' in question)) return false;
  const pages = kind === 'holders' && 'markets' in question ? (question.markets?.length ?? 1) : 1;
  return question.limit * pages > LONG_PAGE_ROWS;
}

export class AnalyticsHost implements ExchangeAnalytics {
  readonly #options: AnalyticsHostOptions;
  readonly #thread: WorkerClient<AnalyticsQuestionKinds>;
  #starting: Promise<void> | undefined;
  #isStopping = false;
  /** When the long questions that came so far are answered. */
  #longAnswered: Promise<unknown> = Promise.resolve();
  #longWaiting = 0;

  constructor(options: AnalyticsHostOptions) {
    this.#options = options;
    this.#thread = new WorkerClient({
      entry: new URL('./thread.ts', import.meta.url),
      name: 'the thread of analytics',
      data: options.data,
      downCode: 'reader_unavailable',
      waitingLimit: STORE_BOUNDS.waitingReads,
      onDown: options.onDown,
    });
  }

  /** Whether anybody has asked. */
  get isStarted(): boolean {
    return this.#starting !== undefined;
  }

  get isUp(): boolean {
    return this.#thread.isUp;
  }

  async ask<Kind extends AnalyticsKind>(
    kind: Kind,
    question: AnalyticsQuestions[Kind],
  ): Promise<AnalyticsAnswer> {
    await this.#options.projector.reach(this.#options.appliedSeq());
    if (this.#isStopping) throw new StoreError('reader_unavailable', 'the exchange is stopping');
    this.#starting ??= this.#start();
    await this.#starting;
    const ask = () => this.#thread.ask(kind, question);
    const answer = takesLong(kind, question) ? this.#inTurn(ask) : ask();
    return await answer;
  }

  /** Asks when the long questions before it are answered. */
  async #inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#longWaiting >= STORE_BOUNDS.waitingReads) {
      throw new StoreError('overloaded', `${this.#longWaiting} long pages wait for each other`);
    }
    this.#longWaiting += 1;
    const answer = this.#longAnswered.then(ask).finally(() => {
      this.#longWaiting -= 1;
    });
    this.#longAnswered = answer.catch(() => undefined);
    return answer;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    // A thread that is being started can't be stopped before it is there.
    await this.#starting?.catch(() => undefined);
    await this.#thread.stop();
  }

  async #start(): Promise<void> {
    try {
      await this.#thread.start();
    } catch (error) {
      this.#starting = undefined;
      const failure = error instanceof Error ? error : new Error(String(error));
      this.#options.onDown(failure);
      throw new StoreError('reader_unavailable', `analytics do not start: ${failure.message}`);
    }
  }
}
