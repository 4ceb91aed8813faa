/**
 * The follower's thread: replays the durable journal in an engine of its own, fills compared, and
 * audits it when asked to; the matching thread neither copies anything nor waits. It begins with
 * the journal's first command (with a snapshot it will begin after that one's seq) and then follows
 * the journal by itself. Invariant: an audit is of exactly the seq that was asked for, so that what
 * the live engine had counted by then can be compared. Bound: one step of the journal at a time;
 * between two steps it hears its messages.
 *
 * A state in which a fault was found is never used again: the thread says so at once, follows no
 * further, and dies when it has told an audit of it; the next thread replays the journal anew.
 */
import './node-version.ts';
import { strict as assert } from 'node:assert';
import { Engine, InvariantError } from '../engine/index.ts';
import { type AuditPlace, auditEngine, auditReport, type LivePoint } from './audit.ts';
import { JournalReader } from './journal-reader.ts';
import type { AuditReport } from './records.ts';
import { replayStep } from './recovery.ts';
import { StoreError } from './store-error.ts';
import { runThread, type ThreadWork } from './thread-entry.ts';

export interface FollowerThreadData {
  readonly journalPath: string;
  /** Test seam: see `ExchangeOptions.auditGate`. */
  readonly auditGate?: Int32Array;
}

export type FollowerOrder =
  /** A seq that is durable now. */
  | { readonly kind: 'durable'; readonly seq: number }
  /** One at a time: the next comes after the report. */
  | { readonly kind: 'audit'; readonly live: LivePoint };

export type FollowerMessage =
  | { readonly kind: 'followed'; readonly seq: number }
  /** Something does not hold, whether or not an audit was asked for. */
  | { readonly kind: 'found'; readonly report: AuditReport }
  | { readonly kind: 'audited'; readonly report: AuditReport };

class FollowerWork implements ThreadWork<undefined, FollowerOrder> {
  readonly opened = undefined;
  readonly #journal: JournalReader;
  readonly #gate: Int32Array | undefined;
  readonly #engine = new Engine();
  readonly #post: (message: FollowerMessage) => void;
  /** The last command that the engine has replayed. */
  #place: AuditPlace = { seq: 0, timeMs: 0 };
  #durableSeq = 0;
  /** The audit that was asked for and is not made yet. */
  #wanted: LivePoint | undefined;
  /** Of the fault that was found. */
  #found: AuditReport | undefined;
  #isStepping = false;
  #isClosed = false;

  constructor(data: FollowerThreadData, post: (message: FollowerMessage) => void) {
    this.#post = post;
    this.#gate = data.auditGate;
    this.#journal = new JournalReader(data.journalPath);
  }

  receive(order: FollowerOrder): void {
    if (order.kind === 'audit') {
      assert(order.live.seq >= this.#place.seq, 'the live engine is ahead of what is durable');
      this.#wanted = order.live;
    } else this.#durableSeq = Math.max(this.#durableSeq, order.seq);
    if (this.#isStepping) return;
    this.#isStepping = true;
    this.#step();
  }

  close(): void {
    this.#isClosed = true;
    this.#journal.close();
  }

  #step(): void {
    if (this.#isClosed) return;
    if (this.#found !== undefined) this.#tell(this.#found);
    else if (this.#wanted?.seq === this.#place.seq) this.#audit(this.#wanted);
    this.#isStepping = this.#found === undefined && this.#place.seq < this.#durableSeq;
    if (!this.#isStepping) return;
    this.#follow(Math.min(this.#durableSeq, this.#wanted?.seq ?? this.#durableSeq));
    setImmediate(() => this.#step());
  }

  #follow(lastSeq: number): void {
    try {
      const toSeq = this.#journal.stepEnd(this.#place.seq, lastSeq);
      const commands = replayStep(this.#engine, this.#journal, this.#place.seq, toSeq);
      this.#place = { seq: toSeq, timeMs: commands.at(-1)?.timeMs ?? this.#place.timeMs };
      this.#post({ kind: 'followed', seq: toSeq });
    } catch (error) {
      // A journal that is damaged or replays as something else is what audits are made to find.
      if (!(error instanceof InvariantError || error instanceof StoreError)) throw error;
      this.#find(auditReport(this.#engine, this.#place, error.message));
    }
  }

  #audit(live: LivePoint): void {
    if (this.#gate !== undefined) waitAt(this.#gate);
    const report = auditEngine(this.#engine, this.#place, live);
    if (report.ok) {
      this.#wanted = undefined;
      this.#post({ kind: 'audited', report });
    } else this.#find(report);
  }

  #find(report: AuditReport): void {
    this.#found = report;
    this.#post({ kind: 'found', report });
    this.#tell(report);
  }

  #tell(report: AuditReport): void {
    if (this.#wanted === undefined) return;
    this.#post({ kind: 'audited', report });
    throw new InvariantError(report.fault);
  }
}

/** Says that it is there, and waits to be let through. */
function waitAt(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.wait(gate, 0, 1);
}

runThread(
  (data: FollowerThreadData, post: (message: FollowerMessage) => void) =>
    new FollowerWork(data, post),
);
