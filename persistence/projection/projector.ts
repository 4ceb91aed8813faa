/**
 * The main thread's side of the projector: tells it what is durable and knows how far it got.
 * Invariant: whoever waits for a seq goes on when the tables show it, or is refused when the thread
 * died; damaged tables are never read, and never stop anything but reads, for the journal makes
 * them again at the next start. Bound: STORE_BOUNDS.waitingReads.
 */
import { rmSync } from 'node:fs';
import { STORE_BOUNDS, STORE_PACE, StoreError } from '../shared/index.ts';
import { SeqThrottle, SupervisedWorker } from '../threads/index.ts';
import type { ProjectorMessage, ProjectorOpened, ProjectorOrder } from './projector-thread.ts';
import type { ProjectorThreadData } from './projector-work.ts';

export interface ProjectorOptions {
  readonly data: ProjectorThreadData;
  readonly durableSeq: number;
  /** The thread is down; it comes back by itself, or after a restart of the exchange. */
  readonly onDown: (error: Error) => void;
  /** It refuses what is more than a matter of reads. */
  readonly onFatal: (error: Error) => void;
}

interface Waiting {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

export class Projector {
  readonly #options: ProjectorOptions;
  readonly #thread: SupervisedWorker<ProjectorOrder, ProjectorOpened, ProjectorMessage>;
  /** In order of seq, because what is waited for is the newest seq of its moment. */
  #waiting: Waiting[] = [];
  #projectedSeq = 0;
  readonly #durable: SeqThrottle;
  #hasBegun = false;
  #down: StoreError | undefined;
  #isDamaged = false;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#durable = new SeqThrottle((seq) => {
      if (this.#hasBegun) this.#thread.post(seq);
    }, STORE_PACE.projectorMs);
    this.#thread = new SupervisedWorker({
      entry: new URL('./projector-thread.ts', import.meta.url),
      name: "the projector's thread",
      data: options.data,
      onOpen: ({ projectedSeq }) => this.#opened(projectedSeq),
      onMessage: ({ seq }) => this.#reached(seq),
      onDown: (error) => this.#wentDown(error),
      onRefused: (error) => this.#refused(error),
    });
    this.#durable.advance(options.durableSeq);
  }

  /** Damaged tables are removed and made again. Throws what else the thread refuses with. */
  async start(): Promise<void> {
    try {
      await this.#thread.start();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#options.onDown(error);
      removeDatabase(this.#options.data.projectionPath);
      await this.#thread.start();
    }
  }

  /** The last change that the tables show. */
  get projectedSeq(): number {
    return this.#projectedSeq;
  }

  get isUp(): boolean {
    return this.#thread.isUp;
  }

  /**
   * From now on it projects. Not at once, for it loads what the exchange loads too, and would take
   * the processor and the memory's bus from the start that everybody waits for.
   */
  begin(): void {
    this.#hasBegun = true;
    this.#durable.resend();
  }

  advance(durableSeq: number): void {
    this.#durable.advance(durableSeq);
    this.#durable.flushFor(this.#waiting.at(-1)?.seq ?? 0);
  }

  /** Resolves when the tables show `seq`. Rejects with `reader_unavailable` or `overloaded`. */
  reach(seq: number): Promise<void> {
    if (seq <= this.#projectedSeq && !this.#isDamaged) return Promise.resolve();
    if (this.#down !== undefined) return Promise.reject(this.#down);
    if (this.#waiting.length >= STORE_BOUNDS.waitingReads) {
      const message = `${this.#waiting.length} reads are waiting for the projection`;
      return Promise.reject(new StoreError('overloaded', message));
    }
    this.#durable.flushFor(seq);
    return new Promise((resolve, reject) => this.#waiting.push({ seq, resolve, reject }));
  }

  async stop(): Promise<void> {
    this.#refuseAll('the exchange is stopping');
    this.#durable.stop();
    await this.#thread.stop();
  }

  #opened(projectedSeq: number): void {
    this.#down = undefined;
    this.#durable.resend();
    this.#reached(projectedSeq);
  }

  #reached(seq: number): void {
    // The replay up to the cursor is not progress: what killed the thread comes after.
    if (seq > this.#projectedSeq) this.#thread.noteProgress();
    this.#projectedSeq = Math.max(this.#projectedSeq, seq);
    const later = this.#waiting.findIndex((waiting) => waiting.seq > this.#projectedSeq);
    const served = later === -1 ? this.#waiting.length : later;
    for (const waiting of this.#waiting.splice(0, served)) waiting.resolve();
  }

  #wentDown(error: Error): void {
    this.#refuseAll(error.message);
    this.#options.onDown(error);
  }

  #refused(error: StoreError): void {
    this.#isDamaged = isDamage(error);
    if (this.#isDamaged) this.#wentDown(error);
    else this.#options.onFatal(error);
  }

  #refuseAll(why: string): void {
    const down = new StoreError('reader_unavailable', `reads are not possible now: ${why}`);
    this.#down = down;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(down);
  }
}

function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'projection_damaged';
}

/** With its write-ahead log, which would be taken for the new file's. */
function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
}
