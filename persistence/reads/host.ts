/**
 * The main thread's side of a read thread. Invariants: an answer shows all that was applied when
 * the question was asked, and nothing that is not durable, because each question about the
 * projection first waits for it; a quick question waits for one slow question at the most. Bound:
 * STORE_BOUNDS.waitingReads questions; a further one is refused as `overloaded`.
 */
import type { Projector } from '../projection/projector.ts';
import { STORE_BOUNDS, StoreError, toError } from '../shared/index.ts';
import { WorkerClient } from '../threads/index.ts';
import type { AnalyticsKinds } from './analytics/index.ts';
import type { Reader, ReadKinds } from './questions.ts';
import type { ReadThreadData } from './thread.ts';

export interface ReadHostOptions {
  readonly data: ReadThreadData;
  readonly projector: Pick<Projector, 'reach'>;
  readonly appliedSeq: () => number;
  /** The thread went down. It restarts by itself, or with the next question. */
  readonly onDown: (error: Error) => void;
}

/** A page of more rows takes the thread 30 ms or more. */
const QUICK_PAGE_ROWS = 1_000;

/** May look at many rows to find few. */
const SEARCHES: ReadonlySet<keyof ReadKinds> = new Set([
  'trades',
  'priceHistories',
  'exploredCommands',
  'holdingHistory',
]);

function isSlow(kind: keyof ReadKinds, question: unknown): boolean {
  if (SEARCHES.has(kind)) return true;
  // Safe: `kind` says which question it is.
  if (kind === 'activity') {
    return (question as AnalyticsKinds['activity']['ask']).sortBy !== 'TIMESTAMP';
  }
  if (kind === 'holders') {
    const { limit, markets } = question as AnalyticsKinds['holders']['ask'];
    return limit * markets.length > QUICK_PAGE_ROWS;
  }
  return kind === 'fills' && (question as AnalyticsKinds['fills']['ask']).limit > QUICK_PAGE_ROWS;
}

export class ReadHost {
  readonly #options: ReadHostOptions;
  readonly #worker: WorkerClient<ReadKinds>;
  #starting: Promise<void> | undefined;
  #isStopping = false;
  readonly reader: Reader = {
    moneyKey: (key) => this.#ask('moneyKey', key),
    order: (orderId) => this.ask('order', orderId),
    orders: (orderIds) => this.ask('orders', orderIds),
    openOrders: (query) => this.ask('openOrders', query),
    liveOrders: (query) => this.ask('liveOrders', query),
    trades: (query) => this.ask('trades', query),
    notifications: (query) => this.ask('notifications', query),
    actions: (query) => this.ask('actions', query),
    volumes: (query) => this.ask('volumes', query),
    priceHistories: (query) => this.ask('priceHistories', query),
  };

  constructor(options: ReadHostOptions) {
    const { data, onDown } = options;
    this.#options = options;
    this.#worker = new WorkerClient({
      entry: new URL('./thread.ts', import.meta.url),
      name: `the ${data.threadName} thread`,
      data,
      downCode: 'reader_unavailable',
      waitingLimit: STORE_BOUNDS.waitingReads,
      onDown,
      isSlow,
    });
  }

  /** Whether the thread was started: by `start`, or by the first question. */
  get isStarted(): boolean {
    return this.#starting !== undefined;
  }

  get isUp(): boolean {
    return this.#worker.isUp;
  }

  /** Rejects with the error that keeps the thread from opening. */
  start(): Promise<void> {
    this.#starting ??= this.#worker.start();
    return this.#starting;
  }

  /** Rejects with StoreError `reader_unavailable`, `overloaded` or `search_too_wide`. */
  async ask<Kind extends keyof ReadKinds>(
    kind: Kind,
    question: ReadKinds[Kind]['ask'],
  ): Promise<ReadKinds[Kind]['answer']> {
    await this.#options.projector.reach(this.#options.appliedSeq());
    return this.#ask(kind, question);
  }

  /** The same for a question that reads the journal alone, without a wait for the projection. */
  async #ask<Kind extends keyof ReadKinds>(
    kind: Kind,
    question: ReadKinds[Kind]['ask'],
  ): Promise<ReadKinds[Kind]['answer']> {
    if (this.#isStopping) throw new StoreError('reader_unavailable', 'the exchange is stopping');
    await this.start().catch((error: unknown) => this.#failStart(error));
    return this.#worker.ask(kind, question);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    // A thread that is starting can be stopped only after its start.
    await this.#starting?.catch(() => undefined);
    await this.#worker.stop();
  }

  #failStart(error: unknown): never {
    // The next question tries again.
    this.#starting = undefined;
    const failure = toError(error);
    this.#options.onDown(failure);
    throw new StoreError('reader_unavailable', `reads do not start: ${failure.message}`);
  }
}
