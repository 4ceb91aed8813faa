/**
 * The follower's thread: replays the durable journal in its own engine from the newest snapshot
 * on, compares fills, makes snapshots and audits. Invariant: an audit is at exactly the requested
 * seq, so that it can be compared with the live engine's totals at that seq. Bound: one step of the
 * journal at a time; between two steps it receives messages.
 *
 * A state with a fault is never used again: the thread reports the fault at once and replays no
 * more. It dies when it has reported the fault to an audit; the next thread replays again.
 */
import '../threads/node-version.ts';
import { strict as assert } from 'node:assert';
import { Engine, InvariantError } from '../../engine/index.ts';
import { JournalReader } from '../journal/reader.ts';
import { replayStep } from '../recovery/recovery.ts';
import { type AuditReport, messageOf, type SnapshotMade, StoreError } from '../shared/index.ts';
import { runWorker, type WorkerHandler } from '../threads/index.ts';
import { type AuditPlace, auditEngine, auditReport, type LivePoint } from './audit.ts';
import { processMs, SnapshotMaker, type SnapshotMakerOptions } from './maker.ts';
import { restoreNewestNow } from './restore.ts';

export interface FollowerThreadData {
  readonly journalPath: string;
  readonly snapshots: string;
  /** Absent if no snapshots are made. */
  readonly making?: SnapshotMakerOptions;
  /** Test seam: see `ExchangeOptions.auditGate`. */
  readonly auditGate?: Int32Array;
}

export type FollowerRequest =
  | { readonly kind: 'durable'; readonly seq: number }
  /** One at a time: the next one comes after the report. */
  | { readonly kind: 'audit'; readonly live: LivePoint }
  /** Make a snapshot at `seq` or later now. It is answered even if there is one already. */
  | { readonly kind: 'snapshot'; readonly seq: number }
  /** Nothing more becomes durable: make a last snapshot before the deadline (`processMs`). */
  | { readonly kind: 'finish'; readonly deadlineMs: number };

export type FollowerMessage =
  | { readonly kind: 'followed'; readonly seq: number }
  /** A fault was found, with or without an audit. */
  | { readonly kind: 'found'; readonly report: AuditReport }
  | { readonly kind: 'audited'; readonly report: AuditReport }
  | { readonly kind: 'snapshot'; readonly made: SnapshotMade }
  /** The requested snapshot was there already: nothing changed since. */
  | { readonly kind: 'snapshot_kept'; readonly seq: number }
  | { readonly kind: 'snapshot_failed'; readonly message: string }
  /** The last snapshot was made or given up. */
  | { readonly kind: 'finished' };

class FollowerWork implements WorkerHandler<undefined, FollowerRequest> {
  readonly opened = undefined;
  readonly #data: FollowerThreadData;
  readonly #journal: JournalReader;
  readonly #maker: SnapshotMaker | undefined;
  readonly #post: (message: FollowerMessage) => void;
  /** undefined until the first step, which restores a snapshot or begins with an empty state. */
  #engine: Engine | undefined;
  /** The last command that the engine has replayed. */
  #place: AuditPlace = { seq: 0, timeMs: 0 };
  #durableSeq = 0;
  /** The requested audit. */
  #wanted: LivePoint | undefined;
  #snapshotSeq: number | undefined;
  /** The deadline of the last snapshot, once it was requested. */
  #deadlineMs: number | undefined;
  #found: AuditReport | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStepping = false;
  #isClosed = false;

  constructor(data: FollowerThreadData, post: (message: FollowerMessage) => void) {
    this.#data = data;
    this.#post = post;
    this.#maker = data.making && new SnapshotMaker(data.making);
    this.#journal = new JournalReader(data.journalPath);
  }

  receive(request: FollowerRequest): void {
    if (request.kind === 'audit') {
      assert(
        request.live.seq >= this.#place.seq,
        'the live engine is never behind the durable journal',
      );
      this.#wanted = request.live;
    } else if (request.kind === 'snapshot') this.#snapshotSeq = request.seq;
    else if (request.kind === 'finish') this.#deadlineMs = request.deadlineMs;
    else this.#durableSeq = Math.max(this.#durableSeq, request.seq);
    this.#continue();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#journal.close();
  }

  #continue(): void {
    if (this.#isStepping) return;
    this.#isStepping = true;
    this.#step();
  }

