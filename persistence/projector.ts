/**
 * The main thread's side of the projector: tells it what is durable and knows how far it got.
 * Invariant: whoever waits for a seq goes on when the tables show it, or is refused when the thread
 * died. Bound: STORE_BOUNDS.waitingReads.
 */
import { KeptThread } from './kept-thread.ts';
import type {
  ProjectorMessage,
  ProjectorOpened,
  ProjectorOrder,
  ProjectorThreadData,
} from './projector-thread.ts';
import { STORE_BOUNDS } from './store-bounds.ts';
import { StoreError } from './store-error.ts';

interface Waiting {
  readonly seq: number;
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

export class Projector {
  readonly #thread: KeptThread<ProjectorOrder, ProjectorOpened, ProjectorMessage>;
  /** In order of seq, because what is waited for is the newest seq of its moment. */
  #waiting: Waiting[] = [];
  #projectedSeq = 0;
  #durableSeq: number;
  #down: StoreError | undefined;

  constructor(data: ProjectorThreadData, durableSeq: number, onFatal: (error: Error) => void) {
    this.#durableSeq = durableSeq;
    this.#thread = new KeptThread({
      entry: new URL('./projector-thread.ts', import.meta.url),
      name: "the projector's thread",
      data,
      onOpen: ({ projectedSeq }) => this.#opened(projectedSeq),
      onMessage: ({ seq }) => this.#reached(seq),
      onDown: (error) => this.#refuseAll(error.message),
      onRefused: onFatal,
    });
  }

  start(): Promise<void> {
    return this.#thread.start();
  }

  advance(durableSeq: number): void {
    this.#durableSeq = durableSeq;
    this.#thread.post(durableSeq);
  }

  /** Resolves when the tables show `seq`. Rejects with `reader_unavailable` or `overloaded`. */
  reach(seq: number): Promise<void> {
    if (seq <= this.#projectedSeq) return Promise.resolve();
    if (this.#down !== undefined) return Promise.reject(this.#down);
    if (this.#waiting.length >= STORE_BOUNDS.waitingReads) {
      const message = `${this.#waiting.length} reads are waiting for the projection`;
      return Promise.reject(new StoreError('overloaded', message));
    }
    return new Promise((resolve, reject) => this.#waiting.push({ seq, resolve, reject }));
  }

  async stop(): Promise<void> {
    this.#refuseAll('the exchange is stopping');
    await this.#thread.stop();
  }

  #opened(projectedSeq: number): void {
    this.#down = undefined;
    this.#thread.post(this.#durableSeq);
    this.#reached(projectedSeq);
  }

  #reached(seq: number): void {
    this.#projectedSeq = Math.max(this.#projectedSeq, seq);
    const later = this.#waiting.findIndex((waiting) => waiting.seq > this.#projectedSeq);
    const served = later === -1 ? this.#waiting.length : later;
    for (const waiting of this.#waiting.splice(0, served)) waiting.resolve();
  }

  #refuseAll(why: string): void {
    const down = new StoreError('reader_unavailable', `reads are not possible now: ${why}`);
    this.#down = down;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(down);
  }
}
