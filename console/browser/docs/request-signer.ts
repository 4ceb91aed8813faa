/** Adds to a request of the page what its operation of the OpenAPI document wants. */
import type { SigningDomain } from '../../../http/signing/domains.ts';
import {
  type Credentials,
  fetchApiKey,
  keyHeaders,
  type RequestKey,
  walletHeaders,
} from '../signing/api-key.ts';
import { type OrderMessage, typedDataOf } from '../signing/order.ts';
import { keySigner, type Signer } from '../signing/signer.ts';

export interface PageRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** The part of the OpenAPI document that is read: operations by path and by method. */
export interface Operations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Of GET /ui/facts.json. */
interface Facts {
  /** It signs for the first one. */
  readonly chainIds: readonly number[];
  readonly domains: readonly SigningDomain[];
  readonly devAccounts: readonly { readonly address: string; readonly privateKey: string }[];
}

interface Options {
  readonly document: Operations;
  readonly facts: Facts;
  readonly base: string | URL;
}

const ORDER_PATHS = ['/order', '/orders', '/debug/order'];
const UNAUTHORIZED = 401;
const ZERO_WORD = `0x${'0'.repeat(64)}`;

export async function readFacts(base: string | URL): Promise<Facts> {
  const answer = await fetch(new URL('ui/facts.json', base));
  // Safe: they are of the same program as this page.
  return (await answer.json()) as Facts;
}

/** How an operation is signed; undefined for not at all. */
function kindOf(operation: Operation | undefined): 'l1' | 'l2' | undefined {
  const names = (operation?.security ?? []).flatMap(Object.keys);
  if (names.includes('requestSignature')) return 'l2';
  return names.includes('walletSignature') ? 'l1' : undefined;
}

/** The operation of a path; of several that match, the one with the fewest parameters. */
function findOperation({ paths }: Operations, method: string, path: string) {
  const candidates = Object.entries(paths)
    .filter(([template]) => {
      const pattern = template.replace(/[.+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
      return new RegExp(`^${pattern}$`).test(path);
    })
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length);
  return candidates[0]?.[1][method.toLowerCase()];
}

/** An entry of a body if it is an order that can be signed. */
function orderIn(entry: unknown): Readonly<Record<string, unknown>> | undefined {
  // Safe: any value but null and undefined can be read by key.
  const { order } = (entry ?? {}) as { readonly order?: Readonly<Record<string, unknown>> };
  return typeof order?.tokenId === 'string' ? order : undefined;
}

/** A signer of the page's requests. It keeps the API key of each account that it signed for. */
export class RequestSigner {
  readonly #options: Options;
  readonly #chainId: number;
  readonly #credentials = new Map<string, Promise<Credentials>>();

  constructor(options: Options) {
    this.#options = options;
    this.#chainId = options.facts.chainIds[0] ?? 0;
  }

  /** The request with the headers, and for orders the body, that it needs from an account. */
  async sign(request: PageRequest, privateKey: string): Promise<PageRequest> {
    const { url, method = 'GET', headers = {}, body } = request;
    const { pathname: path } = new URL(url, this.#options.base);
    if (method === 'GET' && body !== undefined) {
      throw new Error('a browser can not send a GET with a body: use the POST of the same path');
    }
    const kind = kindOf(findOperation(this.#options.document, method, path));
    if (kind === undefined) return request;
    const signer = await keySigner(privateKey);
    const nowMs = Date.now();
    if (kind === 'l1') {
      const proof = { chainId: this.#chainId, nonce: '0', nowMs };
      return { ...request, headers: { ...headers, ...(await walletHeaders(signer, proof)) } };
    }
    const credentials = await this.credentialsOf(privateKey);
    const isOrder = ORDER_PATHS.includes(path) && method === 'POST' && body !== undefined;
    const sent = isOrder ? await this.#signOrders(body, signer, credentials) : body;
    const proof = await keyHeaders(signer.address, credentials, {
      method,
      path,
      body: sent,
      nowMs,
    });
    return {
      ...request,
      ...(sent === undefined ? {} : { body: sent }),
      headers: { ...headers, ...proof },
    };
  }

  /** Takes the status of each answer: after a 401 the page asks for the API keys again. */
  noteAnswer(status: number): void {
    if (status === UNAUTHORIZED) this.#credentials.clear();
  }

  /** The API key of an account. */
  credentialsOf(privateKey: string): Promise<Credentials> {
    const known = this.#credentials.get(privateKey);
    if (known !== undefined) return known;
    const credentials = this.#fetchCredentials(privateKey);
    this.#credentials.set(privateKey, credentials);
    credentials.catch(() => this.#credentials.delete(privateKey));
    return credentials;
  }

  async #fetchCredentials(privateKey: string): Promise<Credentials> {
    const requestKey: RequestKey = async (headers) => {
      const response = await this.#send('auth/api-key', { method: 'POST', headers });
      return { status: response.status, body: await response.json() };
    };
    const options = { chainId: this.#chainId, now: Date.now };
    return fetchApiKey(await keySigner(privateKey), requestKey, options);
  }

  #send(path: string, options: RequestInit = {}): Promise<Response> {
    return fetch(new URL(path, this.#options.base), options);
  }

  /** Orders of a body become orders of the account, signed now. Other bodies stay as they are. */
  async #signOrders(body: string, signer: Signer, { apiKey }: Credentials): Promise<string> {
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      // The exchange says what is wrong with it.
      return body;
    }
    const sign = (entry: unknown) => this.#signEntry(entry, signer, apiKey);
    const signed = Array.isArray(parsed) ? await Promise.all(parsed.map(sign)) : await sign(parsed);
    return JSON.stringify(signed);
  }

  async #signEntry(entry: unknown, signer: Signer, apiKey: string): Promise<unknown> {
    const given = orderIn(entry);
    if (given === undefined) return entry;
    const { address } = signer;
    const order = { ...given, maker: address, signer: address, timestamp: String(Date.now()) };
    const signed = {
      ...order,
      side: ['SELL', '1'].includes(String(given.side)) ? 'SELL' : 'BUY',
      signatureType: given.signatureType ?? 0,
      metadata: given.metadata ?? ZERO_WORD,
      builder: given.builder ?? ZERO_WORD,
    };
    const chain = { chainId: this.#chainId, domains: this.#options.facts.domains };
    const negRisk = await this.#isNegRisk(String(given.tokenId));
    // Safe: signing refuses a field that is missing or does not have the form of its type.
    const data = typedDataOf(signed as unknown as OrderMessage, chain, negRisk);
    const signature = await signer.signTypedData(data);
    return { ...Object(entry), order: { ...order, signature }, owner: apiKey };
  }

  async #isNegRisk(tokenId: string): Promise<boolean> {
    const answer = await this.#send(`neg-risk?${new URLSearchParams({ token_id: tokenId })}`);
    // Safe: both the answer and a refusal are objects.
    const { neg_risk: isNegRisk } = (await answer.json()) as { readonly neg_risk?: boolean };
    return isNegRisk === true;
  }
}
