/**
 * Signs an order and sends it to an exchange, as a bot would, and describes the answer. A person
 * can check with it that an exchange works.
 */

import { randomInt } from 'node:crypto';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { OrderRequest } from '../../http/signing/order-struct.ts';
import { signOrder } from '../../http/signing/sign-order.ts';
import { ORDER_OPTIONS } from '../options/order-options.ts';
import type { ReadText } from '../parser/named-files.ts';
import { resolveOptions, type Sources } from '../parser/resolve-options.ts';
import {
  domainFor,
  exchangeReply,
  fetchApiKey,
  type JsonFields,
  replyText,
  SALT_RANGE,
  send,
  signedCall,
} from './exchange-call.ts';
import { type OrderPlan, planOrder } from './order-plan.ts';

function resultText({ request }: OrderPlan, result: JsonFields): string {
  const [gave, got] = [replyText(result, 'makingAmount'), replyText(result, 'takingAmount')];
  const [paid, bought] =
    request.side === 'BUY' ? ['in collateral', 'tokens'] : ['tokens', 'in collateral'];
  const matched =
    gave === '' ? 'nothing matched yet' : `gave ${gave} ${paid}, got ${got} ${bought}`;
  return `Order ${replyText(result, 'orderID')} is ${replyText(result, 'status')}: ${matched}.`;
}

/**
 * The order with its expiration by the exchange's clock, which the sandbox may have moved away from
 * ours, or ours may be wrong.
 */
async function byServerTime({ request, url }: OrderPlan, nowMs: number): Promise<OrderRequest> {
  if (request.expirationSeconds === 0) return request;
  const call = { method: 'GET', path: '/time' } as const;
  const { json } = await exchangeReply(url, call);
  if (typeof json !== 'number') throw new Error('The answer to GET /time is not a number');
  const aheadSeconds = json - Math.floor(nowMs / SECOND_MS);
  return { ...request, expirationSeconds: request.expirationSeconds + aheadSeconds };
}

/** Places the order and returns its result as text. Throws an Error whose message is complete. */
async function placePlanned(plan: OrderPlan, now: () => number): Promise<string> {
  const { url, wallet } = plan;
  const request = await byServerTime(plan, now());
  const query = `?token_id=${request.tokenId}`;
  const { neg_risk: negRisk } = await send(url, { method: 'GET', path: '/neg-risk', query });
  const key = await fetchApiKey(plan, now());
  const domain = domainFor(plan, negRisk === true);
  const signed = signOrder(request, { wallet, domain, salt: randomInt(SALT_RANGE), nowMs: now() });
  const body = JSON.stringify({ ...signed, owner: key.apiKey });
  const call = signedCall({ method: 'POST', path: '/order', body }, plan, key, now());
  return resultText(plan, await send(url, call));
}

/** The command: returns the text to print. Throws `UsageError`. */
export function runPlaceOrder(sources: Sources, readText: ReadText): Promise<string> {
  const plan = planOrder(resolveOptions(ORDER_OPTIONS, sources), readText, Date.now());
  return placePlanned(plan, Date.now);
}
