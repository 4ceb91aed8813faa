/**
 * The pool of verifier threads. One message to a thread has several orders, because a message costs
 * more than an order in it. The fair queue decides whose orders go next, so each thread is given
 * only enough orders to keep it busy.
 *
 * It uses `SupervisedWorker` and not `WorkerClient`, which makes a promise for each message. Here
 * each order of a message has its own promise, and the message needs none.
 *
 * Invariant: every verification is answered once: with a verdict, or with `verifier_lost` when its
 * thread died, or with `service_not_ready` when the pool stops. A dead thread is started again.
 * Bound: `HTTP_BOUNDS.pendingVerifications` in the queue and in the threads.
 */
import { SupervisedWorker } from '../../persistence/threads/index.ts';
import { FairQueue } from '../admission/fair-queue.ts';
import type { RecentUse } from '../admission/recent-use.ts';
import type { RequestTrace, Sender, VerifierTimes } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { ApiError, overloadedBy } from '../errors/index.ts';
import type { IntakeObserver } from './owner-queue.ts';
import {
  ownMs,
  type Verdict,
  type Verification,
  type VerifierAnswer,
  type VerifierData,
  type VerifierRequest,
  verdictsIn,
} from './verifier-protocol.ts';

export interface VerifierPoolOptions {
  readonly threads: number;
  readonly data: VerifierData;
  /** The engine remembers every order that was accepted after this seq. */
  readonly forgottenSeq: () => number;
  /** Called when a thread dies by itself. */
  readonly onDeath: (error: Error) => void;
  readonly observer?: Pick<IntakeObserver, 'verified'>;
  /** Those that lately signed wrong are verified last. */
  readonly use: RecentUse;
}

interface PendingOrder {
  readonly verification: Verification;
  readonly trace: RequestTrace | undefined;
  /** 0 without an observer and a trace. */
  readonly sinceMs: number;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: ApiError) => void;
}

/** One thread and the requests that it has not answered. */
interface Verifier {
  readonly worker: SupervisedWorker<VerifierRequest, undefined, VerifierAnswer>;
  /** By request id. */
  readonly sent: Map<number, readonly PendingOrder[]>;
  sentCount: number;
}

const ENTRY = new URL('./verifier-thread.ts', import.meta.url);

export class VerifierPool {
  readonly #options: VerifierPoolOptions;
  readonly #verifiers: readonly Verifier[];
  readonly #queue: FairQueue<PendingOrder>;
  /** Orders in the queue and in the threads. */
  #pendingCount = 0;
  #lastId = 0;
  #willFlush = false;
  #isStopping = false;

  constructor(options: VerifierPoolOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options.use);
    this.#verifiers = Array.from({ length: options.threads }, () => this.#createVerifier());
  }

  /** Resolves when all threads are open; throws the error of a thread that does not open. */
  async start(): Promise<void> {
    await Promise.all(this.#verifiers.map(({ worker }) => worker.start()));
  }

  /** The number of threads when none is down. */
  get size(): number {
    return this.#options.threads;
  }

  /** The number of open threads; the others are being started again. */
  get upCount(): number {
    return this.#verifiers.filter(({ worker }) => worker.isUp).length;
  }

  /**
   * Queues an order under its sender, by default the owner of its key. Rejects with an
   * `ApiError`: `overloaded`, `verifier_lost` or `service_not_ready`.
   */
  verify(
    verification: Verification,
    sender: Sender = { address: '', owner: verification.keyAddress },
    trace?: RequestTrace,
  ): Promise<Verdict> {
    if (this.#isStopping) return Promise.reject(new ApiError('service_not_ready'));
    const limit = HTTP_BOUNDS.pendingVerifications;
    if (this.#pendingCount >= limit) {
      return Promise.reject(overloadedBy('pendingVerifications', limit, this.#pendingCount));
    }
    this.#pendingCount += 1;
    const isTimed = this.#options.observer !== undefined || trace !== undefined;
    const sinceMs = isTimed ? performance.now() : 0;
    return new Promise((resolve, reject) => {
      this.#queue.push(sender, { verification, trace, sinceMs, resolve, reject });
      this.#flushSoon();
    });
  }

  /** Refuses the orders in the queue with `service_not_ready` and ends the threads. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#refuse(this.#queue.take(this.#queue.length));
    const stopped = await Promise.allSettled(this.#verifiers.map(({ worker }) => worker.stop()));
    for (const verifier of this.#verifiers) this.#refuseSent(verifier);
    const failed = stopped.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #createVerifier(): Verifier {
    const onDown = (error: Error): void => {
      this.#refuseSent(verifier);
      this.#options.onDeath(error);
      // If no thread is open, this refuses the orders in the queue. Nothing else would.
      this.#flush();
    };
    const verifier: Verifier = {
      worker: new SupervisedWorker({
        entry: ENTRY,
        name: "a verifier's thread",
        data: this.#options.data,
        onOpen: () => this.#flushSoon(),
        onMessage: (answer: VerifierAnswer) => this.#settle(verifier, answer),
        onDown,
        onRefused: onDown,
      }),
      sent: new Map(),
      sentCount: 0,
    };
    return verifier;
  }

  #flushSoon(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      this.#flush();
    });
  }

  /** Sends as much of the queue as the threads have room for, in messages of equal size. */
  #flush(): void {
    if (this.#queue.length === 0) return;
    const open = this.#verifiers.filter(({ worker }) => worker.isUp);
    if (open.length === 0) {
      this.#refuse(this.#queue.take(this.#queue.length));
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

  #send(verifier: Verifier, orders: readonly PendingOrder[]): void {
    this.#lastId += 1;
    verifier.sent.set(this.#lastId, orders);
    verifier.sentCount += orders.length;
    const verifications = orders.map(({ verification }) => verification);
    const forgottenSeq = this.#options.forgottenSeq();
    verifier.worker.post({ id: this.#lastId, verifications, forgottenSeq });
  }

  #settle(verifier: Verifier, { id, work, ...answer }: VerifierAnswer): void {
    const verdicts = verdictsIn(answer.verdicts);
    verifier.worker.noteProgress();
    const orders = verifier.sent.get(id) ?? [];
    verifier.sent.delete(id);
    verifier.sentCount -= orders.length;
    this.#flush();
    this.#pendingCount -= orders.length;
    const times = work && { startMs: ownMs(work.startMs), endMs: ownMs(work.endMs) };
    orders.forEach((order, index) => {
      const { resolve, reject } = order;
      noteTimes(order, times);
      const verdict = verdicts[index];
      if (verdict === undefined) reject(new ApiError('verifier_lost'));
      else resolve(verdict);
    });
    const { observer } = this.#options;
    if (observer === undefined) return;
    const nowMs = performance.now();
    for (const { sinceMs } of orders) observer.verified(nowMs - sinceMs);
  }

  #refuseSent(verifier: Verifier): void {
    for (const orders of verifier.sent.values()) this.#refuse(orders);
    verifier.sent.clear();
    verifier.sentCount = 0;
  }

  #refuse(orders: readonly PendingOrder[]): void {
    this.#pendingCount -= orders.length;
    const code = this.#isStopping ? 'service_not_ready' : 'verifier_lost';
    for (const order of orders) {
      noteTimes(order);
      order.reject(new ApiError(code));
    }
  }
}

/** Notes it in the trace of its request; `work` is absent if no thread finished it. */
function noteTimes({ trace, sinceMs: queuedMs }: PendingOrder, work?: VerifierTimes['work']): void {
  trace?.verified({ queuedMs, work, endMs: performance.now() });
}
