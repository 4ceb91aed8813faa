/**
 * What a request is called, in its answer and in the log: as its client says, if that is well
 * formed, else an id of our own. Invariant: no two of ours are the same, also across restarts.
 */
import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '../socket/index.ts';

/** Ids that clients may give their requests, to find them again in the log. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

export class RequestIds {
  /** Tells the requests of this process from those of its earlier runs. */
  readonly #prefix = randomBytes(4).toString('hex');
  #count = 0;

  of(request: HttpRequest): string {
    const given = request.getHeader('x-request-id');
    if (given !== '' && REQUEST_ID.test(given)) return given;
    this.#count += 1;
    return `${this.#prefix}-${this.#count.toString(36)}`;
  }
}
