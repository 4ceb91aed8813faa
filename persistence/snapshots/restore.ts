/**
 * Restores an engine from the newest snapshot that is whole, of this journal and of a known
 * version. Invariant: nothing of a snapshot is used before all of it was checked. An unusable
 * snapshot costs only time. But if the journal lacks a snapshot's last command, or has another one
 * there, the journal was replaced or lost its end, and the start is refused. Bound: one part in
 * memory beside the engine.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CountedSteps,
  type Engine,
  SNAPSHOT_FORMAT,
  SnapshotError,
  SnapshotLoader,
} from '../../engine/index.ts';
import type { Facts } from '../shared/index.ts';
import { isMissingFile, StoreError } from '../shared/index.ts';
import { FactsReader, isFacts } from './facts.ts';
import { checkVersion, openSnapshot, type SnapshotHead } from './file.ts';
import { listSnapshots, type SnapshotPlace } from './folder.ts';

export interface SnapshotRestoreOptions {
  /** The snapshots of the data folder. */
  readonly folder: string;
  readonly journal: JournalChecksums;
  readonly lastSeq: number;
  /** The newest seq that may be used, by default `lastSeq`. */
  readonly mostSeq?: number;
  readonly engineArguments?: ConstructorParameters<typeof SnapshotLoader>;
  /** Called for each skipped snapshot; `error` says why and what to do. */
  readonly onUnusable?: (path: string, error: Error) => void;
}

export interface JournalChecksums {
  /** undefined if there is no such command. */
  checksumAt(seq: number): number | undefined;
  /** null if it is unknown. */
  digestAt(seq: number): number | null;
}

export interface Restored {
  readonly engine: Engine;
  readonly facts: Facts;
  readonly steps: CountedSteps;
  readonly head: SnapshotHead;
  readonly path: string;
}

/**
 * Returns undefined if no snapshot can be used: then replay the whole journal. Other tasks may run
 * between two parts. Throws StoreError `journal_behind` or `journal_replaced`.
 */
export async function restoreNewest(
  options: SnapshotRestoreOptions,
): Promise<Restored | undefined> {
  const steps = restoring(options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** Like `restoreNewest`, but without pauses, for worker threads. */
export function restoreNewestNow(options: SnapshotRestoreOptions): Restored | undefined {
  const steps = restoring(options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
  }
}

function* restoring(options: SnapshotRestoreOptions): Generator<void, Restored | undefined> {
  const places = listSnapshots(options.folder);
  for (const place of places) refuseAhead(place, options.lastSeq);
  const { mostSeq = options.lastSeq } = options;
  for (const place of places) {
    if (place.seq > mostSeq) continue;
    const restored = yield* loading(place, options);
    if (restored !== undefined) return restored;
  }
  return undefined;
}

/** Returns undefined for an unusable snapshot. */
function* loading(
  place: SnapshotPlace,
  options: SnapshotRestoreOptions,
): Generator<void, Restored | undefined> {
  try {
    const snapshot = openSnapshot(place.path);
    try {
      checkHead(place, snapshot.head, options.journal);
      const loader = new SnapshotLoader(...(options.engineArguments ?? []));
      const facts = new FactsReader();
      for (const part of snapshot.parts()) {
        if (isFacts(part)) facts.take(part);
        else loader.take(part);
        yield;
      }
      const { steps } = facts;
      const engine = loader.finish();
      checkDigest(place, engine.digest, options.journal);
      return { engine, facts, steps, head: snapshot.head, path: place.path };
    } finally {
      snapshot.close();
    }
  } catch (error) {
    if (!isUnusable(error)) throw error;
    options.onUnusable?.(place.path, error);
    return undefined;
  }
}

/**
 * The name alone suffices: a file gets it when it is on the disk, so its commands were durable,
 * even if it was damaged since.
 */
function refuseAhead({ seq, path }: SnapshotPlace, lastSeq: number): void {
  if (seq <= lastSeq) return;
  throw new StoreError(
    'journal_behind',
    `the journal ends at seq ${lastSeq}, but the snapshot ${path} shows that seq ${seq} was ` +
      'durable: the journal or its write-ahead log was lost, cut short or replaced by an older ' +
      'copy. Put back journal.db and journal.db-wal as they were, or the newest backup; move the ' +
      `snapshot away only to go on without the acknowledged commands ${lastSeq + 1} to ${seq}`,
  );
}

/** Throws StoreError `snapshot_newer`, `snapshot_damaged` or `journal_replaced`. */
export function checkHead(
  place: SnapshotPlace,
  head: SnapshotHead,
  journal: JournalChecksums,
): void {
  checkVersion(place.path, 'state', head.imageVersion, SNAPSHOT_FORMAT);
  if (head.seq !== place.seq) {
    throw new StoreError(
      'snapshot_damaged',
      `the snapshot ${place.path} is of seq ${head.seq}, but its name says seq ${place.seq}: ` +
        'it is not used. Rename it to its own seq, or remove it',
    );
  }
  const checksum = journal.checksumAt(head.seq);
  if (checksum === head.commandChecksum) {
    checkDigest(place, head.digest, journal);
    return;
  }
  throw new StoreError(
    'journal_replaced',
    `the snapshot ${place.path} is of another journal: its command ${head.seq} has the checksum ` +
      `${head.commandChecksum}, but in this journal ${checksum ?? 'it is absent'}. The journal ` +
      'was replaced, perhaps by an older copy that grew again, or the snapshot is of another ' +
      'data folder. Put back the journal that belongs here, or the newest backup of both; move ' +
      'the snapshots away only if you are sure of this journal',
  );
}

/** Throws StoreError `snapshot_damaged` for another state than the journal had at that command. */
function checkDigest(
  { seq, path }: SnapshotPlace,
  digest: number,
  journal: JournalChecksums,
): void {
  const known = journal.digestAt(seq);
  if (known === null || known === digest) return;
  throw new StoreError(
    'snapshot_damaged',
    `the balances in the snapshot ${path} have the digest ${digest}, but after command ${seq} ` +
      `the journal has ${known}: it shows another state, and is not used. Remove it`,
  );
}

const UNUSABLE: readonly string[] = ['snapshot_damaged', 'snapshot_newer'];

/** A missing file was removed after the folder was listed, or is a broken link. */
function isUnusable(error: unknown): error is Error {
  return (
    isMissingFile(error) ||
    error instanceof SnapshotError ||
    (error instanceof StoreError && UNUSABLE.includes(error.code))
  );
}
