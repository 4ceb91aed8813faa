/**
 * The main thread's side of the follower: starts it, asks it for audits and for the last snapshot.
 * Invariant: whoever asks for an audit is answered with a state that shows all that was applied
 * before; or is refused when the thread died, which is then started again. Bound: one audit at a
 * time, STORE_BOUNDS.waitingAudits; who asks meanwhile shares the running one if that is new
 * enough, else the next. A stop waits STORE_PACE.stopSnapshotMs for the last snapshot.
 *
 * Where snapshots are made the thread is started a while after the exchange is ready, for its
 * replay would take from a start what recovery needs of the processors. Else the first audit starts
 * it: it holds a third copy of the state.
 */

import type { AuditReport, SnapshotMade } from '../shared/index.ts';
import { messageOf, STORE_BOUNDS, STORE_PACE, StoreError, toError } from '../shared/index.ts';
import { SeqThrottle, SupervisedWorker } from '../threads/index.ts';
import type { LivePoint } from './audit.ts';
import type { FollowerMessage, FollowerOrder, FollowerThreadData } from './follower-thread.ts';
import { processMs } from './maker.ts';

export interface FollowerOptions {
  readonly data: FollowerThreadData;
  readonly durableSeq: number;
  /** Of the snapshot that the start began from; 0 for none. */
  readonly snapshotSeq: number;
  /** Of the live engine now. */
  readonly appliedSeq: () => number;
  readonly live: () => LivePoint;
  /** It found something that does not hold, also when nobody asked; before anybody is told. */
  readonly onFault: (report: AuditReport) => void;
  /** The thread is down; it is started again, by itself or by the next audit. */
  readonly onDown: (error: Error) => void;
  readonly onSnapshot: (made: SnapshotMade) => void;
  readonly onSnapshotFailed: (error: Error) => void;
}

interface Waiting {
  readonly seq: number;
  readonly resolve: (report: AuditReport) => void;
  readonly reject: (error: StoreError) => void;
}

