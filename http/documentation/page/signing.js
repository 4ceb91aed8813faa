/**
 * Signs the requests of the page as one of the dev accounts: L1 headers, L2 headers, and orders.
 * `http/wire` 2.2, 2.4 and 3.1 describe what is signed.
 */
import { addressOf, keccak256, signHash, word } from './wallet.js';

const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,' +
  'uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,' +
  'bytes32 builder)';
const AUTH_TYPE = 'ClobAuth(address address,string timestamp,uint256 nonce,string message)';
const AUTH_TEXT = 'This message attests that I control the given wallet';
const AUTH_DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId)';
const ORDER_DOMAIN_TYPE =
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const ORDER_PATHS = ['/order', '/orders', '/debug/order'];
const UNAUTHORIZED = 401;

function textHash(text) {
  return keccak256(new TextEncoder().encode(text));
}

/** EIP-712's hash of a struct: its type, then a word for each field. */
function structHash(type, words) {
  return keccak256(new Uint8Array([textHash(type), ...words].flatMap((one) => [...one])));
}

/** EIP-712's digest of a struct in a domain. */
function digestOf(domain, struct) {
  return keccak256(new Uint8Array([0x19, 0x01, ...domain, ...struct]));
}

function authDigest(address, timestamp, nonce, chainId) {
  const names = [textHash('ClobAuthDomain'), textHash('1')];
  const message = [word(address), textHash(timestamp), word(nonce), textHash(AUTH_TEXT)];
  return digestOf(
    structHash(AUTH_DOMAIN_TYPE, [...names, word(chainId)]),
    structHash(AUTH_TYPE, message),
  );
}

function orderDigest(order, { name, version, chainId, contract }) {
  const { salt, maker, signer, tokenId, makerAmount, takerAmount, signatureType, timestamp } =
    order;
  const side = order.side === 'SELL' || order.side === 1 ? 1 : 0;
  const numbers = [salt, maker, signer, tokenId, makerAmount, takerAmount, side];
  const rest = [signatureType ?? 0, timestamp, order.metadata ?? 0, order.builder ?? 0];
  return digestOf(
    structHash(ORDER_DOMAIN_TYPE, [
      textHash(name),
      textHash(version),
      word(chainId),
      word(contract),
    ]),
    structHash(ORDER_TYPE, [...numbers, ...rest].map(word)),
  );
}

/** HMAC-SHA256 under a secret in base64url, as base64url. */
async function hmac(secret, text) {
  const raw = Uint8Array.from(atob(secret.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
    character.charCodeAt(0),
  );
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(mac)));
  return base64.replace(/\+/g, '-').replace(/\//g, '_');
}

/** How an operation of the OpenAPI document is signed: 'l1', 'l2' or undefined. */
function kindOf(operation) {
  const names = (operation?.security ?? []).flatMap(Object.keys);
  if (names.includes('requestSignature')) return 'l2';
  return names.includes('walletSignature') ? 'l1' : undefined;
}

function findOperation({ paths }, method, path) {
  const candidates = Object.entries(paths)
    .filter(([template]) => {
      const pattern = template.replace(/[.+]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
      return new RegExp(`^${pattern}$`).test(path);
    })
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length);
  return candidates[0]?.[1][method.toLowerCase()];
}

/** What the exchange tells its pages, at an address relative to that of /docs. */
export async function readFacts(base) {
  return (await fetch(new URL('ui/facts.json', base))).json();
}

/**
 * A signer of requests `{ url, method, headers, body }`, with body as text. `facts` are those of
 * `readFacts`.
 */
export class RequestSigner {
  #document;
  #facts;
  #base;
  #credentials = new Map();

  constructor({ document, facts, base }) {
    this.#document = document;
    this.#facts = facts;
    this.#base = base;
  }

