/**
 * The verifier threads as one function. What waits goes out in messages of several, because a
 * message costs more than the order in it; who goes next is the fair queue's to say, so a thread
 * has no more before it than keeps it busy.
 *
 * Invariant: every verification is answered once: with a verdict, or with `verifier_lost` when its
 * thread died, or with `service_not_ready` when the pool stops. A dead thread is started again.
 * Bound: `HTTP_BOUNDS.pendingVerifications` that wait or are out.
 */
import { Worker } from 'node:worker_threads';
import { FairQueue } from '../admission/index.ts';
import type { Sender } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/index.ts';
import { ApiError, overloadedBy } from '../errors/index.ts';
import type { IntakeObserver } from './intake-observer.ts';
import {
  CLOSE,
  OPENED,
  type Verdict,
  type Verification,
  type VerifierAnswer,
  type VerifierData,
  type VerifierRequest,
} from './verifier-protocol.ts';

export interface VerifierPoolOptions {
  readonly threads: number;
  readonly data: VerifierData;
  /** Of the engine, now. */
  readonly forgottenSeq: () => number;
  /** Told of a thread that died by itself. */
  readonly onDeath: (error: Error) => void;
  readonly observer?: Pick<IntakeObserver, 'verified'>;
}

interface Waiting {
  readonly verification: Verification;
  /** 0 without an observer. */
  readonly sinceMs: number;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: ApiError) => void;
}

/** One thread and what it was sent. */
interface Verifier {
  readonly worker: Worker;
  /** By request id. */
  readonly sent: Map<number, readonly Waiting[]>;
  sentCount: number;
  isOpen: boolean;
}

const ENTRY = new URL('./verifier-thread.ts', import.meta.url);
const RESTART_MS = 100;

export class VerifierPool {
  readonly #options: VerifierPoolOptions;
  readonly #verifiers = new Set<Verifier>();
  #queue = new FairQueue<Waiting>();
  /** Of the queue and of what was sent. */
  #pending = 0;
  #lastId = 0;
  #willFlush = false;
  #isStopping = false;

  constructor(options: VerifierPoolOptions) {
    this.#options = options;
  }

  /** Resolves when all threads are open; throws what a thread died of before that. */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.threads }, () => this.#open()));
  }

  /** How many threads it has when none is down. */
  get size(): number {
    return this.#options.threads;
  }

  /** How many threads are there; those that are not are being started again. */
  get upCount(): number {
    return [...this.#verifiers].filter(({ isOpen }) => isOpen).length;
  }

  /**
   * Takes its turn as the asker's, by default the owner of its key. Rejects with an `ApiError`:
   * `overloaded`, `verifier_lost` or `service_not_ready`.
   */
  verify(
    verification: Verification,
    sender: Sender = { address: '', owner: verification.keyAddress },
  ): Promise<Verdict> {
    if (this.#isStopping) return Promise.reject(new ApiError('service_not_ready'));
    const limit = HTTP_BOUNDS.pendingVerifications;
    if (this.#pending >= limit) {
      return Promise.reject(overloadedBy('pendingVerifications', limit, this.#pending));
    }
    this.#pending += 1;
    const sinceMs = this.#options.observer === undefined ? 0 : performance.now();
    return new Promise((resolve, reject) => {
      this.#queue.push(sender, { verification, sinceMs, resolve, reject });
      this.#flushSoon();
    });
  }

  /** Answers what waits with `service_not_ready` and ends the threads. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#refuse(this.#queue.take(this.#queue.length), 'service_not_ready');
    const exits = [...this.#verifiers].map(({ worker }) => exitOf(worker));
    for (const { worker } of this.#verifiers) worker.postMessage(CLOSE);
    await Promise.all(exits);
  }

  #flushSoon(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      this.#flush();
    });
  }

  /** Sends out what the threads have room for, in parts that they share evenly. */
  #flush(): void {
    const open = [...this.#verifiers].filter(({ isOpen }) => isOpen);
    if (open.length === 0) {
      this.#refuse(this.#queue.take(this.#queue.length), 'verifier_lost');
      return;
    }
    const share = Math.max(Math.ceil(this.#queue.length / open.length), 1);
    const size = Math.min(share, HTTP_BOUNDS.verificationsPerMessage);
    while (this.#queue.length > 0) {
      const free = open.filter(({ sent }) => sent.size < HTTP_BOUNDS.messagesPerVerifier);
      if (free.length === 0) return;
      const idlest = free.reduce((a, b) => (b.sentCount < a.sentCount ? b : a));
      this.#send(idlest, this.#queue.take(size));
    }
  }

  #send(verifier: Verifier, waiting: readonly Waiting[]): void {
    this.#lastId += 1;
    verifier.sent.set(this.#lastId, waiting);
    verifier.sentCount += waiting.length;
    const verifications = waiting.map(({ verification }) => verification);
    const forgottenSeq = this.#options.forgottenSeq();
    const request: VerifierRequest = { id: this.#lastId, verifications, forgottenSeq };
    verifier.worker.postMessage(request);
  }

  /** Starts one thread; resolves when it is open. */
  #open(): Promise<void> {
    const worker = new Worker(ENTRY, { workerData: this.#options.data });
    const verifier: Verifier = { worker, sent: new Map(), sentCount: 0, isOpen: false };
    this.#verifiers.add(verifier);
    let death = new Error('a verifier thread ended');
    worker.once('error', (error) => {
      death = error instanceof Error ? error : new Error(String(error));
    });
    return new Promise((resolve, reject) => {
      worker.once('exit', () => {
        this.#verifiers.delete(verifier);
        if (verifier.isOpen) this.#died(verifier, death);
        else reject(death);
      });
      worker.on('message', (message: VerifierAnswer | typeof OPENED) => {
        if (message !== OPENED) return this.#answered(verifier, message);
        verifier.isOpen = true;
        resolve();
        this.#flushSoon();
      });
    });
  }

  #answered(verifier: Verifier, { id, verdicts }: VerifierAnswer): void {
    const waiting = verifier.sent.get(id) ?? [];
    verifier.sent.delete(id);
    verifier.sentCount -= waiting.length;
    if (this.#queue.length > 0) this.#flush();
    this.#pending -= waiting.length;
    waiting.forEach(({ resolve, reject }, index) => {
      const verdict = verdicts[index];
      if (verdict === undefined) reject(new ApiError('verifier_lost'));
      else resolve(verdict);
    });
    const { observer } = this.#options;
    if (observer === undefined) return;
    const nowMs = performance.now();
    for (const { sinceMs } of waiting) observer.verified(nowMs - sinceMs);
  }

  #died(verifier: Verifier, death: Error): void {
    const code = this.#isStopping ? 'service_not_ready' : 'verifier_lost';
    for (const waiting of verifier.sent.values()) this.#refuse(waiting, code);
    if (this.#isStopping) return;
    this.#options.onDeath(death);
    // With none left, nobody else would tell those that wait.
    this.#flush();
    this.#openLater();
  }

  #openLater(): void {
    setTimeout(() => {
      if (this.#isStopping) return;
      this.#open().catch((error: unknown) => {
        this.#options.onDeath(error instanceof Error ? error : new Error(String(error)));
        this.#openLater();
      });
    }, RESTART_MS).unref();
  }

  #refuse(waiting: readonly Waiting[], code: 'verifier_lost' | 'service_not_ready'): void {
    this.#pending -= waiting.length;
    for (const { reject } of waiting) reject(new ApiError(code));
  }
}

function exitOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
  });
}