  #step(): void {
    if (this.#isClosed) return;
    this.#engine ??= this.#begin();
    if (this.#found !== undefined) this.#report(this.#found);
    else if (this.#wanted?.seq === this.#place.seq) this.#audit(this.#engine, this.#wanted);
    if (this.#found === undefined) this.#makeDueSnapshot(this.#engine);
    this.#isStepping = this.#found === undefined && this.#place.seq < this.#durableSeq;
    if (this.#deadlineMs !== undefined && this.#isAtEnd(this.#deadlineMs)) {
      this.#finish(this.#engine, this.#deadlineMs);
    } else if (this.#isStepping) {
      this.#follow(this.#engine, Math.min(this.#durableSeq, this.#wanted?.seq ?? this.#durableSeq));
      setImmediate(() => this.#step());
    } else this.#setTimer();
  }

  /** Begins with the newest usable snapshot, or with an empty state. */
  #begin(): Engine {
    const unusable = new Set<string>();
    try {
      const restored = restoreNewestNow({
        folder: this.#data.snapshots,
        journal: this.#journal,
        lastSeq: this.#durableSeq,
        onUnusable: (path) => unusable.add(path),
      });
      const { seq, timeMs } = restored?.head ?? this.#place;
      this.#place = { seq, timeMs };
      this.#maker?.begin(restored?.facts, seq, unusable);
      this.#post({ kind: 'followed', seq });
      const engine = restored?.engine ?? new Engine();
      engine.countSteps(restored?.steps);
      return engine;
    } catch (error) {
      const empty = new Engine();
      this.#failed(empty, error);
      return empty;
    }
  }

  #follow(engine: Engine, lastSeq: number): void {
    try {
      const toSeq = this.#journal.stepEnd(this.#place.seq, lastSeq);
      const commands = replayStep(engine, this.#journal, this.#place.seq, toSeq);
      this.#maker?.consume(commands);
      this.#place = { seq: toSeq, timeMs: commands.at(-1)?.timeMs ?? this.#place.timeMs };
      this.#post({ kind: 'followed', seq: toSeq });
    } catch (error) {
      this.#failed(engine, error);
    }
  }

  /** A journal that is damaged or replays differently is a fault for audits to report. */
  #failed(engine: Engine, error: unknown): void {
    if (!(error instanceof InvariantError || error instanceof StoreError)) throw error;
    this.#find(auditReport(engine, this.#place, error.message));
  }

  #audit(engine: Engine, live: LivePoint): void {
    if (this.#data.auditGate !== undefined) waitAt(this.#data.auditGate);
    const report = auditEngine(engine, this.#place, live);
    if (report.ok) {
      this.#wanted = undefined;
      this.#post({ kind: 'audited', report });
    } else this.#find(report);
  }

  /** Whether nothing is left to replay, or no time to do it. */
  #isAtEnd(deadlineMs: number): boolean {
    return !this.#isStepping || processMs() > deadlineMs;
  }

  #finish(engine: Engine, deadlineMs: number): void {
    this.#deadlineMs = undefined;
    this.#isStepping = false;
    const isDone = this.#found !== undefined || this.#maker?.isAt(this.#durableSeq);
    const left = this.#durableSeq - this.#place.seq;
    if (isDone !== true && left === 0 && !engine.isUnfinished) {
      this.#makeSnapshot(engine, deadlineMs);
    } else if (isDone !== true) {
      const what = left === 0 ? 'a command is unfinished' : `${left} commands were left to replay`;
      this.#post({ kind: 'snapshot_failed', message: what });
    }
    this.#post({ kind: 'finished' });
  }

  #makeDueSnapshot(engine: Engine): void {
    // The next command goes on with what is unfinished. Steps are counted at the end of a batch.
    if (engine.isUnfinished || engine.isMidBatch) return;
    const { seq } = this.#place;
    const isWanted = this.#snapshotSeq !== undefined && this.#snapshotSeq <= seq;
    if (isWanted) this.#snapshotSeq = undefined;
    if (isWanted && this.#maker?.isAt(seq)) this.#post({ kind: 'snapshot_kept', seq });
    else if (isWanted || this.#isSnapshotDue()) {
      this.#makeSnapshot(engine, Number.POSITIVE_INFINITY);
    }
  }

  #isSnapshotDue(): boolean {
    return this.#maker !== undefined && this.#maker.dueInMs(this.#place.seq) <= 0;
  }

  #makeSnapshot(engine: Engine, deadlineMs: number): void {
    const commandChecksum = this.#journal.checksumAt(this.#place.seq);
    assert(commandChecksum !== undefined, 'what was replayed is in the journal');
    try {
      const made = this.#maker?.make(engine, this.#place, { commandChecksum, deadlineMs });
      if (made !== undefined) this.#post({ kind: 'snapshot', made });
    } catch (error) {
      if (error instanceof InvariantError) this.#failed(engine, error);
      else this.#post({ kind: 'snapshot_failed', message: messageOf(error) });
    }
  }

  /** Wakes the thread when a snapshot is due, even if no message comes. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    const dueInMs = this.#maker?.dueInMs(this.#place.seq) ?? Number.POSITIVE_INFINITY;
    if (dueInMs === Number.POSITIVE_INFINITY || this.#found !== undefined) return;
    this.#timer = setTimeout(() => this.#continue(), Math.max(dueInMs, 0));
  }

  #find(report: AuditReport): void {
    this.#found = report;
    this.#post({ kind: 'found', report });
    this.#report(report);
  }

  #report(report: AuditReport): void {
    if (this.#snapshotSeq !== undefined) {
      this.#snapshotSeq = undefined;
      this.#post({ kind: 'snapshot_failed', message: `the state is broken: ${report.fault}` });
    }
    if (this.#wanted === undefined) return;
    this.#post({ kind: 'audited', report });
    throw new InvariantError(report.fault);
  }
}

/** Signals that it has arrived, and waits until a test opens the gate. */
function waitAt(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.wait(gate, 0, 1);
}

runWorker(
  'follower',
  (data: FollowerThreadData, post: (message: FollowerMessage) => void) =>
    new FollowerWork(data, post),
);
