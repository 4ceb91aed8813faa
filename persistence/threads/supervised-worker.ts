/**
 * A thread that is started again when it dies: for work that can be lost and done again, never for
 * the journal. Invariant: at most one of it runs. Bound: the pause before a restart doubles up to
 * STORE_PACE.restartMostMs and starts over once a thread has got on with its work: one that opens
 * only to die of the same again is not started in a tight circle.
 */
import { STORE_PACE, StoreError } from '../shared/index.ts';
import { startWorker, type Thread } from './start-worker.ts';

export interface SupervisedWorkerOptions<Opened, Out> {
  readonly entry: URL;
  readonly name: string;
  readonly data: unknown;
  /** Called after each start, before anything is posted. */
  readonly onOpen: (opened: Opened) => void;
  readonly onMessage: (message: Out) => void;
  /** It died, or could not be started again: what was posted is lost, and it is tried later. */
  readonly onDown: (error: Error) => void;
  /** It refuses to start again: a restart would not help. */
  readonly onRefused: (error: StoreError) => void;
}

export class SupervisedWorker<In, Opened, Out extends { readonly kind: string }> {
  readonly #options: SupervisedWorkerOptions<Opened, Out>;
  #thread: Thread<In> | undefined;
  #starting: Promise<void> | undefined;
  #restart: NodeJS.Timeout | undefined;
  #pauseMs: number = STORE_PACE.restartMs;
  #isStopping = false;

  constructor(options: SupervisedWorkerOptions<Opened, Out>) {
    this.#options = options;
  }

  /** Whether it is there: it may be started again later. */
  get isUp(): boolean {
    return this.#thread !== undefined;
  }

  /** The first start. Throws what the thread refuses with. */
  async start(): Promise<void> {
    await this.#open();
  }

  /** Says whether the thread is there to get the message. */
  post(message: In): boolean {
    this.#thread?.post(message);
    return this.#thread !== undefined;
  }

  /** It did what it is for: if it dies now, that is a new matter. */
  noteProgress(): void {
    this.#pauseMs = STORE_PACE.restartMs;
  }

  /** Throws as a thread's `stop`. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    await this.#starting;
    const thread = this.#thread;
    await thread?.stop().finally(() => {
      this.#thread = undefined;
    });
  }

  async #open(): Promise<void> {
    const { thread, opened } = await startWorker<In, Opened, Out>({
      entry: this.#options.entry,
      name: this.#options.name,
      data: this.#options.data,
      onMessage: this.#options.onMessage,
      onDeath: (error) => this.#died(error),
    });
    this.#thread = thread;
    this.#options.onOpen(opened);
  }

  #died(error: Error): void {
    this.#thread = undefined;
    this.#openLater(error);
  }

  #openLater(error: Error): void {
    this.#options.onDown(error);
    if (this.#isStopping) return;
    this.#restart = setTimeout(() => {
      this.#starting = this.#openAgain();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, STORE_PACE.restartMostMs);
  }

  async #openAgain(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      const isRefusal = error instanceof StoreError && error.code !== 'thread_failed';
      if (isRefusal) this.#options.onRefused(error);
      else this.#openLater(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
