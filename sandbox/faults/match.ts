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
  /** Part of a socket's User-Agent, lower case. */
  readonly userAgent?: string;
}

/** Someone who takes part in what a fault may fire for. */
export interface FaultParty {
  readonly apiKey: string;
  readonly owner: string;
}

/** What a fault may fire for: a request, a socket, a trade. Texts are '' where there is none. */
export interface FaultSubject extends FaultParty {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The pattern of the route; the same as `path` where there is none. */
  readonly pattern: string;
  /** The header of a socket's handshake; absent for requests and trades. */
  readonly userAgent?: string;
  /** Of a trade: the parties besides the taker. */
  readonly others?: readonly FaultParty[];
  /** The accounts that it is about. */
  readonly accounts: readonly string[];
  /** The condition ids of the markets that it is about. */
  readonly markets: readonly string[];
}

/** The texts of a subject that is no request. */
export const NO_REQUEST = { requestId: '', method: '', path: '', pattern: '' } as const;

/** Whether one party has both the key and the owner that a fault is for. */
function hasParty({ apiKey, owner }: FaultMatch, subject: FaultSubject): boolean {
  const isParty = (party: FaultParty): boolean =>
    (apiKey === undefined || apiKey === party.apiKey) &&
    (owner === undefined || owner === party.owner);
  return isParty(subject) || subject.others?.some(isParty) === true;
}

/** Reads only what is named: to find the accounts and markets of a request may take a while. */
export function isMatch(match: FaultMatch, subject: FaultSubject): boolean {
  const { account, market, method, path, userAgent } = match;
  return (
    (method === undefined || method === subject.method) &&
    (path === undefined || path === subject.path || path === subject.pattern) &&
    (userAgent === undefined || subject.userAgent?.toLowerCase().includes(userAgent) === true) &&
    hasParty(match, subject) &&
    (account === undefined || subject.accounts.includes(account)) &&
    (market === undefined || subject.markets.includes(market))
  );
}
