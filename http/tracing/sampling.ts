/**
 * Which requests are traced. Invariant: the request's id alone decides, so that every part of a
 * system that has the same share traces the same requests, and a retry with the same id is traced
 * like the first attempt.
 */

const RANGE = 2 ** 32;

/** Whether a request is in the share (0 to 1) of those that are traced. */
export function isSampled(requestId: string, share: number): boolean {
  return hashOf(requestId) < share * RANGE;
}

/**
 * FNV-1a, then the last steps of MurmurHash3: without them, ids that differ in their last character
 * alone would have hashes near each other.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
