/**
 * The exchange as the tools call it: as anyone, as the owner of one wallet, or as the operator.
 *
 * Invariant: requests are signed by the exchange's clock, which the sandbox may have moved. No text
 * that is returned or thrown contains the private key or the token.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Auth } from '../../http/api/index.ts';
import type { Wallet } from '../../http/signing/wrapped-signature.ts';
import {
  type Call,
  exchangeReply,
  fetchApiKey,
  refusalText,
  signedCall,
} from '../place-order/index.ts';

export interface CalledExchange {
  /** The base URLs of both listeners, without a slash at the end. */
  readonly url: string;
  readonly adminUrl: string;
  /** Undefined where the tools of the operator are not offered. */
  readonly adminToken: string | undefined;
  readonly wallet: Wallet;
  readonly chainId: number;
}

/** What a route answers. Throws an Error whose message is complete for a refusal. */
export async function answered(url: string, call: Call): Promise<unknown> {
  const reply = await exchangeReply(url, call);
  if (reply.status >= 200 && reply.status <= 299) return reply.json;
  throw new Error(refusalText(call, reply));
}

/** The exchange's time, a second or less behind. */
export async function exchangeClock({ url }: Pick<CalledExchange, 'url'>): Promise<() => number> {
  const seconds = await answered(url, { method: 'GET', path: '/time' });
  if (typeof seconds !== 'number') throw new Error('The answer to GET /time is not a number');
  const aheadMs = seconds * SECOND_MS - Date.now();
  return () => Date.now() + aheadMs;
}

/** Sends a call as who may send it. */
export async function callAs(auth: Auth, exchange: CalledExchange, call: Call): Promise<unknown> {
  const { url, adminUrl, adminToken } = exchange;
  if (auth === 'none') return answered(url, call);
  if (auth === 'operator') {
    return answered(adminUrl, { ...call, headers: { authorization: `Bearer ${adminToken}` } });
  }
  const now = await exchangeClock(exchange);
  const key = await fetchApiKey(exchange, now());
  return answered(url, signedCall(call, exchange, key, now()));
}
