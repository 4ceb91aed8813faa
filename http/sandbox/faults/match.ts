/**
 * Which requests, sockets or trades a fault is for. A fault matches what has all the values that
 * its definition names; without any it matches everything at its site.
 */

/** What a fault is for; an absent key matches everything. Addresses and ids are lower case. */
export interface FaultMatch {
  readonly apiKey?: string;
  readonly account?: string;
  readonly owner?: string;
  /** A condition id. */
  readonly market?: string;
  readonly method?: string;
  /** A path of a request, or a pattern such as `/data/order/{id}`. */
  readonly path?: string;
}

/** What a fault may fire for: a request, a socket, a trade. Texts are '' where there is none. */
export interface FaultSubject {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The pattern of the route; the same as `path` where there is none. */
  readonly pattern: string;
  readonly apiKey: string;
  readonly owner: string;
  /** The accounts that it is about. */
  readonly accounts: readonly string[];
  /** The condition ids of the markets that it is about. */
  readonly markets: readonly string[];
}

/** Reads only what is named: to find the accounts and markets of a request may take a while. */
export function isMatch(match: FaultMatch, subject: FaultSubject): boolean {
  const { apiKey, owner, account, market, method, path } = match;
  return (
    (method === undefined || method === subject.method) &&
    (path === undefined || path === subject.path || path === subject.pattern) &&
    (apiKey === undefined || apiKey === subject.apiKey) &&
    (owner === undefined || owner === subject.owner) &&
    (account === undefined || subject.accounts.includes(account)) &&
    (market === undefined || subject.markets.includes(market))
  );
}
