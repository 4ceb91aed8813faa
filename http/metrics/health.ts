/**
 * The readiness of the exchange, part by part, for `GET /readyz`.
 *
 * Invariant: it sends no message to any thread, so it answers at once even if a thread hangs. The
 * follower thread is not checked, because no trader waits for it.
 */
import { type Static, Type } from 'typebox';
import type { Exchange } from '../../persistence/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import type { VerifierPool } from '../orders/verifier-pool.ts';
import type { ExchangeClock } from '../runtime/clock.ts';
import { type ClusterRole, NODE_ROLES } from '../settings/cluster.ts';
import type { ShownNode } from './cluster-families.ts';

const Ok = Type.Boolean({ description: 'Whether the check passes' });

export const HealthReport = Type.Object({
  ready: Type.Boolean({ description: 'Whether every check passes' }),
  failed: Type.Array(Type.String(), { description: 'The names of the failed checks' }),
  clock: Type.Object(
    {
      pausesOrders: Type.Boolean({
        description: 'Whether orders are paused because of the clock: until the operator opens',
      }),
      trusted: Type.Boolean({ description: 'Whether the exchange follows the wall clock' }),
      jumpMs: Type.Integer({ description: 'By how much the clock jumped; 0 for no jump' }),
      journalLeadMs: Type.Integer({
        description:
          'How far the time of commands, which decides expirations, is ahead of the wall clock',
      }),
    },
    {
      description: 'Not a check: while the clock pauses orders, cancels still work',
    },
  ),
  node: Type.Optional(
    Type.Object(
      {
        name: Type.String({ description: 'The name of this node' }),
        role: Type.Enum([...NODE_ROLES], { description: 'What it was started as' }),
        leading: Type.Boolean({ description: 'Whether it is the core now' }),
        epoch: Type.Integer({ description: 'The newest epoch that it knows; 0 before the first' }),
        core: Type.Union([Type.String(), Type.Null()], {
          description: 'The name of the core that it follows, or its own; null for none',
        }),
        lagCommands: Type.Integer({
          description: 'Durable commands that it has heard of and not applied yet',
        }),
        silenceMs: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'How long ago it committed last, or heard that the core did; null if it never did',
        }),
      },
      { description: 'This node of a cluster; absent outside a cluster' },
    ),
  ),
  checks: Type.Object({
    recovered: Type.Object({ ok: Ok }, { description: 'The journal has been read to its end' }),
    accepting: Type.Object(
      {
        ok: Ok,
        waitingCommands: Type.Integer({ description: 'Commands that wait to become durable' }),
        waitingLimit: Type.Integer({
          description: 'The most commands that may wait; further ones are refused',
        }),
      },
      { description: 'Commands are accepted: the exchange is neither stopping nor overloaded' },
    ),
    journal: Type.Object(
      {
        ok: Ok,
        durableSeq: Type.Integer({ description: 'Sequence number of the last durable command' }),
      },
      {
        description:
          'The journal thread runs, its last commit succeeded, and no command has waited for one ' +
          `for ${HTTP_BOUNDS.readyCommitMs} ms, as far as earlier reports saw it`,
      },
    ),
    projector: Type.Object(
      {
        ok: Ok,
        lagCommands: Type.Integer({ description: 'Durable commands that reads do not show yet' }),
        lagMs: Type.Integer({ description: 'How long the oldest of these has been durable' }),
      },
      {
        description: `The projector is less than ${HTTP_BOUNDS.readyLagMs} ms behind the journal`,
      },
    ),
    reader: Type.Object(
      { ok: Ok },
      { description: 'The thread that reads orders and trades runs' },
    ),
    verifiers: Type.Object(
      { ok: Ok, up: Type.Integer(), threads: Type.Integer() },
      { description: 'At least one thread that verifies signatures runs, where there are any' },
    ),
    core: Type.Optional(
      Type.Object(
        { ok: Ok },
        {
          description:
            'This node of a cluster is the core and has just committed, or follows one that has',
        },
      ),
    ),
  }),
});

export type Report = Static<typeof HealthReport>;
type Checks = Report['checks'];

const UNWATCHED_CLOCK: Report['clock'] = {
  pausesOrders: false,
  trusted: true,
  jumpMs: 0,
  journalLeadMs: 0,
};

function reportOf(checks: Checks, clock: Report['clock'], node?: Report['node']): Report {
  const failed = Object.entries(checks).flatMap(([name, { ok }]) => (ok ? [] : [name]));
  return { ready: failed.length === 0, failed, clock, ...(node && { node }), checks };
}

