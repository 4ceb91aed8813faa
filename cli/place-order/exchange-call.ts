/**
 * Requests to an exchange over HTTP, for commands that trade as a bot would: sending them, reading
 * what comes back, and the credentials and headers that sign them (wire 2).
 *
 * Invariant: no returned text or error contains a private key or API credentials.
 * Bound: REQUEST_TIMEOUT_MS for each request.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Method } from '../../http/api/index.ts';
import { parsedJson } from '../../http/codec/index.ts';
import type { Credentials } from '../../http/signing/credentials.ts';
import type { SigningDomain } from '../../http/signing/domains.ts';
import { clobAuthDigest } from '../../http/signing/l1.ts';
import { signL2 } from '../../http/signing/l2.ts';
import { orderDomain } from '../../http/signing/order-struct.ts';
import type { Wallet } from '../../http/signing/wrapped-signature.ts';
import { PROGRAM } from '../options/commands.ts';

const REQUEST_TIMEOUT_MS = 10_000;
const NONCE = '0';
/** The largest range that `randomInt` takes. */
export const SALT_RANGE = 2 ** 48 - 1;

export type JsonFields = Readonly<Record<string, unknown>>;

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ExchangeReply {
  readonly status: number;
  readonly headers: Headers;
  /** undefined when the body is not JSON: probably another kind of server answered. */
  readonly json: unknown;
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

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(json: unknown): JsonFields {
  // Safe: a value of JSON that is an object is a record of its keys.
  return typeof json === 'object' && json !== null ? (json as JsonFields) : {};
}

/** What a refusal says, on several lines: the sentence, then each detail. */
export function refusalText({ method, path }: Call, { status, json }: ExchangeReply): string {
  const reply = fieldsOf(json);
  const details = Object.entries(reply)
    .filter(([key]) => !RESULT_KEYS.has(key))
    .map(([key, value]) => `\n  ${key}: ${shownValue(value)}`);
  const code = typeof reply.code === 'string' ? ` ${reply.code}` : '';
  const sentence = typeof reply.error === 'string' ? reply.error : 'no reason given';
  const head = `${method} ${path} was refused (${status}${code}): ${sentence}`;
  return head + details.join('');
}

/** Sends one request and returns the answer, whatever its status. Throws if there is none. */
export async function exchangeReply(url: string, call: Call): Promise<ExchangeReply> {
  const { method, path, query = '', headers = {}, body } = call;
  try {
    const response = await fetch(`${url}${path}${query}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const json = parsedJson(await response.text());
    return { status: response.status, headers: response.headers, json };
  } catch {
    throw new Error(`No exchange answers at ${url}. Start one with: ${PROGRAM}`);
  }
}

/** Sends one request that must succeed. */
export async function send(url: string, call: Call): Promise<JsonFields> {
  const reply = await exchangeReply(url, call);
  if (reply.status < 200 || reply.status > 299) throw new Error(refusalText(call, reply));
  return fieldsOf(reply.json);
}

export function replyText(reply: JsonFields, key: string): string {
  const value = reply[key];
  if (typeof value === 'string') return value;
  throw new Error(
    `The answer of the exchange has no text "${key}". Is an outcome-exchange at this address?`,
  );
}

interface Client {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  readonly wallet: Wallet;
  readonly chainId: number;
}

/** The wallet's API credentials; the exchange creates them if there are none (wire 2.2). */
export async function fetchApiKey(
  { url, wallet, chainId }: Client,
  nowMs: number,
): Promise<Credentials> {
  const timestamp = String(Math.floor(nowMs / SECOND_MS));
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
    apiKey: replyText(reply, 'apiKey'),
    secret: replyText(reply, 'secret'),
    passphrase: replyText(reply, 'passphrase'),
  };
}

/** The call with the L2 headers of wire 2.4. */
export function signedCall(
  call: Call,
  { wallet }: Pick<Client, 'wallet'>,
  key: Credentials,
  nowMs: number,
): Call {
  const timestamp = String(Math.floor(nowMs / SECOND_MS));
  const { method, path, body = '' } = call;
  return {
    ...call,
    headers: {
      SERVICE_ADDRESS: wallet.address,
      SERVICE_API_KEY: key.apiKey,
      SERVICE_PASSPHRASE: key.passphrase,
      SERVICE_TIMESTAMP: timestamp,
      SERVICE_SIGNATURE: signL2(key.secret, { timestamp, method, path }, Buffer.from(body)),
    },
  };
}

/** Throws if no domain is known for this chain and this kind of market. */
export function domainFor(
  { domains, chainId }: { readonly domains: readonly SigningDomain[]; readonly chainId: number },
  negRisk: boolean,
): SigningDomain {
  const domain = orderDomain(domains, { chainId, negRisk });
  if (domain !== undefined) return domain;
  const kind = negRisk ? 'neg-risk' : 'plain';
  throw new Error(`No signing domain for ${kind} markets of chain ${chainId} is known`);
}
