/**
 * Requests of a replay to the exchange: signed ones of its accounts, and those of the operator.
 *
 * A request that got no answer, or one that says nothing of it (PASSING, UNKNOWN), is sent again as
 * it was: an order has the hash that its owner signed, so the exchange never places it twice.
 *
 * Bound: UNANSWERED and PASSING_TRIES attempts for each request, with LONGEST_WAIT_MS between two.
 */

import {
  type Call,
  type ExchangeReply,
  exchangeReply,
  fetchApiKey,
  fieldsOf,
  refusalText,
  signedCall,
} from '../../cli/place-order/index.ts';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Credentials } from '../../http/signing/credentials.ts';
import type { Wallet } from '../../http/signing/wrapped-signature.ts';

/** Some 20 seconds: nothing listens there any more, or it answers too late. */
const UNANSWERED = 8;
/** Some four minutes, which is longer than a restart of the public venue. */
const PASSING_TRIES = 30;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** The exchange did nothing, and trying again helps. */
const PASSING = new Set([425, 429, 503]);
/** Nobody knows what was done. */
const UNKNOWN = new Set([500, 502, 504]);

/** The answer of the exchange to a request that it refused. */
export class RequestRefused extends Error {
  readonly code: string;

  constructor(call: Call, reply: ExchangeReply) {
    super(refusalText(call, reply));
    const { code } = fieldsOf(reply.json);
    this.code = typeof code === 'string' ? code : '';
  }
}

export interface Link {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** Sends a call until the exchange answers it. `remake` makes a new call for each attempt. */
async function answered({ url, sleep }: Link, remake: () => Call): Promise<ExchangeReply> {
  let unanswered = 0;
  for (let attempt = 1; ; attempt += 1) {
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
    try {
      const reply = await exchangeReply(url, remake());
      const { status, headers } = reply;
      if (UNKNOWN.has(status)) unanswered += 1;
      else if (!PASSING.has(status)) return reply;
      if (unanswered === UNANSWERED || attempt === PASSING_TRIES) return reply;
      const seconds = Number(headers.get('retry-after') ?? 0);
      await sleep(Math.min(LONGEST_WAIT_MS, Math.max(waitMs, seconds * SECOND_MS)));
    } catch (error) {
      unanswered += 1;
      if (unanswered === UNANSWERED) throw error;
      await sleep(waitMs);
    }
  }
}

function accepted(call: Call, reply: ExchangeReply): unknown {
  if (reply.status >= 200 && reply.status <= 299) return reply.json;
  throw new RequestRefused(call, reply);
}

/** The exchange's clock, which a sandbox can move ahead of this machine's. */
export class TradingClock {
  readonly #machineMs: () => number;
  #aheadMs = 0;

  constructor(machineMs: () => number) {
    this.#machineMs = machineMs;
  }

  nowMs(): number {
    return this.#machineMs() + this.#aheadMs;
  }

  set(exchangeMs: number): void {
    this.#aheadMs = exchangeMs - this.#machineMs();
  }
}

/** The first call of all, which is sent once: is there an exchange? Throws `RequestRefused`. */
export async function firstRequest(url: string, call: Call): Promise<unknown> {
  return accepted(call, await exchangeReply(url, call));
}

/** A call that anyone may make. Throws `RequestRefused`. */
export async function publicRequest(link: Link, call: Call): Promise<unknown> {
  return accepted(call, await answered(link, () => call));
}

/** The requests of one wallet. */
export class SignedRequests {
  readonly wallet: Wallet;
  readonly #link: Link;
  readonly #clock: TradingClock;
  readonly #key: Credentials;

  private constructor(
    wallet: Wallet,
    { link, clock, key }: { link: Link; clock: TradingClock; key: Credentials },
  ) {
    this.wallet = wallet;
    this.#link = link;
    this.#clock = clock;
    this.#key = key;
  }

  static async open(
    wallet: Wallet,
    { link, clock, chainId }: { link: Link; clock: TradingClock; chainId: number },
  ): Promise<SignedRequests> {
    const key = await fetchApiKey({ url: link.url, wallet, chainId }, clock.nowMs());
    return new SignedRequests(wallet, { link, clock, key });
  }

  get apiKey(): string {
    return this.#key.apiKey;
  }

  /** Throws `RequestRefused`. */
  async send(call: Call): Promise<unknown> {
    const remake = (): Call => signedCall(call, this, this.#key, this.#clock.nowMs());
    const reply = await answered(this.#link, remake);
    const { code, serverTimeMs } = fieldsOf(reply.json);
    if (code !== 'stale_timestamp' || typeof serverTimeMs !== 'number') {
      return accepted(call, reply);
    }
    // The exchange's clock was moved: it says what time it is.
    this.#clock.set(serverTimeMs);
    return accepted(call, await answered(this.#link, remake));
  }
}

/** Requests to the operator's listener. */
export class OperatorRequests {
  readonly #link: Link;
  readonly #token: string;

  constructor(link: Link, token: string) {
    this.#link = link;
    this.#token = token;
  }

  /** Throws `RequestRefused`. */
  async post(path: string, fields: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const body = JSON.stringify(fields);
    const call: Call = { method: 'POST', path, headers, body };
    return accepted(call, await answered(this.#link, () => call));
  }
}