/** The report while the exchange starts. */
export const NOT_RECOVERED: Report = reportOf(
  {
    recovered: { ok: false },
    accepting: { ok: false, waitingCommands: 0, waitingLimit: 0 },
    journal: { ok: false, durableSeq: 0 },
    projector: { ok: false, lagCommands: 0, lagMs: 0 },
    reader: { ok: false },
    verifiers: { ok: false, up: 0, threads: 0 },
  },
  UNWATCHED_CLOCK,
);

type WatchedNode = Pick<
  ShownNode,
  'node' | 'state' | 'epoch' | 'isCurrent' | 'core' | 'heardSeq' | 'silenceMs'
>;

export interface HealthParts {
  readonly exchange: Pick<Exchange, 'health' | 'appliedSeq' | 'durableSeq' | 'projectedSeq'>;
  readonly node?: WatchedNode | undefined;
  /** What a node of a cluster was started as; undefined outside a cluster. */
  readonly role?: ClusterRole | undefined;
  readonly verifiers: Pick<VerifierPool, 'size' | 'upCount'>;
  readonly clock: Pick<ExchangeClock, 'jumpMs' | 'journalLeadMs' | 'isTrusted' | 'pausesOrders'>;
}

export class Health {
  /** A monotonic clock in milliseconds. */
  readonly #clock: () => number;
  #parts: HealthParts | undefined;
  /** A durable command that is watched until reads show it, and since when. */
  #awaited = { seq: 0, sinceMs: 0 };
  /** Commands after this one waited for their commit at the last report, and since when. */
  #uncommitted = { after: -1, sinceMs: 0 };

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Starts to report on these parts. Before this call nothing is ready. */
  watch(parts: HealthParts): void {
    this.#parts = parts;
    this.#awaited = { seq: parts.exchange.durableSeq, sinceMs: this.#clock() };
  }

  /** Called after every journal commit. */
  noteDurable(): void {
    if (this.#parts === undefined) return;
    const { projectedSeq, durableSeq } = this.#parts.exchange;
    if (projectedSeq < this.#awaited.seq) return;
    this.#awaited = { seq: durableSeq, sinceMs: this.#clock() };
  }

  /** How long reads have missed a durable command, in milliseconds. */
  get lagMs(): number {
    const { seq, sinceMs } = this.#awaited;
    const projectedSeq = this.#parts?.exchange.projectedSeq ?? seq;
    return projectedSeq >= seq ? 0 : this.#clock() - sinceMs;
  }

  /** Durable commands that reads do not show yet. */
  get lagCommands(): number {
    const { durableSeq = 0, projectedSeq = 0 } = this.#parts?.exchange ?? {};
    return Math.max(durableSeq - projectedSeq, 0);
  }

  /** How long reports have seen the same commands wait for their commit. */
  #uncommittedMs({ appliedSeq, durableSeq }: HealthParts['exchange']): number {
    const nowMs = this.#clock();
    if (appliedSeq === durableSeq || this.#uncommitted.after !== durableSeq) {
      this.#uncommitted = { after: durableSeq, sinceMs: nowMs };
    }
    return nowMs - this.#uncommitted.sinceMs;
  }

  /** `isStopping`: the server accepts no more requests. */
  report(isStopping = false): Report {
    if (this.#parts === undefined) return NOT_RECOVERED;
    const { exchange, node, verifiers, clock } = this.#parts;
    const { isAccepting, waitingCount, waitingLimit, threads } = exchange.health();
    // A core has not all threads.
    const isUp = (name: string): boolean =>
      threads.every((thread) => thread.name !== name || thread.isUp);
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
      journal: {
        ok: isUp('journal') && this.#uncommittedMs(exchange) < HTTP_BOUNDS.readyCommitMs,
        durableSeq: exchange.durableSeq,
      },
      projector: {
        ok: isUp('projector') && lagMs < HTTP_BOUNDS.readyLagMs,
        lagCommands,
        lagMs,
      },
      reader: { ok: isUp('reader') },
      verifiers: {
        ok: verifiers.upCount > 0 || verifiers.size === 0,
        up: verifiers.upCount,
        threads: verifiers.size,
      },
      ...(node && { core: { ok: node.isCurrent } }),
    };
    const { pausesOrders, isTrusted: trusted, jumpMs, journalLeadMs } = clock;
    const shownClock = { pausesOrders, trusted, jumpMs, journalLeadMs };
    return reportOf(checks, shownClock, nodeReport(this.#parts));
  }
}

function nodeReport({ exchange, node, role }: HealthParts): Report['node'] {
  if (node === undefined || role === undefined) return undefined;
  const { epoch, core, silenceMs, heardSeq } = node;
  return {
    name: node.node,
    role,
    leading: node.state === 'leading',
    epoch,
    core: core?.node ?? null,
    lagCommands: Math.max(heardSeq - exchange.appliedSeq, 0),
    silenceMs: Number.isFinite(silenceMs) ? Math.round(silenceMs) : null,
  };
}
