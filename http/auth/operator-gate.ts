/**
 * Authenticates the operator by the bearer token of the operator's listener.
 *
 * Invariant: only a digest of the token is kept, and compared in constant time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors/index.ts';

/** Case-insensitive (RFC 9110, 11.1). */
const SCHEME = 'bearer ';

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export class OperatorGate {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digestOf(token);
  }

  /** Throws `bad_operator_token` unless the Authorization header carries the token. */
  admit(authorization: string): void {
    const isOperator =
      authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME &&
      timingSafeEqual(digestOf(authorization.slice(SCHEME.length)), this.#digest);
    if (!isOperator) throw new ApiError('bad_operator_token', { field: 'Authorization' });
  }
}
