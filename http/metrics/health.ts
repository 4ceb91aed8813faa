/**
 * Whether the exchange can do all that it is there for, part by part: what `GET /readyz` says.
 *
 * Invariant: it only looks; nothing is asked of a thread, so that it answers at once whatever is
 * stuck. The follower is not looked at: nobody who trades waits for it, and the one operator who
 * does is told.
 */
import { type Static, Type } from 'typebox';
import type { Exchange } from '../../persistence/index.ts';
import type { ExchangeClock } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/index.ts';
import type { VerifierPool } from '../orders/index.ts';

const Ok = Type.Boolean({ description: 'Whether it is as it should be' });

export const HealthReport = Type.Object({
  ready: Type.Boolean({ description: 'Every check is ok' }),
  failed: Type.Array(Type.String(), { description: 'The names of the checks that are not' }),
  clock: Type.Object(
    {
      trusted: Type.Boolean({ description: 'Whether time goes by the wall clock' }),
      jumpMs: Type.Integer({ description: 'By how much it jumped; 0 while it did not' }),
      journalLeadMs: Type.Integer({
        description: 'How far the time of commands, by which orders expire, is ahead of it',
      }),
    },
    { description: 'No check: an exchange whose clock is wrong is paused, and cancels work' },
  ),
  checks: Type.Object({
    recovered: Type.Object({ ok: Ok }, { description: 'The journal was read to its end' }),
    accepting: Type.Object(
      {
        ok: Ok,
        waitingCommands: Type.Integer({ description: 'Commands that wait for the disk' }),
        waitingLimit: Type.Integer({ description: 'As many as that, and more are refused' }),
      },
      { description: 'Commands are taken: it does not stop, and is not overloaded' },
    ),
    journal: Type.Object(
      { ok: Ok, durableSeq: Type.Integer({ description: 'The last change on the disk' }) },
      { description: 'Its thread lives and its last commit did not fail' },
    ),
    projector: Type.Object(
      {
        ok: Ok,
        lagCommands: Type.Integer({ description: 'Durable changes that reads do not show yet' }),
        lagMs: Type.Integer({ description: 'For how long the oldest of them is durable' }),
      },
      {
        description: `It is up, and reads are less than ${HTTP_BOUNDS.readyLagMs} ms behind`,
      },
    ),
    reader: Type.Object({ ok: Ok }, { description: 'Reads of orders and trades are answered' }),
    verifiers: Type.Object(
      { ok: Ok, up: Type.Integer(), threads: Type.Integer() },
      { description: 'At least one thread that checks signatures is up' },
    ),
  }),
});

export type Report = Static<typeof HealthReport>;
type Checks = Report['checks'];

const UNWATCHED_CLOCK: Report['clock'] = { trusted: true, jumpMs: 0, journalLeadMs: 0 };

function reportOf(checks: Checks, clock: Report['clock'] = UNWATCHED_CLOCK): Report {
  const failed = Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]));
  return { ready: failed.length === 0, failed, clock, checks };
}

/** What is said before there is anything to look at. */
export const NOT_RECOVERED: Report = reportOf({
  recovered: { ok: false },
  accepting: { ok: false, waitingCommands: 0, waitingLimit: 0 },
  journal: { ok: false, durableSeq: 0 },
  projector: { ok: false, lagCommands: 0, lagMs: 0 },
  reader: { ok: false },
  verifiers: { ok: false, up: 0, threads: 0 },
});

/** What is looked at. */
export interface HealthParts {
  readonly exchange: Pick<Exchange, 'health' | 'durableSeq' | 'projectedSeq'>;
  readonly verifiers: Pick<VerifierPool, 'size' | 'upCount'>;
  readonly clock: Pick<ExchangeClock, 'jumpMs' | 'journalLeadMs' | 'isTrusted'>;
}

export class Health {
  /** A monotonic clock in milliseconds. */
  readonly #clock: () => number;
  #parts: HealthParts | undefined;
  /** A durable change that reads did not show when it was last looked for, and since when. */
  #awaited = { seq: 0, sinceMs: 0 };

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** What there is to look at from now on; before, nothing is ready. */
  watch(parts: HealthParts): void {
    this.#parts = parts;
    this.#awaited = { seq: parts.exchange.durableSeq, sinceMs: this.#clock() };
  }

  /** Told of every durable batch. */
  noteDurable(): void {
    if (this.#parts === undefined) return;
    const { projectedSeq, durableSeq } = this.#parts.exchange;
    if (projectedSeq < this.#awaited.seq) return;
    this.#awaited = { seq: durableSeq, sinceMs: this.#clock() };
  }

  /** For how long reads miss a change that is durable, in milliseconds. */
  get lagMs(): number {
    const { seq, sinceMs } = this.#awaited;
    const projectedSeq = this.#parts?.exchange.projectedSeq ?? seq;
    return projectedSeq >= seq ? 0 : this.#clock() - sinceMs;
  }

  /** Durable changes that reads do not show yet. */
  get lagCommands(): number {
    const { durableSeq = 0, projectedSeq = 0 } = this.#parts?.exchange ?? {};
    return Math.max(durableSeq - projectedSeq, 0);
  }

  /** `isStopping`: requests are not taken any more. */
  report(isStopping = false): Report {
    if (this.#parts === undefined) return NOT_RECOVERED;
    const { exchange, verifiers, clock } = this.#parts;
    const { isAccepting, waitingCount, waitingLimit, threads } = exchange.health();
    const isUp = (name: string): boolean =>
      threads.some((thread) => thread.name === name && thread.isUp);
    const { lagCommands } = this;
    const lagMs = Math.round(this.lagMs);
    const hasRoom = waitingCount < waitingLimit;
    const checks: Checks = {
      recovered: { ok: true },
      accepting: {
        ok: isAccepting && hasRoom && !isStopping,
        waitingCommands: waitingCount,
        waitingLimit,
      },
      journal: { ok: isUp('journal'), durableSeq: exchange.durableSeq },
      projector: {
        ok: isUp('projector') && lagMs < HTTP_BOUNDS.readyLagMs,
        lagCommands,
        lagMs,
      },
      reader: { ok: isUp('reader') },
      verifiers: { ok: verifiers.upCount > 0, up: verifiers.upCount, threads: verifiers.size },
    };
    const { isTrusted: trusted, jumpMs, journalLeadMs } = clock;
    return reportOf(checks, { trusted, jumpMs, journalLeadMs });
  }
}
