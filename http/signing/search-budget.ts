/**
 * Limits how often the signatures of an address are tried under all domains. The digest of an order
 * depends on its domain, so a wrong signature costs one recovery for each domain, while an attacker
 * makes wrong signatures at no cost.
 *
 * The likely domains (domain-table.ts, `likely`) are always tried. Trying the rest is a search: an
 * address has `SEARCHES` and gets a used one back every `SEARCH_MS`, whether it found a domain or
 * not. A client uses one or two domains, which are likely once a search has found them.
 * With `--rate-limits off` searches are unlimited.
 *
 * Invariant: it only delays a search; it never changes a verdict.
 * Bound: ADDRESSES entries, each kept only while the address has less than all of its searches.
 */
import { remember } from '../codec/index.ts';

export const SEARCHES = 4;
export const SEARCH_MS = 1_000;
const ADDRESSES = 16_384;

export class SearchBudget {
  readonly #clock: () => number;
  /** The time when an address will have all of its searches again, in ms. */
  readonly #wholeMs = new Map<string, number>();

  /** A monotonic clock in milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Takes a search and returns 0, or returns the milliseconds until one is available. */
  take(address: string): number {
    const nowMs = this.#clock();
    const wholeMs = Math.max(this.#wholeMs.get(address) ?? 0, nowMs) + SEARCH_MS;
    const waitMs = wholeMs - nowMs - SEARCHES * SEARCH_MS;
    if (waitMs > 0) return waitMs;
    remember(this.#wholeMs, address, wholeMs, ADDRESSES);
    return 0;
  }
}
