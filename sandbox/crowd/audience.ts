/**
 * Who watches, and where. The crowd rests without an audience, so that an idle exchange writes
 * nothing to its disk, and trades most in the markets that somebody looks at.
 *
 * Bound: requests and sockets do no work for it but counting; one number for each market that was
 * read within the last minute.
 */

/** What an audience does, as the parts of the server count it anyway. */
export interface AudienceSource {
  /** Requests for books, prices and orders so far: it only grows. */
  readonly requests: () => number;
  /** Open sockets of streams. */
  readonly sockets: () => number;
  /** Whether a socket follows the market. */
  readonly isFollowed: (conditionId: string) => boolean;
  /** Requests for the market's book and prices so far: it only grows. */
  readonly reads: (conditionId: string) => number;
}

/** How long the crowd goes on after the last sign of an audience. */
const STAYS_MS = 60_000;
const NEVER_MS = Number.NEGATIVE_INFINITY;

/** A counter of requests, and when it was last seen to grow. */
interface Seen {
  count: number;
  atMs: number;
}

export class Audience {
  readonly #source: AudienceSource;
  readonly #monotonicMs: () => number;
  readonly #all: Seen;
  readonly #markets = new Map<string, Seen>();

  constructor(source: AudienceSource, monotonicMs: () => number) {
    this.#source = source;
    this.#monotonicMs = monotonicMs;
    // Those before a restore of a checkpoint are no sign of an audience now.
    this.#all = { count: source.requests(), atMs: NEVER_MS };
  }

  /** Whether somebody watched or traded anywhere in the last minute. */
  isThere(): boolean {
    return this.#isRecent(this.#all, this.#source.requests(), this.#source.sockets() > 0);
  }

  /** Whether a socket follows the market, or somebody read its book in the last minute. */
  isAt(conditionId: string): boolean {
    const { isFollowed, reads } = this.#source;
    let seen = this.#markets.get(conditionId);
    if (seen === undefined) {
      seen = { count: reads(conditionId), atMs: NEVER_MS };
      this.#markets.set(conditionId, seen);
    }
    return this.#isRecent(seen, reads(conditionId), isFollowed(conditionId));
  }

  #isRecent(seen: Seen, count: number, isPresent: boolean): boolean {
    const nowMs = this.#monotonicMs();
    if (isPresent || count > seen.count) seen.atMs = nowMs;
    seen.count = count;
    return nowMs - seen.atMs < STAYS_MS;
  }
}
