/**
 * Counts and times commands on their way through intake, engine and journal.
 *
 * Invariant: every number only grows, from 0 at the start of the process. Bound: one count a kind
 * of command and outcome, both from the engine's tables.
 */
import type { StoreObserver } from '../../persistence/index.ts';
import { Counts, Histogram, STAGE_RANGE } from '../codec/index.ts';
import type { IntakeObserver } from '../orders/index.ts';

const MICROS_PER_MS = 1_000;
/** 1 to 4,096 commands. */
const BATCH_RANGE = { fromBits: 0, toBits: 12 };

/** As many commits as say how slow the disk is. */
const RECENT_COMMITS = 16;

/** All durations are in microseconds. */
export class CommandMetrics implements StoreObserver, IntakeObserver {
  /** An order's signature: the wait for a verifier thread, and its work. */
  readonly verify = new Histogram(STAGE_RANGE);
  /** A verified write waits for earlier ones of its owner. */
  readonly line = new Histogram(STAGE_RANGE);
  /** A command in the engine. */
  readonly apply = new Histogram(STAGE_RANGE);
  /** From there to its answer, which waits for the disk. */
  readonly durable = new Histogram(STAGE_RANGE);
  /** A batch, from the moment when the journal's thread is told of it until it says it is done. */
  readonly commit = new Histogram(STAGE_RANGE);
  readonly batchCommands = new Histogram(BATCH_RANGE);
  /** Of the last ones, in ms; 0 where none was yet. */
  readonly #recentCommitsMs = new Float64Array(RECENT_COMMITS);
  #commits = 0;
  #leastCommitMs = 0;
  /** By kind and outcome. */
  readonly outcomes = new Counts();

  verified(durationMs: number): void {
    this.verify.observe(durationMs * MICROS_PER_MS);
  }

  waited(durationMs: number): void {
    this.line.observe(durationMs * MICROS_PER_MS);
  }

  applied(kind: string, outcome: string, durationMs: number): void {
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

  /** What a commit has lately taken at least, so not for its size; 0 until that is known. */
  get leastCommitMs(): number {
    return this.#leastCommitMs;
  }

  answered(queuedMs: number): void {
    this.durable.observe(queuedMs * MICROS_PER_MS);
  }
}
