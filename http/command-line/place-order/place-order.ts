/**
 * Signs an order and sends it to an exchange, as a bot would, and describes the answer. A person
 * can check with it that an exchange works.
 *
 * Invariant: no returned text or error contains the private key or the API credentials.
 * Bound: REQUEST_TIMEOUT_MS for each of its three requests.
 */
import { randomInt } from 'node:crypto';
import {
  type Credentials,
  clobAuthDigest,
  orderDomain,
  type SigningDomain,
  signL2,
  signOrder,
} from '../../signing/index.ts';
import { ORDER_OPTIONS } from '../options/index.ts';
import { type ReadText, resolveOptions, type Sources } from '../parser/index.ts';
import { type OrderPlan, planOrder } from './order-plan.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** The largest range that `randomInt` takes. */
const SALT_RANGE = 2 ** 48 - 1;
const MS_PER_SECOND = 1_000;
const NONCE = '0';

type Json = Readonly<Record<string, unknown>>;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Keys of a refusal that add nothing to its error. */
const RESULT_KEYS = new Set(
  (
    'error code success errorMsg orderID orderHash takingAmount makingAmount status ' +
    'transactionsHashes tradeIDs'
  ).split(' '),
);

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function refusalText({ method, path }: Call, status: number, reply: Json): string {
  const details = Object.entries(reply)
    .filter(([key]) => !RESULT_KEYS.has(key))
    .map(([key, value]) => `\n  ${key}: ${shownValue(value)}`);
  const code = typeof reply.code === 'string' ? ` ${reply.code}` : '';
  const sentence = typeof reply.error === 'string' ? reply.error : 'no reason given';
  const head = `${method} ${path} was refused (${status}${code}): ${sentence}`;
  return head + details.join('');
}

function parseReply(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    // Safe: a value of JSON that is an object is a record of its keys.
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    // Not JSON: probably another kind of server. The caller reports the status or missing keys.
    return {};
  }
}

async function send(url: string, call: Call): Promise<Json> {
  const { method, path, query = '', headers = {}, body } = call;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${path}${query}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    text = await response.text();
  } catch {
    throw new Error(`No exchange answers at ${url}. Start one with: npm start`);
  }
  const reply = parseReply(text);
  if (!response.ok) throw new Error(refusalText(call, response.status, reply));
  return reply;
}

function textOf(reply: Json, key: string): string {
  const value = reply[key];
  if (typeof value === 'string') return value;
  throw new Error(
    `The answer of the exchange has no text "${key}". Is an outcome-exchange at this address?`,
  );
}

/** The wallet's API credentials; the exchange creates them if there are none (wire 2.2). */
export async function fetchApiKey(
  { url, wallet, chainId }: Pick<OrderPlan, 'url' | 'wallet' | 'chainId'>,
  nowMs: number,
): Promise<Credentials> {
  const timestamp = String(Math.floor(nowMs / MS_PER_SECOND));
  const auth = { address: wallet.address, timestamp, nonce: NONCE };
  const reply = await send(url, {
    method: 'POST',
    path: '/auth/api-key',
    headers: {
      SERVICE_ADDRESS: wallet.address,
      SERVICE_TIMESTAMP: timestamp,
      SERVICE_NONCE: NONCE,
      SERVICE_SIGNATURE: wallet.sign(clobAuthDigest(auth, chainId)),
    },
  });
  return {
    apiKey: textOf(reply, 'apiKey'),
    secret: textOf(reply, 'secret'),
    passphrase: textOf(reply, 'passphrase'),
  };
}

/** Throws if no domain is known for this chain and this kind of market. */
function domainFor({ domains, chainId }: OrderPlan, negRisk: boolean): SigningDomain {
  const domain = orderDomain(domains, { chainId, negRisk });
  if (domain !== undefined) return domain;
  const kind = negRisk ? 'neg-risk' : 'plain';
  throw new Error(`No signing domain for ${kind} markets of chain ${chainId} is known`);
}

function postOrder(plan: OrderPlan, key: Credentials, body: string, nowMs: number): Promise<Json> {
  const head = {
    timestamp: String(Math.floor(nowMs / MS_PER_SECOND)),
    method: 'POST',
    path: '/order',
  } as const;
  return send(plan.url, {
    method: head.method,
    path: head.path,
    body,
    headers: {
      SERVICE_ADDRESS: plan.wallet.address,
      SERVICE_API_KEY: key.apiKey,
      SERVICE_PASSPHRASE: key.passphrase,
      SERVICE_TIMESTAMP: head.timestamp,
      SERVICE_SIGNATURE: signL2(key.secret, head, Buffer.from(body)),
    },
  });
}

function resultText({ request }: OrderPlan, result: Json): string {
  const [gave, got] = [textOf(result, 'makingAmount'), textOf(result, 'takingAmount')];
  const [paid, bought] =
    request.side === 'BUY' ? ['in collateral', 'tokens'] : ['tokens', 'in collateral'];
  const matched =
    gave === '' ? 'nothing matched yet' : `gave ${gave} ${paid}, got ${got} ${bought}`;
  return `Order ${textOf(result, 'orderID')} is ${textOf(result, 'status')}: ${matched}.`;
}

/** Places the order and returns its result as text. Throws an Error whose message is complete. */
async function placePlanned(plan: OrderPlan, now: () => number): Promise<string> {
  const { request, url, wallet } = plan;
  const query = `?token_id=${request.tokenId}`;
  const { neg_risk: negRisk } = await send(url, { method: 'GET', path: '/neg-risk', query });
  const key = await fetchApiKey(plan, now());
  const domain = domainFor(plan, negRisk === true);
  const signed = signOrder(request, { wallet, domain, salt: randomInt(SALT_RANGE), nowMs: now() });
  const body = JSON.stringify({ ...signed, owner: key.apiKey });
  return resultText(plan, await postOrder(plan, key, body, now()));
}

/** The command: returns the text to print. Throws `UsageError`. */
export function runPlaceOrder(sources: Sources, readText: ReadText): Promise<string> {
  const plan = planOrder(resolveOptions(ORDER_OPTIONS, sources), readText, Date.now());
  return placePlanned(plan, Date.now);
}
