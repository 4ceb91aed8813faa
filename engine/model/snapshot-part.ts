/**
 * The form in which the whole state leaves the engine and comes back: byte arrays (parts) in a
 * fixed order. Invariant: equal states make equal parts, whatever their history and their layout in
 * memory, and an engine loaded from the parts continues exactly as the one that wrote them. Bound:
 * a part has at most SNAPSHOT_PART_BYTES, so that memory never has to hold a whole snapshot.
 */

/** Any change of what the parts hold gets a new number; a reader refuses all other numbers. */
export const SNAPSHOT_FORMAT = 1;

export const SNAPSHOT_PART_BYTES = 8 * 1024 * 1024;

export interface SnapshotPart {
  /** The name of the part's section; the parts of a section follow each other. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Thrown for a snapshot that does not have this form or that contradicts itself. */
export class SnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotError';
  }
}
