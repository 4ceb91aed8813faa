/**
 * The errors of persistence: a closed set of codes. Each error's message says what was found and
 * what to do about it.
 */

/**
 * Why a checkpoint, a backup or a snapshot can't be made, restored or found. The codes are those of
 * the HTTP interface.
 */
export type SavedStateRefusalCode =
  /** There is none of this id. */
  | 'checkpoint_unknown'
  /** Too many exist, or the disk or the bound has no room for one more. */
  | 'checkpoint_limit'
  /** It was made by a program of another version or in another format, or it is damaged. */
  | 'checkpoint_unusable'
  /** Another one is being made or restored. */
  | 'checkpoint_busy'
  /** There is none of this name. */
  | 'backup_unknown'
  /** Too many exist. */
  | 'backup_limit'
  /** One is being made. */
  | 'backup_busy'
  /** The details say why. */
  | 'snapshot_failed'
  /** The exchange keeps nothing on the disk. */
  | 'nothing_kept';

export class SavedStateRefusal extends Error {
  readonly code: SavedStateRefusalCode;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: SavedStateRefusalCode, details: Readonly<Record<string, string | number>>) {
    super(`${code}: ${JSON.stringify(details)}`);
    this.name = 'SavedStateRefusal';
    this.code = code;
    this.details = details;
  }
}

/** What was thrown, as an error, a sentence or a system's code. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Such as `ENOENT`; '' for an error without a code. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

export function isMissingFile(thrown: unknown): boolean {
  return codeOf(thrown) === 'ENOENT';
}

export type StoreErrorCode =
  /** The exchange is closing or has failed. */
  | 'stopping'
  /** A queue is full: of commands that wait for the disk, or of reads. */
  | 'overloaded'
  /** The thread that answers reads is down; it starts again by itself. */
  | 'reader_unavailable'
  /** The catalog could not be written, or its thread is down, which starts again by itself. */
  | 'catalog_unavailable'
  /** A search would look at more rows than allowed; narrower filters help. */
  | 'search_too_wide'
  /** Another process uses the data folder. */
  | 'folder_locked'
  /** The data folder was made for another funding mode. */
  | 'funding_changed'
  /** The data folder is of a node of a cluster, and this process is to run alone. */
  | 'cluster_folder'
  /** The sandbox moved the clock of the data folder, and these settings have no sandbox. */
  | 'clock_moved'
  /** The journal was written by a newer version of this program. */
  | 'journal_newer'
  /** The catalog was written by a newer version of this program. */
  | 'catalog_newer'
  /** The journal was written by an older version and is not migrated yet. */
  | 'journal_older'
  /** The journal's file can't be read or written: the disk is full, failed or read-only. */
  | 'disk_failed'
  /** A record of the journal was altered after it was written. */
  | 'journal_damaged'
  /** Commands that were durable are missing from the journal. */
  | 'journal_behind'
  /** A backup was not restored to its end. */
  | 'restore_unfinished'
  /** Archived commands are needed, and their file is missing. */
  | 'archive_missing'
  /** An archive's file was altered after it was written. */
  | 'archive_damaged'
  /** Another compaction is running. */
  | 'compacting'
  /** The journal has other commands than a snapshot shows. */
  | 'journal_replaced'
  /** A snapshot was altered after it was written; the one before it is used. */
  | 'snapshot_damaged'
  /** A snapshot was written by a program of another version; the one before it is used. */
  | 'snapshot_newer'
  /** A core does not take the snapshot, or the part of one, that a standby sends. */
  | 'snapshot_refused'
  /** No core of the cluster can be reached now, or its state is not current. */
  | 'no_core'
  /** Another node of the cluster has become the core; this process must end. */
  | 'deposed'
  /** This node of the cluster does not have what was asked for; the message names one that does. */
  | 'other_node'
  /** A core and a node of its cluster can't work together. */
  | 'feed_refused'
  /** etcd does not answer. */
  | 'log_unavailable'
  /** etcd, or the log in it, can't be used with these settings. */
  | 'log_refused'
  /** The log has other entries than this node knows. */
  | 'log_differs'
  /** The log does not have the entries any more that this node needs next. */
  | 'log_pruned'
  /** The log was written by a newer version of this program. */
  | 'log_newer'
  /** An entry of the log was altered after it was written. */
  | 'log_damaged'
  /** Replay has another result than the journal recorded. */
  | 'replay_differs'
  /** The projection shows commands that the journal does not have. */
  | 'projection_ahead'
  /** A projection's file can't be used. */
  | 'projection_damaged'
  /** The catalog's file can't be used. */
  | 'catalog_damaged'
  /** There is a journal but no catalog file. */
  | 'catalog_missing'
  /** A file to import has an unknown format. */
  | 'file_malformed'
  /** A secret's file is not as this program wrote it. */
  | 'secret_malformed'
  /** Other users can read a secret's file, and its mode can't be changed. */
  | 'secret_exposed'
  /** A thread ended before it was ready, or failed while it closed. */
  | 'thread_failed';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  /** `options.cause`: the error behind it, whose stack says where it happened. */
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}
