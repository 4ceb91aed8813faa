/**
 * How often the signatures of an address are tried under every domain: a digest differs by domain,
 * so a wrong signature costs as many recoveries as there are domains, and wrong ones cost nothing.
 *
 * The rule: a first good guess costs nothing (domain-table.ts, `likely`). Beyond that an address
 * has `SEARCHES`, and gets one back each `SEARCH_MS`, whether they find anything or not: a client
 * keeps to one domain or two, which are guessed once they were found. Where requests are not
 * limited (`--rate-limits off`), searches are not either.
 *
 * Invariant: it delays a search and never makes a good signature a wrong one.
 * Bound: ADDRESSES remembered, each only while it has less than all of its searches.
 */
import { remember } from '../codec/index.ts';

export const SEARCHES = 4;
export const SEARCH_MS = 1_000;
const ADDRESSES = 16_384;

export class SearchBudget {
  readonly #clock: () => number;
  /** When an address will have all of its searches again, in ms. */
  readonly #wholeMs = new Map<string, number>();

  /** A monotonic clock in milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Takes one, and gives 0; or how many ms later there will be one, and takes none. */
  take(address: string): number {
    const nowMs = this.#clock();
    const wholeMs = Math.max(this.#wholeMs.get(address) ?? 0, nowMs) + SEARCH_MS;
    const waitMs = wholeMs - nowMs - SEARCHES * SEARCH_MS;
    if (waitMs > 0) return waitMs;
    remember(this.#wholeMs, address, wholeMs, ADDRESSES);
    return 0;
  }
}
