/**
 * Writing the whole state as a sequence of byte arrays and reading it back
 * (docs/decisions/0015-snapshots-by-a-follower.md). Equal states make equal bytes, whatever led to
 * them.
 *
 * `head.ts` lists the sections; `section.ts` defines the two kinds: `records.ts` (JSON) and
 * `columns.ts` (packed numbers, for the kinds with most records). `loader.ts` restores a state and
 * checks that the parts agree.
 *
 * To store a new part of the state: a new section at the end of SECTIONS, or a new field, and in
 * either case a new SNAPSHOT_FORMAT. Names of sections and the order of fields are stored in data
 * folders.
 */
export { StateLoader } from './loader.ts';
export { writeStateSnapshot } from './writer.ts';
