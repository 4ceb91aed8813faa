/**
 * The form in which the whole state leaves the engine and comes back: parts of bytes in a fixed
 * order. Invariant: equal states make equal parts, however they came about and however they lie in
 * memory, and an engine loaded from the parts continues exactly as the one that wrote them. Bound:
 * a part has at most SNAPSHOT_PART_BYTES, so that a snapshot never has to be in memory whole.
 */

/** Any change of what the parts hold gets a new number; a reader refuses all other numbers. */
export const SNAPSHOT_FORMAT = 1;

export const SNAPSHOT_PART_BYTES = 8 * 1024 * 1024;

export interface SnapshotPart {
  /** The name of the part's section; the parts of a section follow each other. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A snapshot that is not of this form, or that contradicts itself. */
export class SnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotError';
  }
}
