/**
 * Compares each snapshot with the replayed state at its seq: equal states make equal parts, byte by
 * byte. Invariant: the replay stops at the seq of each snapshot. If a running exchange removes a
 * snapshot before it is read, that is no finding. Bound: two parts in memory, and the shown facts.
 */

import type { Engine, SnapshotPart } from '../../engine/index.ts';
import { SNAPSHOT_FORMAT } from '../../engine/model/index.ts';
import { type DurableCommand, isMissingFile, ShownFacts, StoreError } from '../shared/index.ts';
import { writeFacts, writeSteps } from '../snapshots/facts.ts';
import { type OpenSnapshot, openSnapshot, type SnapshotHead } from '../snapshots/file.ts';
import { listSnapshots, type SnapshotPlace } from '../snapshots/folder.ts';
import type { Findings } from './findings.ts';

export interface ReplayedState {
  readonly engine: Engine;
  readonly seq: number;
  readonly timeMs: number;
  /** The checksum of the last command. */
  readonly checksum: number;
  /** The funding that the journal records. */
  readonly funding: string | undefined;
}

export class SnapshotCheck {
  readonly #findings: Findings;
  /** The snapshots to compare, the oldest first. */
  readonly #places: SnapshotPlace[];
  readonly #facts = new ShownFacts();
  compared = 0;

  constructor(folder: string, findings: Findings) {
    this.#findings = findings;
    this.#places = listSnapshots(folder).reverse();
    if (this.#places.length === 0)
      findings.note('there is no snapshot: a start replays the whole journal');
  }

  /** The seq of the next snapshot, at which the replay stops. */
  get nextSeq(): number {
    return this.#places[0]?.seq ?? Number.POSITIVE_INFINITY;
  }

  take(applied: DurableCommand): void {
    this.#facts.consume([applied]);
  }

  /** Compares the snapshot of this seq, if there is one. */
  compareAt(replayed: ReplayedState): void {
    while (this.nextSeq === replayed.seq) {
      const place = this.#places.shift();
      if (place !== undefined) this.#compare(place, replayed);
    }
  }

  /** Reports the snapshots that remain after the replay: the journal lacks their commands. */
  finish(lastSeq: number): void {
    for (const { seq, path } of this.#places) {
      const what = `${path} shows that seq ${seq} was durable, and the journal ends at ${lastSeq}`;
      this.#findings.add('snapshots', path, `${what}: acknowledged commands are missing`);
    }
  }

  #compare({ path }: SnapshotPlace, replayed: ReplayedState): void {
    this.#findings.attempt('snapshots', path, () => {
      const snapshot = this.#open(path);
      if (snapshot === undefined) return;
      try {
        this.#compareOpen(path, snapshot, replayed);
        this.compared += 1;
      } finally {
        snapshot.close();
      }
    });
  }

  /** undefined for a snapshot that was removed or has an unknown version. */
  #open(path: string): OpenSnapshot | undefined {
    try {
      return openSnapshot(path);
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      if (!(error instanceof StoreError && error.code === 'snapshot_newer')) throw error;
      this.#findings.note(error.message);
      return undefined;
    }
  }

  #compareOpen(path: string, snapshot: OpenSnapshot, replayed: ReplayedState): void {
    const { head } = snapshot;
    if (head.imageVersion !== SNAPSHOT_FORMAT) {
      const versions = `version ${head.imageVersion}, and this program makes ${SNAPSHOT_FORMAT}`;
      this.#findings.note(`${path} has a state of ${versions}: it was not compared`);
      return;
    }
    const what =
      headDifference(head, replayed) ?? partsDifference(snapshot.parts(), this.#parts(replayed));
    if (what !== undefined) this.#findings.add('snapshots', path, `${path} ${what}`);
  }

  *#parts({ engine }: ReplayedState): Generator<SnapshotPart> {
    yield* engine.snapshot();
    yield* writeFacts(this.#facts);
    if (engine.steps !== undefined) yield* writeSteps(engine.steps);
  }
}

function headDifference(head: SnapshotHead, replayed: ReplayedState): string | undefined {
  const fields = [
    ['seq', head.seq, replayed.seq],
    ['time', head.timeMs, replayed.timeMs],
    ['command checksum', head.commandChecksum, replayed.checksum],
    ['funding', head.funding, replayed.funding],
  ] as const;
  const wrong = fields.find(([, is, should]) => is !== should);
  if (wrong === undefined) return undefined;
  const [name, is, should] = wrong;
  return `says that its ${name} is ${is}, and the journal has ${should}`;
}

/** Reads the snapshot to its end in any case, because its end is checked last. */
function partsDifference(
  parts: Iterable<SnapshotPart>,
  expected: Iterator<SnapshotPart>,
): string | undefined {
  let difference: string | undefined;
  let count = 0;
  for (const part of parts) {
    count += 1;
    if (difference !== undefined) continue;
    const should = expected.next();
    const what = should.done === true ? 'should not be there' : partDifference(part, should.value);
    if (what !== undefined)
      difference = `differs from the replayed state: part ${count} (${part.name}) ${what}`;
  }
  if (difference !== undefined) return difference;
  const left = expected.next();
  if (left.done === true) return undefined;
  return `lacks the part ${left.value.name} of the replayed state after part ${count}`;
}

function partDifference(is: SnapshotPart, should: SnapshotPart): string | undefined {
  if (is.name !== should.name) return `should be ${should.name}`;
  const place = firstDifferentByte(is.bytes, should.bytes);
  return place === undefined ? undefined : `differs from byte ${place} on`;
}

function firstDifferentByte(a: Uint8Array, b: Uint8Array): number | undefined {
  if (Buffer.compare(a, b) === 0) return undefined;
  const length = Math.min(a.length, b.length);
  const place = a.subarray(0, length).findIndex((byte, index) => byte !== b[index]);
  return place === -1 ? length : place;
}
