/**
 * Requests of clients that follow the published rules in a cluster: after 425, 429, 503, a cut
 * connection or no answer in time, the same request goes out again, to the next gateway.
 *
 * Invariant: an answer that is returned as certain tells what became of the request. If an earlier
 * try may still be carried out, a refusal is returned as open (425).
 * Bound: PATIENCE_MS for all tries of one request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, Place } from '../faults/scene.ts';
import type { Answer } from '../http/exchange-fixture.ts';

const PATIENCE_MS = 25_000;
const SECOND_MS = 1_000;
const CUT_PAUSE_MS = 100;
const OPEN = 425;
/** Answers that say that the request was not carried out, or maybe not, and to try again. */
const TRY_AGAIN: readonly number[] = [OPEN, 429, 500, 502, 503, 504];

/** Of the last try that got no answer at all. */
const NO_ANSWER: Answer = {
  status: OPEN,
  headers: new Headers(),
  text: '',
  // Safe: clients read the body of an answer only if its status is certain.
  body: {} as Answer['body'],
};

export class PatientRequests {
  readonly #places: readonly Place[];
  /** The place of each trader, by index; of the operator, by -1. */
  readonly #current = new Map<number, number>();
  #pinned: number | undefined;
  #isOver = false;
  /** Tries that were answered 425, and those without an answer. */
  refused = 0;
  cut = 0;
  /** The longest time from the first try of a request to its certain answer. */
  longestMs = 0;

  constructor(places: readonly Place[]) {
    this.#places = places;
  }

  /** Makes each request at one place, until `unpin`. */
  pin(place: number): void {
    this.#pinned = place;
  }

  unpin(): void {
    this.#pinned = undefined;
  }

  /** No request is tried again from now on. */
  end(): void {
    this.#isOver = true;
  }

  async ask(attempt: Attempt, trader: number): Promise<Answer> {
    const startMs = performance.now();
    let isOpen = false;
    let last = NO_ANSWER;
    while (performance.now() - startMs < PATIENCE_MS) {
      const place = this.#placeOf(trader);
      try {
        last = await attempt(place);
        if (!TRY_AGAIN.includes(last.status)) {
          this.longestMs = Math.max(this.longestMs, performance.now() - startMs);
          return isOpen && last.status >= 400 ? { ...last, status: OPEN } : last;
        }
        this.refused += 1;
        // In a cluster 425 does not say whether the request was carried out.
        isOpen = true;
        if (this.#isOver) return last;
        await sleep(Number(last.headers.get('retry-after') ?? 0) * SECOND_MS || CUT_PAUSE_MS);
      } catch (error) {
        if (!isCut(error)) throw error;
        this.cut += 1;
        isOpen = true;
        last = NO_ANSWER;
        if (this.#isOver) return last;
        await sleep(CUT_PAUSE_MS);
      }
      this.#moveOn(trader);
    }
    return last;
  }

  #placeOf(trader: number): Place {
    const index = this.#pinned ?? this.#indexOf(trader);
    const place = this.#places[index];
    if (place === undefined) throw new Error(`there is no place ${index}`);
    return place;
  }

  #indexOf(trader: number): number {
    return this.#current.get(trader) ?? (trader + 1) % this.#places.length;
  }

  #moveOn(trader: number): void {
    this.#current.set(trader, (this.#indexOf(trader) + 1) % this.#places.length);
  }
}

/** Whether a request failed because nothing or only a part of an answer came in time. */
function isCut(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  return (
    (error instanceof TypeError && /fetch failed|terminated|body/.test(error.message)) ||
    (error instanceof SyntaxError && /JSON/.test(error.message))
  );
}