  /** The request with the headers, and for orders the body, that it needs from an account. */
  async sign(request, privateKey) {
    const { pathname } = new URL(request.url, this.#base);
    const method = request.method ?? 'GET';
    if (method === 'GET' && request.body !== undefined) {
      throw new Error('a browser can not send a GET with a body: use the POST of the same path');
    }
    const kind = kindOf(findOperation(this.#document, method, pathname));
    if (kind === undefined) return request;
    const headers = { ...request.headers };
    if (kind === 'l1') {
      return { ...request, headers: { ...headers, ...this.#walletHeaders(privateKey, '0') } };
    }
    const credentials = await this.credentialsOf(privateKey);
    const body =
      ORDER_PATHS.includes(pathname) && method === 'POST'
        ? await this.#signOrders(request.body, privateKey, credentials)
        : request.body;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = `${timestamp}${method}${pathname}${body ?? ''}`;
    return {
      ...request,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...headers,
        SERVICE_ADDRESS: addressOf(privateKey),
        SERVICE_API_KEY: credentials.apiKey,
        SERVICE_PASSPHRASE: credentials.passphrase,
        SERVICE_TIMESTAMP: timestamp,
        SERVICE_SIGNATURE: await hmac(credentials.secret, signed),
      },
    };
  }

  /** Takes the status of each answer: after a 401 the page asks for the API key again. */
  noteAnswer(status) {
    if (status === UNAUTHORIZED) this.#credentials.clear();
  }

  #walletHeaders(privateKey, nonce) {
    const address = addressOf(privateKey);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const digest = authDigest(address, timestamp, nonce, this.#facts.chainIds[0]);
    return {
      SERVICE_ADDRESS: address,
      SERVICE_TIMESTAMP: timestamp,
      SERVICE_NONCE: nonce,
      SERVICE_SIGNATURE: signHash(digest, privateKey),
    };
  }

  /** The API key of an account: that of nonce 0, or of the first free nonce if it was revoked. */
  async credentialsOf(privateKey) {
    const known = this.#credentials.get(privateKey);
    if (known !== undefined) return known;
    const make = (nonce) =>
      this.#send('/auth/api-key', {
        method: 'POST',
        headers: this.#walletHeaders(privateKey, nonce),
      });
    let answer = await make('0');
    let credentials = await answer.json();
    if (credentials.code === 'nonce_revoked') {
      answer = await make(credentials.nextNonce);
      credentials = await answer.json();
    }
    if (!answer.ok) throw new Error(`no API key for this account: ${credentials.error}`);
    this.#credentials.set(privateKey, credentials);
    return credentials;
  }

  #send(path, options) {
    return fetch(new URL(path, this.#base), options);
  }

  /** Orders of a body become orders of the account, signed now. Other bodies stay as they are. */
  async #signOrders(body, privateKey, { apiKey }) {
    let parsed;
    try {
      parsed = JSON.parse(body);
    } catch {
      // The exchange says what is wrong with it.
      return body;
    }
    const sign = async (entry) => {
      if (typeof entry?.order?.tokenId !== 'string') return entry;
      const address = addressOf(privateKey);
      const order = {
        ...entry.order,
        maker: address,
        signer: address,
        timestamp: String(Date.now()),
      };
      const domain = await this.#domainOf(order.tokenId);
      const signature = signHash(orderDigest(order, domain), privateKey);
      return { ...entry, order: { ...order, signature }, owner: apiKey };
    };
    const signed = Array.isArray(parsed) ? await Promise.all(parsed.map(sign)) : await sign(parsed);
    return JSON.stringify(signed);
  }

  async #domainOf(tokenId) {
    const query = new URLSearchParams({ token_id: tokenId });
    const answer = await this.#send(`/neg-risk?${query}`);
    const { neg_risk: isNegRisk = false } = await answer.json();
    // `orderDigest` knows the current struct only.
    return this.#facts.domains.find(
      ({ negRisk, struct }) => struct === 'order11' && (negRisk === isNegRisk || negRisk === null),
    );
  }
}
