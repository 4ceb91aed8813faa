import { createHash } from 'node:crypto';

/** What is kept of a token. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
