/**
 * Why the store refuses: one closed set of codes, each with a sentence made where it happens that
 * says what was found and what to do about it.
 */
export type StoreErrorCode =
  /** The exchange is closing, or has failed: nothing more is taken. */
  | 'stopping'
  /** A queue is full: commands that wait for the disk, or reads. */
  | 'overloaded'
  /** The thread that answers reads is down; it is started again by itself. */
  | 'reader_unavailable'
  /** The catalog could not be written, or its thread is down; it is started again by itself. */
  | 'catalog_unavailable'
  /** A search of trades would look at more rows than it may; narrower filters help. */
  | 'search_too_wide'
  /** Another process has the data folder. */
  | 'folder_locked'
  /** The data folder was made for another funding mode. */
  | 'funding_changed'
  /** The journal was written by a newer version of this program. */
  | 'journal_newer'
  /** The journal was written by an older version, and this program has not raised it yet. */
  | 'journal_older'
  /** The journal's file can't be read or written, for its disk is full, failed or forbids it. */
  | 'disk_failed'
  /** A record of the journal is not what was written. */
  | 'journal_damaged'
  /** Commands that were durable are missing from the journal. */
  | 'journal_behind'
  /** What was compacted away is needed, and its file is not there. */
  | 'archive_missing'
  /** An archive is not the one that was made. */
  | 'archive_damaged'
  /** Another compaction is running. */
  | 'compacting'
  /** Commands of the journal are not those that a snapshot shows. */
  | 'journal_replaced'
  /** A snapshot is not what was written; the one before it is used. */
  | 'snapshot_damaged'
  /** A snapshot was written by a program of another version; the one before it is used. */
  | 'snapshot_newer'
  /** Replay does not bring about what the journal says happened. */
  | 'replay_differs'
  /** The projection has seen commands that the journal does not hold. */
  | 'projection_ahead'
  /** A projection's file can't be used. */
  | 'projection_damaged'
  /** The catalog's file can't be used. */
  | 'catalog_damaged'
  /** The catalog's file is not there, and the journal is. */
  | 'catalog_missing'
  /** A file that was to be imported is of no form that can be read. */
  | 'file_malformed'
  /** A secret's file is not what this program wrote. */
  | 'secret_malformed'
  /** A secret's file can be read by others, and that can't be changed. */
  | 'secret_exposed'
  /** A thread ended before it was ready, or did not end well when it was asked to. */
  | 'thread_failed';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  /** `options`: with the error that it tells of, whose stack says where. */
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}
