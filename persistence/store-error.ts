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
  /** A search of trades would look at more rows than it may; narrower filters help. */
  | 'search_too_wide'
  /** Another process has the data folder. */
  | 'folder_locked'
  /** The data folder was made for another funding mode. */
  | 'funding_changed'
  /** The journal was written by a newer version of this program. */
  | 'journal_newer'
  /** A record of the journal is not what was written. */
  | 'journal_damaged'
  /** Commands that were durable are missing from the journal. */
  | 'journal_behind'
  /** Replay does not bring about what the journal says happened. */
  | 'replay_differs'
  /** The projection has seen commands that the journal does not hold. */
  | 'projection_ahead'
  /** A projection's file can't be used. */
  | 'projection_damaged'
  /** A secret's file is not what this program wrote. */
  | 'secret_malformed'
  /** A thread ended before it was ready. */
  | 'thread_failed';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string) {
    super(message);
    this.name = 'StoreError';
    this.code = code;
  }
}
