/**
 * The main thread's side of the follower: starts its thread, and requests audits, the last snapshot
 * and those that an operator asks for. Invariant: an audit or a snapshot shows everything that was
 * applied before its request, or is rejected when the thread dies. Bound: one audit at a time and
 * STORE_BOUNDS.waitingAudits requests, which share the running audit if it is new enough and else
 * the next one; all requests for a snapshot share one. A stop waits at most
 * STORE_PACE.stopSnapshotMs for the last snapshot.
 *
 * If snapshots are made, the thread starts a while after the exchange, because its replay would
 * compete with recovery for the processors. Otherwise the first audit starts it, because it holds
 * another copy of the state. At the core of a cluster it rests while a standby makes the snapshots.
 */

import type { AuditReport, SnapshotMade } from '../shared/index.ts';
import {
  messageOf,
  SavedStateRefusal,
  STORE_BOUNDS,
  STORE_PACE,
  StoreError,
  toError,
} from '../shared/index.ts';
import { SeqThrottle, SupervisedWorker } from '../threads/index.ts';
import type { LivePoint } from './audit.ts';
import type { FollowerMessage, FollowerRequest, FollowerThreadData } from './follower-thread.ts';
import { processMs } from './maker.ts';

export interface FollowerOptions {
  readonly data: FollowerThreadData;
  readonly durableSeq: number;
  /** The seq of the snapshot that the start used; 0 for none. */
  readonly snapshotSeq: number;
  /** The last `seq` that the live engine applied. */
  readonly appliedSeq: () => number;
  readonly live: () => LivePoint;
  /** The follower found a fault, with or without an audit; called before the audit resolves. */
  readonly onFault: (report: AuditReport) => void;
  /** The thread is down; it starts again, by itself or with the next audit. */
  readonly onDown: (error: Error) => void;
  readonly onSnapshot: (made: SnapshotMade) => void;
  readonly onSnapshotFailed: (error: Error) => void;
}

/** The snapshot that is being waited for. */
interface WantedSnapshot extends PromiseWithResolvers<void> {
  /** It shows at least this change. */
  seq: number;
}

/** Another node makes the snapshots. */
interface Rest {
  /** What the newest one shows. */
  readonly seq: number;
  /** The thread is needed again when the journal has more than this. */
  readonly untilSeq: number;
}

interface Waiting {
  readonly seq: number;
  readonly resolve: (report: AuditReport) => void;
  readonly reject: (error: StoreError) => void;
}

/** A rest is over when so many snapshots are overdue. */
const REST_SNAPSHOTS = 2;
const MOST_TIMER_MS = 2 ** 31 - 1;

