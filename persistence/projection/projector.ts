/**
 * The main thread's side of the projector: it reports the durable seq to the thread and knows how
 * far the tables go. Invariants: a read that waits for a seq continues when the tables show it, and
 * is refused when the thread dies; damaged tables are never read and stop nothing but reads,
 * because the next start makes them again from the journal. Bound: STORE_BOUNDS.waitingReads.
 */
import { rmSync } from 'node:fs';
import { STORE_BOUNDS, STORE_PACE, StoreError } from '../shared/index.ts';
import { SeqThrottle, SupervisedWorker } from '../threads/index.ts';
import type { ProjectorThreadData } from './projector-work.ts';
import type { ProjectorMessage, ProjectorOpened, ProjectorOrder } from './thread.ts';

export interface ProjectorOptions {
  readonly data: ProjectorThreadData;
  readonly durableSeq: number;
  /** The thread went down. It restarts by itself, or with the exchange. */
  readonly onDown: (error: Error) => void;
  /** The thread refuses to start for a reason that concerns more than reads. */
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
  /** In order of seq, because each read waits for the newest seq. */
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
      entry: new URL('./thread.ts', import.meta.url),
      name: "the projector's thread",
      data: options.data,
      onOpen: ({ projectedSeq }) => this.#opened(projectedSeq),
      onMessage: ({ seq }) => this.#reached(seq),
      onDown: (error) => this.#wentDown(error),
      onRefused: (error) => this.#refused(error),
    });
    this.#durable.advance(options.durableSeq);
  }

  /** Removes damaged tables, which are then made again. Throws other errors of the thread. */
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
   * Starts projecting. The exchange calls it when it is ready: loading the projector's engine takes
   * processor and memory bandwidth, which would slow the start down.
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
      const message = `${this.#waiting.length} reads wait for the projection: that is the limit`;
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
    // Damaged tables were emptied: reads wait until they are made again.
    this.#projectedSeq = projectedSeq;
    this.#durable.resend();
    this.#reached(projectedSeq);
  }

  #reached(seq: number): void {
    // The replay up to the cursor is not progress: the thread may die of the command after it.
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

/** Removes the write-ahead log too, which SQLite would apply to the new file. */
function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
}
