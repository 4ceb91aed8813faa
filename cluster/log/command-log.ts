/**
 * The log of commands that makes them durable in a cluster, as the node that sequences them sees
 * it. Invariant: entries become durable in the order of
 * `append`, each as a whole; after `deposed` or `failed` none does. Bound: one append is in flight.
 */
import type { JournalBatch } from '../../persistence/journal/batch.ts';
import type { StoreError } from '../../persistence/shared/index.ts';

export interface CommandLog {
  /**
   * Starts to make an entry durable. The next one may follow after `committed`. `content` are
   * records of the catalog. A batch without commands is
   * allowed where there is content; its `firstSeq` is then the seq of the next command.
   */
  append(batch: JournalBatch, content: readonly string[]): void;
  /** Lets an append in flight end and stops the thread. Throws StoreError `thread_failed`. */
  close(): Promise<void>;
}

export type LogEvent =
  /**
   * The entry of the last `append` is durable, and so are all commands up to `seq`: now they may be
   * answered, shown and sent to replicas.
   */
  | { readonly kind: 'committed'; readonly seq: number; readonly entry: CommittedEntry }
  /** An entry without commands and content is durable, which the log wrote because it was idle. */
  | { readonly kind: 'beat'; readonly seq: number; readonly entry: CommittedEntry }
  /**
   * Another node has a newer epoch. What was appended last may be in the log or not: it must be
   * neither acknowledged nor refused, and this process must end. Reported once, as the last event.
   */
  | { readonly kind: 'deposed'; readonly by: LogHolder }
  /** The log can't go on, and the process must end. Reported once, as the last event. */
  | { readonly kind: 'failed'; readonly error: StoreError }
  /** etcd does not answer. Appends are retried, and nothing is committed meanwhile. */
  | { readonly kind: 'outage'; readonly message: string }
  /** etcd answers again after an outage. */
  | { readonly kind: 'answering' };

export interface CommittedEntry extends EntryHead {
  /** The entry as the log keeps it and `decodeEntry` reads it: what replicas are sent. */
  readonly encoded: Uint8Array;
  /** From `append`, or the beat's begin, to the commit. */
  readonly tookMs: number;
  /**
   * When the request was sent that committed it, by `monotonicMs`; of several, the first one, if it
   * is unknown which did. The entry was put at that moment or later, and this node held the log
   * then. A later moment would be wrong although this node may have held the log: standbys count
   * the silence of the log from the entry.
   */
  readonly sentAtMs: number;
}

/**
 * A place in the log: an entry's number and its checksum, which covers all entries before it too.
 * Two nodes with the same position have the same log up to there. What a node keeps in its journal
 * with the commands of the entry.
 */
export interface LogPosition {
  /** From 1 without gaps; 0 is the start of the log. */
  readonly number: number;
  /** 32 hex digits. */
  readonly check: string;
}

/** The position of a node that has no entry of the log. */
export const LOG_START: LogPosition = { number: 0, check: '0'.repeat(32) };

/** What a core or standby notes of itself in the log. */
export interface RegisteredNode extends LogPosition {
  readonly node: string;
  /** HOST:PORT. */
  readonly feedAddress: string;
  /** Whether gateways that can't reach the core look for one there. */
  readonly isSought: boolean;
}

export interface EntryHead extends LogPosition {
  /** The epoch of the core that wrote it. */
  readonly epoch: number;
}

/** What one entry makes durable. `timesMs`, `kinds` and `payloads` have the same length. */
export interface LogPart
  extends Pick<JournalBatch, 'firstSeq' | 'timesMs' | 'kinds' | 'payloads' | 'digest'> {
  readonly content: readonly string[];
}

/** A beat has neither commands nor content; its `firstSeq` is the seq of the next command. */
export interface LogEntry extends EntryHead, LogPart {
  /** The checksum of the entry before it. */
  readonly previous: string;
}

/** The core that has the newest epoch: a small record. */
export interface LogHolder {
  /** From 1; 0 if no core has ever started. */
  readonly epoch: number;
  readonly node: string;
  /** HOST:PORT of its feed. */
  readonly feedAddress: string;
  readonly program: string;
  readonly rules: number;
  /** Differs between any two claims, also of one node. */
  readonly claimId: string;
  /** Whether it gave the log away: it appends and shows nothing more, so others need not wait. */
  readonly hasResigned: boolean;
}
