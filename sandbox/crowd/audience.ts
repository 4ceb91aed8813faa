/**
 * Whether somebody watches or trades. The crowd rests without an audience, so that an idle exchange
 * writes nothing to its disk.
 *
 * Bound: it asks for two numbers each time; requests and sockets do no work for it.
 */

/** What an audience does, as the parts of the server count it anyway. */
export interface AudienceSource {
  /** Requests for books, prices and orders so far: it only grows. */
  readonly requests: () => number;
  /** Open sockets of streams. */
  readonly sockets: () => number;
}

/** How long the crowd goes on after the last sign of an audience. */
const STAYS_MS = 60_000;

export class Audience {
  readonly #source: AudienceSource;
  readonly #monotonicMs: () => number;
  #requests: number;
  #seenMs = Number.NEGATIVE_INFINITY;

  constructor(source: AudienceSource, monotonicMs: () => number) {
    this.#source = source;
    this.#monotonicMs = monotonicMs;
    // Those before a restore of a checkpoint are no sign of an audience now.
    this.#requests = source.requests();
  }

  /** Whether somebody watched or traded in the last minute. */
  isThere(): boolean {
    const nowMs = this.#monotonicMs();
    const requests = this.#source.requests();
    if (this.#source.sockets() > 0 || requests > this.#requests) this.#seenMs = nowMs;
    this.#requests = requests;
    return nowMs - this.#seenMs < STAYS_MS;
  }
}
