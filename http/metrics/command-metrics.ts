/**
 * Counts and times commands in the verifiers, the engine and the journal. Durations are in
 * microseconds.
 *
 * Invariant: every number starts at 0 with the process and only grows.
 * Bound: one count for each kind of command and outcome, both from the engine's tables.
 */

import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Command } from '../../engine/index.ts';
import type { StoreObserver } from '../../persistence/index.ts';
import { Counts, Histogram, STAGE_RANGE } from '../codec/index.ts';
import type { IntakeObserver } from '../orders/owner-queue.ts';
import { RequestMetrics } from './request-metrics.ts';

/** The text of `GET /metrics`, in the text format of Prometheus. */
let processRegistry: Registry | undefined;

/** Metrics of the process. A process has one registry of them, even if it runs two exchanges. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export class Exposition {
  readonly #registry = new Registry();
  readonly #process = processMetrics();

  constructor(metrics: readonly Metric[]) {
    for (const metric of metrics) this.#registry.registerMetric(metric);
  }

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${await this.#process.metrics()}`;
  }
}

const MICROS_PER_MS = 1_000;
/** 1 to 4,096 commands. */
const BATCH_RANGE = { fromBits: 0, toBits: 12 };

/** The number of commits of which `leastCommitMs` is the fastest. */
const RECENT_COMMITS = 16;

class CommandMetrics implements StoreObserver, IntakeObserver {
  /** Verification of an order's signature, with the wait for a verifier thread. */
  readonly verify = new Histogram(STAGE_RANGE);
  /** The wait of a verified write for earlier writes of its owner. */
  readonly line = new Histogram(STAGE_RANGE);
  readonly apply = new Histogram(STAGE_RANGE);
  /** From the engine to the answer, which waits until the command is durable. */
  readonly durable = new Histogram(STAGE_RANGE);
  /** A journal commit, from the message to the journal's thread to its answer. */
  readonly commit = new Histogram(STAGE_RANGE);
  readonly batchCommands = new Histogram(BATCH_RANGE);
  /** Durations of the last commits in ms; 0 for those that have not happened yet. */
  readonly #recentCommitsMs = new Float64Array(RECENT_COMMITS);
  #commits = 0;
  #leastCommitMs = 0;
  readonly outcomes = new Counts();

  verified(durationMs: number): void {
    this.verify.observe(durationMs * MICROS_PER_MS);
  }

  waited(durationMs: number): void {
    this.line.observe(durationMs * MICROS_PER_MS);
  }

  applied({ kind }: Pick<Command, 'kind'>, outcome: string, durationMs: number): void {
    this.outcomes.add(kind, outcome);
    this.apply.observe(durationMs * MICROS_PER_MS);
  }

  committed(commands: number, durationMs: number): void {
    this.batchCommands.observe(commands);
    this.commit.observe(durationMs * MICROS_PER_MS);
    this.#recentCommitsMs[this.#commits % RECENT_COMMITS] = durationMs;
    this.#commits += 1;
    this.#leastCommitMs = Math.min(...this.#recentCommitsMs);
  }

  /**
   * The duration of the fastest of the last commits, in ms: a measure of the disk that hardly
   * depends on batch sizes. 0 until there have been `RECENT_COMMITS`.
   */
  get leastCommitMs(): number {
    return this.#leastCommitMs;
  }

  answered(queuedMs: number): void {
    this.durable.observe(queuedMs * MICROS_PER_MS);
  }
}

/** Everything that is counted and timed while the exchange runs; families.ts shows it. */
export class Metrics {
  readonly requests = new RequestMetrics();
  readonly commands = new CommandMetrics();
  /** Audits, by result: `ok` or `broken`. */
  readonly audits = new Counts();
  /** Broken invariants, found by an audit or after a command. */
  violations = 0;
  failedSnapshots = 0;
  /** Threads that went down, other than the journal's. */
  failedThreads = 0;
  failedCatalogWrites = 0;
}
