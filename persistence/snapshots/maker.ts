/**
 * Makes the follower's snapshots: when one is due, and of what. Invariant: a state that does not
 * hold what it must is never written; what could not be written is tried again later, and whoever
 * is told of a snapshot finds it on the disk. Bound: one at a time; a stop waits for its deadline.
 */
import { type Engine, SNAPSHOT_FORMAT, type SnapshotPart } from '../../engine/index.ts';
import type { Funding } from '../journal/index.ts';
import type { DurableCommand, SnapshotMade } from '../shared/index.ts';
import { type Facts, ShownFacts, STORE_BOUNDS, STORE_PACE } from '../shared/index.ts';
import type { AuditPlace } from './audit.ts';
import { writeFacts } from './facts.ts';
import { SNAPSHOT_VERSION } from './file.ts';
import { pruneSnapshots, removeLeftovers, writeSnapshot } from './folder.ts';

/** Whichever comes first. */
export interface SnapshotPace {
  /** The longest a change waits for a snapshot to show it; 0: only a stop makes one. */
  readonly everyMs: number;
  /** Commands since the last one; STORE_BOUNDS.snapshotCommands when it is left out. */
  readonly everyCommands?: number;
}

export interface SnapshotMakerOptions {
  readonly folder: string;
  readonly funding: Funding;
  readonly pace: SnapshotPace;
  /** Test seam: see `ExchangeOptions.snapshotGate`. */
  readonly gate?: Int32Array;
}

/** A moment of this process's own clock, which all its threads share, in milliseconds. */
export function processMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

export class SnapshotMaker {
  readonly #options: SnapshotMakerOptions;
  #facts = new ShownFacts();
  /** Of the last snapshot, made or begun from. */
  #lastSeq = 0;
  /** When the last one was begun, or this one. */
  #lastMs = processMs();
  /** No earlier, because one failed. */
  #notBeforeMs = 0;
  #unusable: ReadonlySet<string> = new Set();

  constructor(options: SnapshotMakerOptions) {
    this.#options = options;
    removeLeftovers(options.folder);
  }

  /** What it follows on from, and the files that were found to be of no use. */
  begin(facts: Facts | undefined, seq: number, unusable: ReadonlySet<string>): void {
    this.#facts = new ShownFacts(facts);
    this.#lastSeq = seq;
    this.#unusable = unusable;
  }

  consume(commands: readonly DurableCommand[]): void {
    this.#facts.consume(commands);
  }

  /** In how many milliseconds one is due at `seq`; Infinity if that depends on commands alone. */
  dueInMs(seq: number): number {
    const { everyMs, everyCommands = STORE_BOUNDS.snapshotCommands } = this.#options.pace;
    const changes = seq - this.#lastSeq;
    if (changes === 0 || everyMs === 0) return Number.POSITIVE_INFINITY;
    const dueMs = changes >= everyCommands ? 0 : this.#lastMs + everyMs;
    return Math.max(dueMs, this.#notBeforeMs) - processMs();
  }

  /** Whether the last one shows all there is. */
  isAt(seq: number): boolean {
    return this.#lastSeq === seq;
  }

  /**
   * Makes one of an engine at its place. `commandChecksum` is that of the place's command. Throws
   * InvariantError for a state that is broken, and what the disk says; it is then not tried again
   * before a while.
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
      funding,
    };
    const bytes = writeSnapshot(folder, head, this.#parts(engine, details.deadlineMs));
    this.#lastSeq = place.seq;
    this.#notBeforeMs = 0;
    pruneSnapshots(folder, this.#unusable);
    const tookMs = processMs() - startedMs;
    return { seq: place.seq, bytes, madeMs: Date.now(), tookMs };
  }

  *#parts(engine: Engine, deadlineMs: number): Generator<SnapshotPart> {
    for (const parts of [engine.snapshot(), writeFacts(this.#facts)]) {
      for (const part of parts) {
        if (this.#options.gate !== undefined) passGate(this.#options.gate);
        if (processMs() > deadlineMs) throw new Error('there was not enough time for a snapshot');
        yield part;
      }
    }
  }
}

export interface MakingDetails {
  readonly commandChecksum: number;
  /** By `processMs`, when it is given up; Infinity for never. */
  readonly deadlineMs: number;
}

/** What a test lets a gate do to each part of a snapshot. */
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
