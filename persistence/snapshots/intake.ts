/**
 * Takes a snapshot that another node sends, part by part, into the folder of this node. It runs on
 * the matching thread, so it waits for no disk.
 *
 * Invariants: the file gets the name of a snapshot only when it is whole, on the disk and of this
 * node's journal: a start would refuse the folder otherwise. A part that does not continue the file
 * ends it. Bound: one file at a time; a second node is refused as `snapshot_refused` while the
 * first one is connected.
 */
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { STORE_BOUNDS, StoreError } from '../shared/index.ts';
import { looksWhole, openSnapshot } from './file.ts';
import { LEFTOVERS, outdatedSnapshots, removeLeftovers, snapshotPath } from './folder.ts';
import { checkHead, type JournalChecksums } from './restore.ts';
import { type SnapshotFilePart, snapshotRefused } from './sending.ts';

export interface SnapshotIntakeOptions extends JournalChecksums {
  /** The snapshots of the data folder. */
  readonly folder: string;
  /** Whether a node is connected, and may go on with its snapshot. */
  readonly isConnected: (node: string) => boolean;
}

/** A file that has not all of its parts. */
interface Begun {
  readonly from: string;
  readonly seq: number;
  readonly fileBytes: number;
  readonly path: string;
  readonly file: FileHandle;
  /** The bytes that it has, and how many of them are not synced. */
  length: number;
  unsyncedBytes: number;
}

export class SnapshotIntake {
  readonly #options: SnapshotIntakeOptions;
  #begun: Begun | undefined;
  /** The part that is being written: one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: SnapshotIntakeOptions) {
    this.#options = options;
    removeLeftovers(options.folder, LEFTOVERS.sent);
  }

  /**
   * Resolves when the part is written, with whether the snapshot is complete. Rejects with
   * StoreError `snapshot_refused` if this node wants no such part, and with another error for a
   * file that can't be used or written. After an error the sender begins again, or not.
   */
  take(part: SnapshotFilePart, from: string): Promise<boolean> {
    const taken = this.#turn.then(() => this.#take(part, from));
    this.#turn = taken.catch(() => undefined);
    return taken;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#drop();
  }

  async #take(part: SnapshotFilePart, from: string): Promise<boolean> {
    if (this.#isClosed) throw snapshotRefused('the node is stopping');
    if (part.offset === 0) await this.#begin(part, from);
    const begun = this.#begun;
    if (begun?.from !== from) throw snapshotRefused('the part has no beginning');
    try {
      await this.#add(begun, part);
      if (begun.length < begun.fileBytes) return false;
      await this.#finish(begun);
      return true;
    } catch (error) {
      await this.#drop();
      throw error;
    }
  }

  async #begin({ seq, fileBytes }: SnapshotFilePart, from: string): Promise<void> {
    const { folder, isConnected } = this.#options;
    const other = this.#begun?.from;
    if (other !== undefined && other !== from && isConnected(other)) {
      throw snapshotRefused(`the node ${other} is sending one`);
    }
    if (this.#options.checksumAt(seq) === undefined) {
      throw snapshotRefused(`the journal of this node does not have command ${seq} yet`);
    }
    await this.#drop();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = `${snapshotPath(folder, seq)}${LEFTOVERS.sent}`;
    const file = await open(path, 'w', 0o600);
    this.#begun = { from, seq, fileBytes, path, file, length: 0, unsyncedBytes: 0 };
  }

  async #add(begun: Begun, { seq, fileBytes, offset, bytes }: SnapshotFilePart): Promise<void> {
    const isNext = seq === begun.seq && fileBytes === begun.fileBytes && offset === begun.length;
    if (!isNext || offset + bytes.length > fileBytes) {
      throw snapshotRefused(`a part at byte ${offset} does not continue ${begun.length} bytes`);
    }
    await begun.file.writeFile(bytes);
    begun.length += bytes.length;
    begun.unsyncedBytes += bytes.length;
    // The head is in the first part: what can't be used is not sent to its end.
    if (offset === 0) this.#check(begun, () => this.#checkHead(begun));
    if (begun.unsyncedBytes < STORE_BOUNDS.unsyncedSnapshotBytes) return;
    await begun.file.sync();
    begun.unsyncedBytes = 0;
  }

  #checkHead({ seq, path }: Begun): void {
    const snapshot = openSnapshot(path);
    snapshot.close();
    checkHead({ seq, path }, snapshot.head, this.#options);
  }

  /** The messages of these errors are for the files of a start. */
  #check({ seq, from }: Begun, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const what = `the snapshot of command ${seq} that the node ${from} sent is not used`;
      throw new Error(`${what}: ${error.code}`, { cause: error });
    }
  }

  async #finish(begun: Begun): Promise<void> {
    const { folder } = this.#options;
    await begun.file.sync();
    this.#check(begun, () => {
      if (!looksWhole(begun.path)) throw new StoreError('snapshot_damaged', 'its end is damaged');
    });
    await rename(begun.path, snapshotPath(folder, begun.seq));
    await begun.file.close();
    this.#begun = undefined;
    await syncFolder(folder);
    for (const path of outdatedSnapshots(folder)) await rm(path, { force: true });
  }

  /** Removes an incomplete file: it must not take room on a full disk. */
  async #drop(): Promise<void> {
    const begun = this.#begun;
    if (begun === undefined) return;
    this.#begun = undefined;
    await begun.file.close();
    await rm(begun.path, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
