/**
 * Worker threads: how they start, answer questions, report their death and stop.
 */
export { AskedThread } from './asked-thread.ts';
export { type AskedMessage, answering } from './asked-work.ts';
export { KeptThread } from './kept-thread.ts';
export { PacedSeq } from './paced-seq.ts';
export { type Post, runThread, type ThreadWork } from './thread-entry.ts';
export { startThread } from './thread-host.ts';
export { takePlace, threadSeconds } from './thread-place.ts';
