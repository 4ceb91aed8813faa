/**
 * Signs an order, and sends it to an exchange, as a bot would, or prints it for another program. A
 * person can check with it that an exchange works.
 */

import { randomInt } from 'node:crypto';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Credentials } from '../../http/signing/credentials.ts';
import type { OrderRequest } from '../../http/signing/order-struct.ts';
import { type SigningContext, signKnownOrder } from '../../http/signing/sign-order.ts';
import { ORDER_OPTIONS, SIGN_OPTIONS } from '../options/order-options.ts';
import type { ReadText } from '../parser/named-files.ts';
import { resolveOptions, type Sources } from '../parser/resolve-options.ts';
import {
  type Call,
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

/** The routes that take a signed order: one places it, the other explains it. */
type OrderPath = '/order' | '/debug/order';

/** A signed request to place an order, as `POST /sign-order` answers it too. */
interface SignedOrder extends Call {
  readonly orderId: string;
}

/** Signs an order with a salt of its own, and its request with the key. */
export function signedOrder(
  request: OrderRequest,
  context: Omit<SigningContext, 'salt'>,
  key: Credentials,
  path: OrderPath = '/order',
): SignedOrder {
  const { orderId, body } = signKnownOrder(request, { ...context, salt: randomInt(SALT_RANGE) });
  const text = JSON.stringify({ ...body, owner: key.apiKey });
  const call = { method: 'POST', path, body: text } as const;
  return { orderId, ...signedCall(call, context, key, context.nowMs) };
}

/** Signs the order for the exchange. Throws an Error whose message is complete. */
export async function signPlanned(
  plan: OrderPlan,
  now: () => number = Date.now,
  path?: OrderPath,
): Promise<SignedOrder> {
  const { url, wallet } = plan;
  const request = await byServerTime(plan, now());
  const query = `?token_id=${request.tokenId}`;
  const { neg_risk: negRisk } = await send(url, { method: 'GET', path: '/neg-risk', query });
  const key = await fetchApiKey(plan, now());
  const domain = domainFor(plan, negRisk === true);
  return signedOrder(request, { wallet, domain, nowMs: now() }, key, path);
}

/** The command `place-order`: returns the text to print. Throws `UsageError`. */
export async function runPlaceOrder(sources: Sources, readText: ReadText): Promise<string> {
  const plan = planOrder(resolveOptions(ORDER_OPTIONS, sources), readText, Date.now());
  return resultText(plan, await send(plan.url, await signPlanned(plan)));
}

/** The request for `curl --config`. Its texts are ASCII, so JSON quotes them as curl does. */
function curlText(url: string, { path, headers = {}, body }: Call): string {
  const sent = Object.entries({ ...headers, 'content-type': 'application/json' });
  const lines = [
    ['url', url + path],
    ...sent.map(([name, value]) => ['header', `${name}: ${value}`]),
    ['data-binary', body],
  ];
  return lines.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n');
}

/** The command `sign-order`: returns the text to print. Throws `UsageError`. */
export async function runSignOrder(sources: Sources, readText: ReadText): Promise<string> {
  const resolved = resolveOptions(SIGN_OPTIONS, sources);
  const plan = planOrder(resolved, readText, Date.now());
  const signed = await signPlanned(plan);
  return resolved.values.curl ? curlText(plan.url, signed) : JSON.stringify(signed);
}
