/**
 * Ids of requests, for their answers and the log: the client's `x-request-id` if it is well formed,
 * or a new one. Invariant: new ids are unique, also across restarts.
 */
import { randomBytes } from 'node:crypto';

const REQUEST_ID = /^[\w.-]{1,64}$/;

export class RequestIds {
  /** Differs from the prefix of earlier processes. */
  readonly #prefix = randomBytes(4).toString('hex');
  #count = 0;

  /** `given`: the header of the request, '' if it is absent. */
  of(given: string): string {
    if (given !== '' && REQUEST_ID.test(given)) return given;
    this.#count += 1;
    return `${this.#prefix}-${this.#count.toString(36)}`;
  }
}
