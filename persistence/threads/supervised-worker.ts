/**
 * A worker thread that is started again when it dies: for work that can be lost and repeated, so
 * never for the journal. Invariant: at most one thread runs at a time. Bound: the pause before a
 * restart doubles up to STORE_PACE.restartMostMs, and is short again only after `noteProgress`, so
 * that a thread that opens and dies of the same fault each time is not restarted in a tight loop.
 */
import { STORE_PACE, StoreError, toError } from '../shared/index.ts';
import { type StartedWorker, startWorker, type WorkerOptions } from './start-worker.ts';

export interface SupervisedWorkerOptions<Opened, Out> extends Omit<WorkerOptions<Out>, 'onDeath'> {
  /** Called after each start, before anything is posted. */
  readonly onOpen: (opened: Opened) => void;
  /** The thread died or failed to start again. Its messages are lost; a restart is scheduled. */
  readonly onDown: (error: Error) => void;
  /** The thread refused to start again. No restart is scheduled, because it would not help. */
  readonly onRefused: (error: StoreError) => void;
}

export class SupervisedWorker<In, Opened, Out extends { readonly kind: string }> {
  readonly #options: SupervisedWorkerOptions<Opened, Out>;
  #worker: StartedWorker<In> | undefined;
  #starting: Promise<void> | undefined;
  #restart: NodeJS.Timeout | undefined;
  #pauseMs: number = STORE_PACE.restartMs;
  #isStopping = false;

  constructor(options: SupervisedWorkerOptions<Opened, Out>) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#worker !== undefined && !this.#isStopping;
  }

  /**
   * The first start, or one after a stop has resolved. Throws the error that the thread refuses to
   * open with.
   */
  async start(): Promise<void> {
    this.#isStopping = false;
    await this.#open();
  }

  /** Returns whether the thread is up; if not, the message is dropped. */
  post(message: In, transfer?: readonly ArrayBuffer[]): boolean {
    this.#worker?.post(message, transfer);
    return this.#worker !== undefined;
  }

  /** The thread did its work: the pause before the next restart is short again. */
  noteProgress(): void {
    this.#pauseMs = STORE_PACE.restartMs;
  }

  /** Throws as `StartedWorker.stop` does. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    await this.#starting;
    await this.#worker?.stop().finally(() => {
      this.#worker = undefined;
    });
  }

  async #open(): Promise<void> {
    const { worker, opened } = await startWorker<In, Opened, Out>({
      ...this.#options,
      onDeath: (error) => {
        this.#worker = undefined;
        this.#openLater(error);
      },
    });
    this.#worker = worker;
    this.#options.onOpen(opened);
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
      else this.#openLater(toError(error));
    }
  }
}
