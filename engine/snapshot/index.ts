/**
 * Writes the whole state of the engine as parts of bytes and reads it back. Equal states make equal
 * bytes, whatever led to them.
 */
export { DELAYED } from './delayed.ts';
export { countOf, HEAD, type Head, readHead, SECTIONS } from './head.ts';
export { enlistAll, ORDERS } from './orders.ts';
export { RECENT } from './recent.ts';
export type { Restoring, TakePart } from './section.ts';
export { writeImage } from './writer.ts';
