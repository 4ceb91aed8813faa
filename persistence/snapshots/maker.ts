/**
 * Decides when the follower makes a snapshot, and makes it. Invariant: a state that breaks an
 * invariant is never written; a failed snapshot is tried again later; a reported snapshot is on the
 * disk. Bound: one at a time, until its deadline.
 */
import { strict as assert } from 'node:assert';
import { type Engine, SNAPSHOT_FORMAT, type SnapshotPart } from '../../engine/index.ts';
import type { Funding } from '../journal/schema.ts';
import {
  type DurableCommand,
  type Facts,
  ShownFacts,
  type SnapshotMade,
  STORE_BOUNDS,
  STORE_PACE,
} from '../shared/index.ts';
import type { AuditPlace } from './audit.ts';
import { writeFacts, writeSteps } from './facts.ts';
import { SNAPSHOT_VERSION } from './file.ts';
import { pruneSnapshots, removeLeftovers, storeSnapshot } from './folder.ts';

/** A snapshot is due when either limit is reached. */
export interface SnapshotPace {
  /** Milliseconds since the last one. If it is 0, only a stop makes one. */
  readonly everyMs: number;
  /** Commands since the last one, by default STORE_BOUNDS.snapshotCommands. */
  readonly everyCommands?: number;
}

export interface SnapshotMakerOptions {
  readonly folder: string;
  readonly funding: Funding;
  readonly pace: SnapshotPace;
  /** Test seam: see `ExchangeOptions.snapshotGate`. */
  readonly gate?: Int32Array;
}

/** Milliseconds of a monotonic clock that all threads of the process share. */
export function processMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

export class SnapshotMaker {
  readonly #options: SnapshotMakerOptions;
  #facts = new ShownFacts();
  /** The seq of the last snapshot, made or restored. */
  #lastSeq = 0;
  /** When the last attempt began; before the first one, when this maker was created. */
  #lastMs = processMs();
  /** After a failure, the time before which the next one is not due; else 0. */
  #notBeforeMs = 0;
  #unusable: ReadonlySet<string> = new Set();

  constructor(options: SnapshotMakerOptions) {
    this.#options = options;
    removeLeftovers(options.folder);
  }

  /** Continues from a snapshot. `unusable`: the files that were found damaged. */
  begin(facts: Facts | undefined, seq: number, unusable: ReadonlySet<string>): void {
    this.#facts = new ShownFacts(facts);
    this.#lastSeq = seq;
    this.#unusable = unusable;
  }

  consume(commands: readonly DurableCommand[]): void {
    this.#facts.consume(commands);
  }

  /** Milliseconds until a snapshot is due at `seq`; Infinity if only commands can make it due. */
  dueInMs(seq: number): number {
    const { everyMs, everyCommands = STORE_BOUNDS.snapshotCommands } = this.#options.pace;
    const changes = seq - this.#lastSeq;
    if (changes === 0 || everyMs === 0) return Number.POSITIVE_INFINITY;
    const dueMs = changes >= everyCommands ? 0 : this.#lastMs + everyMs;
    return Math.max(dueMs, this.#notBeforeMs) - processMs();
  }

  /** Whether the last one is of `seq`. */
  isAt(seq: number): boolean {
    return this.#lastSeq === seq;
  }

  /**
   * Makes a snapshot of an engine at its place, the end of a batch. Throws InvariantError for a
   * broken state, or an error of the disk; the next one is then due only after
   * STORE_PACE.snapshotRetryMs.
   */
  make(engine: Engine, place: AuditPlace, details: MakingDetails): SnapshotMade {
    const { folder, funding } = this.#options;
    const startedMs = processMs();
    this.#lastMs = startedMs;
    this.#notBeforeMs = startedMs + STORE_PACE.snapshotRetryMs;
    engine.validate();
    const head = {
      snapshotVersion: SNAPSHOT_VERSION,
      imageVersion: SNAPSHOT_FORMAT,
      ...place,
      commandChecksum: details.commandChecksum,
      digest: engine.digest,
      funding,
    };
    const bytes = storeSnapshot(folder, head, this.#parts(engine, details.deadlineMs));
    this.#lastSeq = place.seq;
    this.#notBeforeMs = 0;
    pruneSnapshots(folder, this.#unusable);
    const tookMs = processMs() - startedMs;
    return { seq: place.seq, bytes, madeMs: Date.now(), tookMs };
  }

  *#parts(engine: Engine, deadlineMs: number): Generator<SnapshotPart> {
    assert(!engine.isMidBatch, 'steps are counted at the end of a batch');
    const steps = engine.steps === undefined ? [] : writeSteps(engine.steps);
    for (const parts of [engine.snapshot(), writeFacts(this.#facts), steps]) {
      for (const part of parts) {
        if (this.#options.gate !== undefined) passGate(this.#options.gate);
        if (processMs() > deadlineMs) throw new Error('there was not enough time for a snapshot');
        yield part;
      }
    }
  }
}

export interface MakingDetails {
  /** The checksum of the last command that the engine applied. */
  readonly commandChecksum: number;
  /** When to give up, by `processMs`; Infinity for never. */
  readonly deadlineMs: number;
}

/** What a test's gate does to each part of a snapshot. */
export const GATE = { open: 0, closed: 1, full: 2, deadly: 3 } as const;

function passGate(gate: Int32Array): void {
  if (Atomics.load(gate, 0) === GATE.closed) {
    Atomics.store(gate, 1, 1);
    Atomics.wait(gate, 0, GATE.closed);
  }
  const state = Atomics.load(gate, 0);
  if (state === GATE.full) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  if (state === GATE.deadly) process.exit(1);
}