export class Follower {
  readonly #options: FollowerOptions;
  readonly #thread: SupervisedWorker<FollowerOrder, undefined, FollowerMessage>;
  /** In order of seq, because what is asked for is the newest seq of its moment. */
  #waiting: Waiting[] = [];
  #isAuditing = false;
  /** Of the first start; undefined before it, and after it failed. */
  #started: Promise<void> | undefined;
  #down: StoreError | undefined;
  readonly #durable: SeqThrottle;
  #followedSeq = 0;
  /** As far as any thread came. */
  #reachedSeq = 0;
  #lastSnapshot: SnapshotMade | undefined;
  /** Until a start that nobody waits for. */
  #startTimer: NodeJS.Timeout | undefined;
  /** Of a stop that waits for the last snapshot. */
  #onFinished: (() => void) | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const tell = (seq: number): boolean => this.#thread.post({ kind: 'durable', seq });
    this.#durable = new SeqThrottle(tell, STORE_PACE.followerMs);
    this.#thread = new SupervisedWorker({
      entry: new URL('./follower-thread.ts', import.meta.url),
      name: "the follower's thread",
      data: options.data,
      onOpen: () => this.#opened(),
      onMessage: (message) => this.#heard(message),
      onDown: (error) => this.#wentDown(error),
      onRefused: (error) => this.#wentDown(error),
    });
    this.#durable.advance(options.durableSeq);
  }

  /** The last one since the start. */
  get lastSnapshot(): SnapshotMade | undefined {
    return this.#lastSnapshot;
  }

  get isStarted(): boolean {
    return this.#started !== undefined;
  }

  get isUp(): boolean {
    return this.#thread.isUp;
  }

  /** The last change that it has replayed. */
  get followedSeq(): number {
    return this.#followedSeq;
  }

  /** For the snapshots; where none are made, it waits for an audit. */
  startSoon(pauseMs: number = STORE_PACE.followerStartMs): void {
    if (this.#options.data.making === undefined) return;
    this.#startTimer = setTimeout(() => {
      this.#started ??= this.#start();
    }, pauseMs).unref();
  }

  advance(durableSeq: number): void {
    this.#durable.advance(durableSeq);
    this.#durable.flushFor(this.#waiting.at(-1)?.seq ?? 0);
  }

  /** Rejects with `reader_unavailable` or `overloaded`. */
  audit(): Promise<AuditReport> {
    if (this.#down !== undefined) return Promise.reject(this.#down);
    if (this.#waiting.length >= STORE_BOUNDS.waitingAudits) {
      const message = `${this.#waiting.length} audits are waiting`;
      return Promise.reject(new StoreError('overloaded', message));
    }
    const seq = this.#options.appliedSeq();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ seq, resolve, reject });
      this.#started ??= this.#start();
      this.#askOn();
    });
  }

  /** With a last snapshot if one is asked for and shows anything new; nothing more is durable. */
  async stop({ snapshot }: { readonly snapshot: boolean }): Promise<void> {
    clearTimeout(this.#startTimer);
    this.#down = this.#refuseAll('the exchange is stopping');
    const isShown = (this.#lastSnapshot?.seq ?? this.#options.snapshotSeq) === this.#durable.seq;
    const finishes = snapshot && !isShown && this.#options.data.making !== undefined;
    if (finishes) this.#started ??= this.#start();
    // A thread that is being started can't be stopped before it is there.
    await this.#started;
    clearTimeout(this.#startTimer);
    if (finishes) await this.#finish();
    this.#durable.stop();
    await this.#thread.stop();
  }

  async #finish(): Promise<void> {
    const deadlineMs = processMs() + STORE_PACE.stopSnapshotMs;
    const tooLong = 'the last snapshot took too long, and the next start will take longer';
    await new Promise<void>((done) => {
      const timer = setTimeout(() => {
        this.#options.onSnapshotFailed(new Error(tooLong));
        done();
      }, STORE_PACE.stopSnapshotMs + STORE_PACE.stopMarginMs);
      this.#onFinished = () => {
        clearTimeout(timer);
        done();
      };
      this.#durable.flush();
      if (!this.#thread.post({ kind: 'finish', deadlineMs })) this.#onFinished();
    });
  }

  async #start(): Promise<void> {
    try {
      await this.#thread.start();
    } catch (error) {
      this.#started = undefined; // the next audit tries again, or this:
      this.startSoon(STORE_PACE.restartMostMs);
      this.#refuseAll(messageOf(error));
      this.#options.onDown(toError(error));
    }
  }

  /** At the live engine's own place, which no follower is ahead of. */
  #askOn(): void {
    if (this.#isAuditing || this.#waiting.length === 0) return;
    this.#isAuditing = this.#thread.isUp;
    if (!this.#isAuditing) return;
    this.#durable.flush();
    this.#thread.post({ kind: 'audit', live: this.#options.live() });
  }

  #opened(): void {
    this.#down = undefined;
    this.#durable.resend();
    this.#askOn();
  }

  #heard(message: FollowerMessage): void {
    if (message.kind === 'followed') this.#followed(message.seq);
    else if (message.kind === 'audited') this.#audited(message.report);
    else if (message.kind === 'found') this.#options.onFault(message.report);
    else if (message.kind === 'snapshot') this.#made(message.made);
    else if (message.kind === 'finished') this.#onFinished?.();
    else this.#options.onSnapshotFailed(new Error(message.message));
  }

  #followed(seq: number): void {
    // The same replay over again is not progress: what killed the thread may come after it.
    if (seq > this.#reachedSeq) this.#thread.noteProgress();
    this.#reachedSeq = Math.max(this.#reachedSeq, seq);
    this.#followedSeq = seq;
  }

  #made(made: SnapshotMade): void {
    this.#thread.noteProgress();
    this.#lastSnapshot = made;
    this.#options.onSnapshot(made);
  }

  #audited(report: AuditReport): void {
    this.#isAuditing = false;
    if (report.ok) this.#thread.noteProgress();
    // A fault on the way is an answer to all: nobody gets past it.
    const later = report.ok ? this.#waiting.findIndex(({ seq }) => seq > report.seq) : -1;
    const served = later === -1 ? this.#waiting.length : later;
    for (const waiting of this.#waiting.splice(0, served)) waiting.resolve(report);
    this.#askOn();
  }

  #wentDown(error: Error): void {
    this.#isAuditing = false;
    this.#followedSeq = 0;
    this.#down = this.#refuseAll(error.message);
    this.#options.onDown(error);
    this.#onFinished?.();
  }

  #refuseAll(why: string): StoreError {
    const down = new StoreError('reader_unavailable', `audits are not possible now: ${why}`);
    for (const waiting of this.#waiting.splice(0)) waiting.reject(down);
    return down;
  }
}
