/**
 * The form in which a whole state leaves the engine and comes back: parts of bytes, in a fixed
 * order. Invariant: equal states make equal parts, whatever led to them and however they lie in
 * memory; what is read back goes on exactly as what was written would have. Bound: a part is at
 * most IMAGE_PART_BYTES, so that nobody holds an image whole.
 */

/** A change of what the parts hold is a new number; another number is not read. */
export const SNAPSHOT_FORMAT = 1;

export const SNAPSHOT_PART_BYTES = 8 * 1024 * 1024;

export interface SnapshotPart {
  /** What is in it; several of one name follow each other. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An image that is not of this form, or says what can't be. */
export class SnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotError';
  }
}
