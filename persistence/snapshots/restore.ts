/**
 * Begins from a snapshot: the newest one that is whole, of this journal and of a version that this
 * program knows. Invariant: nothing of a snapshot is used before all of it was read and checked;
 * one that can't be used costs time, never a command. But one that shows commands which the
 * journal does not have, or has otherwise, proves that the journal is not what it was: that
 * refuses the start. Bound: one part in memory at a time, beside the engine that is made of them.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Engine, SNAPSHOT_FORMAT, SnapshotError, SnapshotLoader } from '../../engine/index.ts';
import type { Facts } from '../shared/index.ts';
import { isMissingFile, StoreError } from '../shared/index.ts';
import { FactsReader, isFacts } from './facts.ts';
import { openSnapshot, type SnapshotHead } from './file.ts';
import { listSnapshots, type SnapshotPlace } from './folder.ts';

export interface RestoreOptions {
  /** The snapshots of the data folder. */
  readonly folder: string;
  readonly journal: JournalChecksums;
  /** The last command of the journal. */
  readonly lastSeq: number;
  /** The newest that may be used; the journal's last when it is left out. */
  readonly mostSeq?: number;
  readonly engineArguments?: ConstructorParameters<typeof SnapshotLoader>;
  /** Told of each that can't be used before the one that can; `error` says why and what to do. */
  readonly onUnusable?: (path: string, error: Error) => void;
}

/** What of a journal says whether a snapshot is of it. */
export interface JournalChecksums {
  /** undefined when it has no such command. */
  checksumAt(seq: number): number | undefined;
}

export interface Restored {
  readonly engine: Engine;
  readonly facts: Facts;
  readonly head: SnapshotHead;
  readonly path: string;
}

/**
 * undefined when there is none to use: then the whole journal is replayed. Throws StoreError
 * `journal_behind` or `journal_replaced`. Lets others run between two parts.
 */
export async function restoreNewest(options: RestoreOptions): Promise<Restored | undefined> {
  const steps = restoring(options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** The same at once, for threads that have nothing else to do. */
export function restoreNewestNow(options: RestoreOptions): Restored | undefined {
  const steps = restoring(options);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
  }
}

function* restoring(options: RestoreOptions): Generator<void, Restored | undefined> {
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

/** undefined for one that can't be used. */
function* loading(
  place: SnapshotPlace,
  options: RestoreOptions,
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
      return { engine: loader.finish(), facts, head: snapshot.head, path: place.path };
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
 * By its name alone: it got its name when it was on the disk whole, so the commands that it shows
 * were durable, whatever has become of it since.
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

function checkHead(place: SnapshotPlace, head: SnapshotHead, journal: JournalChecksums): void {
  if (head.imageVersion !== SNAPSHOT_FORMAT) {
    throw new StoreError(
      'snapshot_newer',
      `the snapshot ${place.path} has image version ${head.imageVersion} and this program knows ` +
        `${SNAPSHOT_FORMAT}: it is not used, and the start takes longer. Only the program that ` +
        'wrote it can use it',
    );
  }
  if (head.seq !== place.seq) {
    throw new StoreError(
      'snapshot_damaged',
      `the snapshot ${place.path} is of seq ${head.seq}, not of the one that it is named after: ` +
        'it is not used. Give it back its own name, or remove it',
    );
  }
  const checksum = journal.checksumAt(head.seq);
  if (checksum === head.commandChecksum) return;
  throw new StoreError(
    'journal_replaced',
    `the snapshot ${place.path} is of another journal: its command ${head.seq} has the checksum ` +
      `${head.commandChecksum}, and in this journal ${checksum ?? 'there is none'}. The journal ` +
      'was replaced, perhaps by an older copy that grew again, or the snapshot is of another ' +
      'data folder. Put back the journal that belongs here, or the newest backup of both; move ' +
      'the snapshots away only if you are sure of this journal',
  );
}

/** One that is not there is a link to nowhere, or was removed since the folder was read. */
function isUnusable(error: unknown): error is Error {
  return (
    isMissingFile(error) ||
    error instanceof SnapshotError ||
    (error instanceof StoreError &&
      (error.code === 'snapshot_damaged' || error.code === 'snapshot_newer'))
  );
}