export class Follower {
  readonly #options: FollowerOptions;
  readonly #thread: SupervisedWorker<FollowerRequest, undefined, FollowerMessage>;
  #snapshot: WantedSnapshot | undefined;
  /** In order of seq. */
  #waiting: Waiting[] = [];
  #isAuditing = false;
  /** The first start, or that after a rest; undefined before it and after it failed. */
  #started: Promise<void> | undefined;
  #rest: Rest | undefined;
  /** The end of the thread for the last rest. */
  #ended: Promise<void> | undefined;
  #down: StoreError | undefined;
  #isStopping = false;
  readonly #durable: SeqThrottle;
  #followedSeq = 0;
  /** The highest seq that any thread reached. */
  #reachedSeq = 0;
  #lastSnapshot: SnapshotMade | undefined;
  /** The timer of the delayed start. */
  #startTimer: NodeJS.Timeout | undefined;
  /** Set while a stop waits for the last snapshot. */
  #onFinished: (() => void) | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const send = (seq: number): boolean => this.#thread.post({ kind: 'durable', seq });
    this.#durable = new SeqThrottle(send, STORE_PACE.followerMs);
    this.#thread = new SupervisedWorker({
      entry: new URL('./follower-thread.ts', import.meta.url),
      name: "the follower's thread",
      data: options.data,
      onOpen: () => this.#opened(),
      onMessage: (message) => this.#receive(message),
      onDown: (error) => this.#wentDown(error),
      onRefused: (error) => this.#wentDown(error),
    });
    this.#durable.advance(options.durableSeq);
  }

  /** The newest one that this thread has made. */
  get lastSnapshot(): SnapshotMade | undefined {
    return this.#lastSnapshot;
  }

  /** False while it rests. */
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

  /** Starts the thread after a pause, if snapshots are made. */
  startSoon(pauseMs: number = STORE_PACE.followerStartMs): void {
    if (this.#options.data.making === undefined) return;
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(() => {
      // Without a change there is nothing to make a snapshot of.
      if (this.#rest?.seq === this.#durable.seq) this.startSoon(pauseMs);
      else this.#started ??= this.#start();
    }, pauseMs).unref();
  }

  /**
   * Another node makes the snapshots, and the newest one shows everything up to `seq`: ends the
   * thread, and with it the second copy of the state. It starts again with the next audit or
   * request for a snapshot, and when two snapshots are overdue.
   */
  rest(seq: number): void {
    const { making } = this.#options.data;
    const isWanted = this.#waiting.length > 0 || this.#snapshot !== undefined;
    // One that starts can't be stopped yet; one that is down has a fault, which must stay visible.
    const isDown = this.#started !== undefined && !this.#thread.isUp;
    if (making === undefined || isWanted || isDown || this.#isStopping) return;
    const { everyMs, everyCommands = STORE_BOUNDS.snapshotCommands } = making.pace;
    const untilSeq = seq + REST_SNAPSHOTS * everyCommands;
    if (this.#durable.seq > untilSeq) return;
    this.#rest = { seq, untilSeq };
    clearTimeout(this.#startTimer);
    if (everyMs > 0) this.startSoon(Math.min(REST_SNAPSHOTS * everyMs, MOST_TIMER_MS));
    if (this.#started === undefined) return;
    this.#started = undefined;
    this.#ended = this.#thread.stop().catch((error: unknown) => {
      this.#options.onDown(toError(error));
    });
  }

  advance(durableSeq: number): void {
    this.#durable.advance(durableSeq);
    if (this.#rest !== undefined && durableSeq > this.#rest.untilSeq) {
      this.#started ??= this.#start();
    }
    this.#durable.flushFor(Math.max(this.#waiting.at(-1)?.seq ?? 0, this.#snapshot?.seq ?? 0));
  }

  /** Rejects with `reader_unavailable` or `overloaded`. */
  audit(): Promise<AuditReport> {
    if (this.#down !== undefined) return Promise.reject(this.#down);
    if (this.#waiting.length >= STORE_BOUNDS.waitingAudits) {
      const message = `${this.#waiting.length} audits are waiting, which is the limit`;
      return Promise.reject(new StoreError('overloaded', message));
    }
    const seq = this.#options.appliedSeq();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ seq, resolve, reject });
      this.#started ??= this.#start();
      this.#requestAudit();
    });
  }

  /**
   * Makes a snapshot that shows everything that was applied before the call. Resolves when it is on
   * the disk, also if it was there already. Requests share it. Rejects with `reader_unavailable`,
   * or SavedStateRefusal `nothing_kept` or `snapshot_failed`.
   */
  makeSnapshot(): Promise<void> {
    if (this.#options.data.making === undefined) {
      return Promise.reject(new SavedStateRefusal('nothing_kept', { field: 'snapshots' }));
    }
    if (this.#down !== undefined) return Promise.reject(this.#down);
    this.#snapshot ??= { ...Promise.withResolvers<void>(), seq: 0 };
    this.#snapshot.seq = this.#options.appliedSeq();
    this.#started ??= this.#start();
    this.#requestSnapshot();
    return this.#snapshot.promise;
  }

  /**
   * Makes a last snapshot first, if requested and if anything changed since the last one. Not if it
   * rests: a snapshot that is less than two snapshots old saves the next start little, another node
   * leads meanwhile, and the thread would first have to replay what it has missed.
   */
  async stop({ snapshot }: { readonly snapshot: boolean }): Promise<void> {
    clearTimeout(this.#startTimer);
    this.#isStopping = true;
    this.#down = this.#rejectAll('the exchange is stopping');
    const isShown = (this.#lastSnapshot?.seq ?? this.#options.snapshotSeq) === this.#durable.seq;
    const canMake = this.#options.data.making !== undefined && this.#rest === undefined;
    const finishes = snapshot && !isShown && canMake;
    this.#rest = undefined; // so that `advance` starts nothing any more
    if (finishes) this.#started ??= this.#start();
    // A thread can't be stopped before it has started.
    await this.#started;
    await this.#ended;
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
    this.#rest = undefined;
    await this.#ended;
    try {
      await this.#thread.start();
    } catch (error) {
      this.#started = undefined; // so that the next audit, or the timer, tries again
      this.startSoon(STORE_PACE.restartMostMs);
      this.#rejectAll(messageOf(error));
      this.#options.onDown(toError(error));
    }
  }

  /** Requests the next audit, at the live engine's seq, which the follower never exceeds. */
  #requestAudit(): void {
    if (this.#isAuditing || this.#waiting.length === 0) return;
    this.#isAuditing = this.#thread.isUp;
    if (!this.#isAuditing) return;
    this.#durable.flush();
    this.#thread.post({ kind: 'audit', live: this.#options.live() });
  }

  /** The thread makes it when it has replayed that far. */
  #requestSnapshot(): void {
    if (this.#snapshot === undefined) return;
    this.#durable.flush();
    this.#thread.post({ kind: 'snapshot', seq: this.#snapshot.seq });
  }

  #opened(): void {
    if (!this.#isStopping) this.#down = undefined;
    this.#durable.resend();
    this.#requestAudit();
    this.#requestSnapshot();
  }

  #receive(message: FollowerMessage): void {
    if (message.kind === 'followed') this.#followed(message.seq);
    else if (message.kind === 'audited') this.#audited(message.report);
    else if (message.kind === 'found') this.#options.onFault(message.report);
    else if (message.kind === 'snapshot') this.#made(message.made);
    else if (message.kind === 'snapshot_kept') this.#shown(message.seq);
    else if (message.kind === 'finished') this.#onFinished?.();
    else this.#snapshotFailed(message.message);
  }

  #followed(seq: number): void {
    // Replaying the same commands again is no progress: the one that kills it may come after them.
    if (seq > this.#reachedSeq) this.#thread.noteProgress();
    this.#reachedSeq = Math.max(this.#reachedSeq, seq);
    this.#followedSeq = seq;
  }

  #made(made: SnapshotMade): void {
    this.#thread.noteProgress();
    this.#lastSnapshot = made;
    this.#options.onSnapshot(made);
    this.#shown(made.seq);
  }

  /** A snapshot shows everything up to `seq`. */
  #shown(seq: number): void {
    if (this.#snapshot === undefined || this.#snapshot.seq > seq) return;
    this.#snapshot.resolve();
    this.#snapshot = undefined;
  }

  #snapshotFailed(reason: string): void {
    this.#options.onSnapshotFailed(new Error(reason));
    this.#snapshot?.reject(new SavedStateRefusal('snapshot_failed', { reason }));
    this.#snapshot = undefined;
  }

  #audited(report: AuditReport): void {
    this.#isAuditing = false;
    if (report.ok) this.#thread.noteProgress();
    // A fault answers every request, because no replay gets past it.
    const later = report.ok ? this.#waiting.findIndex(({ seq }) => seq > report.seq) : -1;
    const served = later === -1 ? this.#waiting.length : later;
    for (const waiting of this.#waiting.splice(0, served)) waiting.resolve(report);
    this.#requestAudit();
  }

  #wentDown(error: Error): void {
    this.#isAuditing = false;
    this.#followedSeq = 0;
    this.#down = this.#rejectAll(error.message);
    this.#options.onDown(error);
    this.#onFinished?.();
  }

  #rejectAll(why: string): StoreError {
    const down = new StoreError(
      'reader_unavailable',
      `audits and snapshots are not possible now: ${why}`,
    );
    for (const waiting of this.#waiting.splice(0)) waiting.reject(down);
    this.#snapshot?.reject(down);
    this.#snapshot = undefined;
    return down;
  }
}
