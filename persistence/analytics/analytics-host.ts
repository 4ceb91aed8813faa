/**
 * The main thread's side of analytics: starts their thread at the first question, for most short
 * lives of an exchange ask none. Invariant: an answer shows all that was applied when it was asked
 * for. Bound: STORE_BOUNDS.waitingReads; excess: `overloaded`.
 */
import { AskedThread } from '../asked-thread.ts';
import type { Projector } from '../projector.ts';
import { STORE_BOUNDS } from '../store-bounds.ts';
import { StoreError } from '../store-error.ts';
import type {
  AnalyticsAnswer,
  AnalyticsKind,
  AnalyticsQuestions,
  ExchangeAnalytics,
} from './analytics-questions.ts';
import type { AnalyticsThreadData } from './analytics-thread.ts';

export interface AnalyticsHostOptions {
  readonly data: AnalyticsThreadData;
  readonly projector: Pick<Projector, 'reach'>;
  readonly appliedSeq: () => number;
  /** The thread is down; it is started again by itself, or at the next question. */
  readonly onDown: (error: Error) => void;
}

export class AnalyticsHost implements ExchangeAnalytics {
  readonly #options: AnalyticsHostOptions;
  readonly #thread: AskedThread;
  #starting: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: AnalyticsHostOptions) {
    this.#options = options;
    this.#thread = new AskedThread({
      entry: new URL('./analytics-thread.ts', import.meta.url),
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
    // Safe: the thread answers every kind with an AnalyticsAnswer.
    return (await this.#thread.ask(kind, question)) as AnalyticsAnswer;
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
