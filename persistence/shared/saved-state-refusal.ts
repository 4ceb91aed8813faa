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
