/**
 * The sandbox moves the exchange's clock: forward only, and by ten years at most in all. Which
 * clock each part of the exchange uses is in docs/sandbox.md.
 *
 * Invariant: an offset is on the disk before the first command of the moved time. The process may
 * die at any moment, and the next start continues with the offset.
 */
export { type MovedTime, moveTime, timeNow } from './move-time.ts';
