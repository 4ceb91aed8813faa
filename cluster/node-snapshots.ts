/**
 * Snapshots among the nodes of a cluster: a standby sends those that it makes to its core, which
 * then rests its follower (docs/decisions/0015-snapshots-by-a-follower.md).
 *
 * Invariant: a snapshot that can't be sent or taken costs nothing but time: the next one is tried,
 * and a core that gets none follows its journal itself. Bound: one at a time in each direction.
 */

import { JournalReader } from '../persistence/journal/reader.ts';
import { StoreError, toError } from '../persistence/shared/index.ts';
import { listSnapshots } from '../persistence/snapshots/folder.ts';
import type { Follower } from '../persistence/snapshots/follower.ts';
import { SnapshotIntake } from '../persistence/snapshots/intake.ts';
import { decodeFilePart, sendSnapshot, snapshotRefused } from '../persistence/snapshots/sending.ts';
import type { ClusterNode, NodeEvent } from './cluster.ts';

const REQUEST_KIND = 'snapshot';
const TAKEN = Buffer.alloc(0);

export interface NodeSnapshotsOptions {
  readonly node: ClusterNode;
  readonly follower: Follower;
  readonly folder: string;
  readonly journalPath: string;
  readonly onEvent: (event: NodeEvent) => void;
}

export class NodeSnapshots {
  readonly #options: NodeSnapshotsOptions;
  readonly #intake: SnapshotIntake;
  #isSending = false;

  constructor(options: NodeSnapshotsOptions) {
    const { node, folder, journalPath } = options;
    this.#options = options;
    this.#intake = new SnapshotIntake({
      folder,
      checksumAt: (seq) => inJournal(journalPath, (journal) => journal.checksumAt(seq)),
      digestAt: (seq) => inJournal(journalPath, (journal) => journal.digestAt(seq)),
      isConnected: (name) => node.replicas.some((replica) => replica.node === name),
    });
    node.handle(REQUEST_KIND, (body, from) => this.#take(body, from.node));
  }

  send(seq: number): void {
    const { node, folder, onEvent } = this.#options;
    if (this.#isSending || node.state !== 'following') return;
    this.#isSending = true;
    sendSnapshot(folder, seq, (part) => this.#request(part))
      .catch((error: unknown) => {
        // The core has a newer one, is gone, or reports itself what is wrong.
        if (error instanceof StoreError) return;
        onEvent({ kind: 'cluster_trouble', error: toError(error) });
      })
      .finally(() => {
        this.#isSending = false;
      });
  }

  close(): Promise<void> {
    return this.#intake.close();
  }

  /** A node that has become the core meanwhile would send it to itself. */
  #request(part: Buffer): Promise<Buffer> {
    const { node } = this.#options;
    if (node.state === 'following') return node.request(REQUEST_KIND, part);
    return Promise.reject(snapshotRefused('this node does not follow a core now'));
  }

  async #take(body: Buffer, from: string): Promise<Buffer> {
    const { follower, folder, onEvent } = this.#options;
    const part = decodeFilePart(body);
    const newestSeq = listSnapshots(folder)[0]?.seq ?? 0;
    if (part.offset === 0 && newestSeq >= part.seq) {
      // Its own follower was faster; the next snapshot of the standby will be the newest.
      follower.rest(newestSeq);
      throw snapshotRefused(`this node has one of command ${newestSeq}`);
    }
    try {
      if (!(await this.#intake.take(part, from))) return TAKEN;
    } catch (error) {
      const isRefused = error instanceof StoreError && error.code === 'snapshot_refused';
      if (!isRefused) onEvent({ kind: 'snapshot_failed', error: toError(error) });
      throw error;
    }
    follower.rest(part.seq);
    onEvent({ kind: 'snapshot_taken', seq: part.seq, bytes: part.fileBytes, from });
    return TAKEN;
  }
}

function inJournal<Found>(path: string, find: (journal: JournalReader) => Found): Found {
  const journal = new JournalReader(path);
  try {
    return find(journal);
  } finally {
    journal.close();
  }
}
