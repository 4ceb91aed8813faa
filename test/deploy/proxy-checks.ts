/**
 * What must hold through a proxy: requests, sockets, addresses, bounds, and what is not reachable.
 * Each check throws with what was expected.
 */
import { strict as assert } from 'node:assert';
import { request as requestPlain } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type RequestOptions, request } from 'node:https';
import { Chain, OrderType, Side } from '@polymarket/clob-client-v2';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import type { ExchangeProcess } from '../exchange-process.ts';
import { newTrader, type Trader } from '../published-client.ts';
import type { FrontServer } from './front-servers.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asking
  extends Pick<RequestOptions, 'method' | 'headers' | 'localAddress' | 'servername'> {
  readonly body?: string;
}

/** Sends one request on a connection of its own. */
export function ask(url: string, { body = '', ...options }: Asking = {}): Promise<Reply> {
  const send = url.startsWith('https:') ? request : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = send(url, { ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export function codeOf({ status, text }: Reply): string {
  assert.ok(text.startsWith('{'), `JSON and not: ${status} ${text.slice(0, 200)}`);
  return `${status} ${JSON.parse(text).code}`;
}

/** Where a proxy and its exchange are, and the row of limits that the exchange was given. */
export interface Venue {
  readonly front: FrontServer;
  readonly exchange: ExchangeProcess;
  readonly operatorToken: string;
}

/** The row of `/midpoint` that the exchange of these tests runs with. */
export const MIDPOINT_LIMIT = { capacity: 5, windowSeconds: 600 } as const;

async function serveHttp({ front }: Venue): Promise<void> {
  const moved = await ask(`${front.plainUrl}/book?token_id=1`, { headers: { host: 'localhost' } });
  assert.equal(moved.status, 308);
  assert.match(String(moved.headers.location), /^https:\/\/localhost.*\/book\?token_id=1$/);
  const headers = { 'X-Request-Id': 'through-the-proxy', 'X-Long': 'x'.repeat(12_000) };
  const ready = await ask(`${front.url}/readyz`, { headers });
  assert.equal(ready.status, 200);
  assert.equal(ready.headers['x-request-id'], 'through-the-proxy');
  assert.equal(ready.headers['strict-transport-security'], 'max-age=31536000');
  const page = await ask(`${front.url}/ui/`);
  assert.match(page.text, /<html/);
  const origin = { Origin: 'https://app.example' };
  const events = await ask(`${front.url}/gamma/events?limit=1`, { headers: origin });
  assert.ok(events.text.includes(`"${front.url}/`), 'pictures have the address of the proxy');
}

/** By HTTP/2, which browsers use. */
async function serveHttp2({ front }: Venue): Promise<void> {
  const session = connectHttp2(front.url);
  const stream = session.request({ ':path': '/ui/facts.json' });
  let text = '';
  for await (const part of stream.setEncoding('utf8')) text += part;
  session.close();
  const { sandbox, acceptsKeys, devAccounts } = JSON.parse(text);
  assert.deepEqual({ sandbox, acceptsKeys, devAccounts }, PROXIED_FACTS);
}
/** A sandbox that is seen through a proxy shows no keys. */
const PROXIED_FACTS = { sandbox: true, acceptsKeys: false, devAccounts: [] };

/** An address has its own budget, and can't get another one by a header that it writes. */
async function countAddresses({ front }: Venue): Promise<void> {
  const from = (localAddress: string, headers = {}): Promise<Reply> =>
    ask(`${front.url}/midpoint?token_id=1`, { localAddress, headers });
  for (let count = 0; count < MIDPOINT_LIMIT.capacity; count += 1) {
    assert.notEqual((await from('127.0.0.2')).status, 429);
  }
  const refused = '429 too_many_requests';
  assert.equal(codeOf(await from('127.0.0.2')), refused);
  const other = await from('127.0.0.3');
  assert.equal(other.headers['x-ratelimit-remaining'], `${MIDPOINT_LIMIT.capacity - 1}`);
  const forged = { 'X-Forwarded-For': '192.0.2.7', Forwarded: 'for=192.0.2.7' };
  assert.equal(codeOf(await from('127.0.0.2', forged)), refused);
  const twice = { 'X-Forwarded-For': '192.0.2.7, 127.0.0.1', 'X-Real-IP': '192.0.2.7' };
  assert.equal(codeOf(await from('127.0.0.2', twice)), refused);
}

async function boundBodies({ front }: Venue): Promise<void> {
  const post = (path: string, bytes: number): Promise<Reply> =>
    ask(front.url + path, { method: 'POST', body: 'x'.repeat(bytes) });
  const ofExchange = await post('/order', HTTP_BOUNDS.bodyBytes + 1);
  assert.equal(JSON.parse(ofExchange.text).limit, HTTP_BOUNDS.bodyBytes);
  assert.equal(codeOf(await post('/orders', HTTP_BOUNDS.ordersBodyBytes)).slice(0, 3), '401');
  assert.equal(
    codeOf(await post('/orders', HTTP_BOUNDS.ordersBodyBytes + 1)),
    '413 body_too_large',
  );
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, unknown>>;
}

async function pathsOf(url: string, headers = {}): Promise<readonly string[]> {
  const { text } = await ask(`${url}/openapi.json`, { headers });
  const document: ApiDocument = JSON.parse(text);
  return Object.keys(document.paths);
}

/** No path of the operator alone is known through the proxy, whatever token comes with it. */
async function hideOperator({ front, exchange, operatorToken }: Venue): Promise<void> {
  const headers = { authorization: `Bearer ${operatorToken}` };
  const known = new Set(await pathsOf(front.url));
  const own = (await pathsOf(exchange.adminUrl, headers)).filter((path) => !known.has(path));
  assert.ok(own.includes('/audit') && own.includes('/metrics'), own.join());
  const { port } = new URL(exchange.adminUrl);
  for (const path of own) {
    const host = { host: `localhost:${port}` };
    for (const head of [headers, { ...headers, ...host }]) {
      const { status } = await ask(front.url + path.replaceAll(/[{}]/g, ''), { headers: head });
      assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
    }
  }
}

async function logNoSecrets({ front }: Venue): Promise<void> {
  const query = 'key=11111111-2222-3333-4444-555555555555';
  const headers = { POLY_PASSPHRASE: 'passphrase-of-this-test' };
  await ask(`${front.url}/auth/validate-readonly-api-key?${query}`, { headers });
  const log = await front.logWith('validate-readonly-api-key');
  assert.ok(!log.includes('11111111-2222'), 'without its query');
  assert.ok(!log.includes('passphrase-of-this-test'), 'and without its headers');
}

export interface Traders {
  readonly alice: Trader;
  readonly bob: Trader;
  readonly yes: string;
  readonly no: string;
}

/** Two traders whose clients know the proxy only, and a market that trades. */
export async function makeTraders({ front }: Venue): Promise<Traders> {
  const alice = await newTrader('Alice', front.url, Chain.POLYGON);
  const bob = await newTrader('Bob', front.url, Chain.POLYGON);
  const { data } = await alice.client.getSamplingSimplifiedMarkets();
  const market = data.find(
    (one: { accepting_orders: boolean; neg_risk: boolean }) =>
      one.accepting_orders && !one.neg_risk,
  );
  const [{ token_id: yes }, { token_id: no }] = market.tokens;
  return { alice, bob, yes, no };
}

/** Alice bids for YES and Bob for NO, which mints; at `host` if it is not the proxy's. */
export async function trade({ alice, bob, yes, no }: Traders, host?: string): Promise<void> {
  const [buyer, seller] = [alice, bob].map((one) => (host ? one.clientAt(host) : one.client));
  const size = 5;
  const bid = { tokenID: yes, side: Side.BUY, size, price: 0.4 };
  const placed = await buyer?.createAndPostOrder(bid, {}, OrderType.GTC);
  assert.equal(placed?.status, 'live', JSON.stringify(placed));
  const other = { tokenID: no, side: Side.BUY, size, price: 0.6 };
  const matched = await seller?.createAndPostOrder(other, {}, OrderType.GTC);
  assert.equal(matched?.status, 'matched', JSON.stringify(matched));
}

async function serveClients(venue: Venue): Promise<void> {
  const traders = await makeTraders(venue);
  await trade(traders);
  const [theirs] = await traders.bob.client.getTrades();
  assert.equal(theirs?.size, '5');
}

/** The checks that hold for each proxy, by what they show. */
export const CHECKS: Readonly<Record<string, (venue: Venue) => Promise<void>>> = {
  'HTTP: redirect, heads, pages, pictures': serveHttp,
  'HTTP/2; a sandbox shows no keys through a proxy': serveHttp2,
  'two published clients trade': serveClients,
  'addresses are counted, forged ones are not': countAddresses,
  'bodies are bounded': boundBodies,
  "the operator's listener can't be reached": hideOperator,
  'the log has neither queries nor headers': logNoSecrets,
};
