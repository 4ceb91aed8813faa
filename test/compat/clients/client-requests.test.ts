// The requests that the public Python and Rust clients send, which cannot run here: for each method
// of their source the path, parameters, header names and body (client-requests.json), sent byte for
// byte and signed by a trader, and what they read of the answers.
import t, { type Test } from 'tap';
import { Router } from '../../../http/server/router.ts';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';
import { ROUTES } from '../../all-routes.ts';
import { type ApiKey, builderHeaders, makeBuilderKey } from '../../http/auth/key-fixture.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { replayTo } from '../recorded-exchange.ts';
import source from './client-requests.json' with { type: 'json' };
import { checkerOf, type FieldList, RUST, SDK } from './field-lists.ts';

interface Client {
  /** The types of answers that differ from its list's, by route. */
  readonly answers: Readonly<Record<string, string>>;
  /** What precedes each path; Rust clients sign it too (wire 0.3). */
  readonly base: string;
  /** Of every request, spelled as the client does. */
  readonly headers: Readonly<Record<string, string>>;
  /** The keys of an order in a body, in their order. */
  readonly order: string;
  /** By method of the client: `AUTH METHOD url`, with its body if it has one. */
  readonly calls: Readonly<Record<string, string | readonly unknown[]>>;
}

const CLIENTS: Readonly<Record<string, Client>> = source.clients;

/** The fields that the two older Python clients read; they pass on whatever else there is. */
const PYTHON: FieldList = source.python;

const ANSWERS: Readonly<Record<string, FieldList>> = {
  'py-clob-client': PYTHON,
  'py-clob-client-v2': PYTHON,
  'py-sdk': SDK,
  // It reads what the SDK of its time read; strict-readers.ts has that one's schemas.
  'py-sdk data': { types: {}, routes: {} },
  'rs-clob-client-v2': RUST,
  'rs-clob-client-v2 data': RUST,
  'rs-clob-client-v2 gamma': RUST,
};

/** Answers that a client cannot read, by client and method, and why. */
const NOT_READ: Readonly<Record<string, string>> = {
  'rs-clob-client-v2 readonly_api_keys': 'a list, as all other clients read it (wire 1.3)',
};

const routes = new Router<string>();
for (const route of ROUTES) routes.add(route, `${route.method} ${route.path}`);

function routeOf(method: string, url: string): string {
  const found = routes.find(method, url.split('?')[0] ?? '');
  return found.kind === 'route' ? found.target : '';
}

/** Lists that have something for the trader of a scene, whatever the filters. */
const FOUND = new Set([
  ...['GET /data/orders', 'GET /data/trades', 'GET /builder/trades', 'GET /trades', 'GET /events'],
  ...['GET /activity', 'GET /positions', 'GET /markets', 'GET /markets/keyset', 'GET /comments'],
]);

/** How many rows an answer has: as a list, or under its one list. */
function rowsOf(body: unknown): number {
  const list = Array.isArray(body) ? body : Object.values(Object(body)).find(Array.isArray);
  return list?.length ?? 0;
}

const share = await shareTestExchange(t);
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
const HALF = { priceTicks: 5_000, lots: 2_000 };

/** A signed order with the given keys, of the version that they are of. */
function signedOrder(
  trader: Trader,
  values: ReadonlyMap<string, string>,
  keys: readonly string[],
): string {
  const [tokenId = '', builder = ''] = [values.get('yes'), values.get('builder')];
  const struct = keys.includes('taker') ? 'order12' : 'order11';
  const domain = DEFAULT_DOMAINS.find(
    (one) => one.struct === struct && one.chainId === 137 && one.negRisk !== true,
  );
  if (domain === undefined) throw new Error(`no domain of ${struct}`);
  const old = { taker: ZERO_ADDRESS, nonce: '0', feeRateBps: '0' };
  const zero = `0x${'0'.repeat(64)}`;
  const changes = struct === 'order12' ? old : { metadata: zero, builder };
  const { order } = trader.order({ tokenId, priceTicks: 4_000, lots: 1_000, domain, changes });
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, order[key]])));
}

interface Scene {
  readonly exchange: TestExchange;
  readonly trader: Trader;
  readonly builderKey: ApiKey;
  /** What stands in braces in the requests. */
  readonly values: Map<string, string>;
}

/** A trader with an order and a trade in a plain market, and a comment on its event. */
async function startScene(): Promise<Scene> {
  const exchange = share();
  const { plain, running } = exchange;
  const [trader, other] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = plain.tokenIds;
  const builder = `0x${'0'.repeat(24)}${trader.address.slice(2)}`;
  await trader.place({ tokenId: yes, ...HALF, changes: { builder } });
  await other.place({ tokenId: no, ...HALF });
  const resting = await trader.place({ tokenId: yes, priceTicks: 3_000, lots: 1_000 });
  const { lookup } = running.services.exchange.catalog;
  const market = lookup.marketByCondition(plain.conditionId);
  const event = market?.eventId ?? '';
  const subject = { parent_entity_type: 'Event', parent_entity_id: Number(event) };
  const said = await trader.signed('POST', '/comments', { body: 'Sent as they do.', ...subject });
  const [tag] = JSON.parse((await exchange.send('GET', `/events/${event}/tags`)).text);
  const values = {
    ...{ yes, no, market: plain.conditionId, order: resting.body.orderID, builder },
    ...{ address: trader.address, key: trader.credentials.apiKey, readonly: '', series: '1' },
    ...{ tag: tag.id, tagSlug: tag.slug, comment: JSON.parse(said.text).id, event },
    ...{ marketSlug: market?.slug ?? '', marketId: market?.id ?? '' },
    eventSlug: market?.eventSlug ?? '',
  };
  const builderKey = await makeBuilderKey(trader);
  return { exchange, trader, builderKey, values: new Map(Object.entries(values)) };
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? `{${name}}`);
}

interface Unsigned {
  readonly auth: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
}

function headersFor({ trader, builderKey }: Scene, { auth, method, path, body }: Unsigned) {
  if (auth === 'l1') return trader.walletHeaders();
  const own = trader.keyHeaders(method, path, body ?? '');
  if (auth === 'l2') return own;
  const timestamp = own.POLY_TIMESTAMP ?? '';
  return auth === ''
    ? {}
    : builderHeaders(builderKey, { timestamp, method, path: path.split('?')[0] ?? '' });
}

/** Sends the request of a method, and returns its answer. */
function send(scene: Scene, client: Client, call: Client['calls'][string]) {
  const { exchange, trader, values } = scene;
  const [line, content] = typeof call === 'string' ? [call] : call;
  const [path = '', method = '', auth = ''] = filled(`${line}`, values).split(' ').reverse();
  const url = client.base + path;
  const keys = client.order.split(' ');
  const order = () => signedOrder(trader, values, keys);
  const body =
    content === undefined
      ? null
      : filled(JSON.stringify(content).replaceAll('"{signed}"', order), values);
  const signed = headersFor(scene, { auth, method, path: url, body });
  const isLower = Object.keys(client.headers).every((name) => name === name.toLowerCase());
  const own = Object.entries(signed).map(([name, value]) => [
    isLower ? name.toLowerCase() : name,
    value,
  ]);
  const headers = { ...client.headers, ...Object.fromEntries(own) };
  const request = { call: '', method, url, headers, headerNames: Object.keys(headers), body };
  return {
    route: routeOf(method, path),
    answer: replayTo(exchange.running.port, request),
  };
}

for (const [name, client] of Object.entries(CLIENTS)) {
  t.test(`${name}: its requests are answered as it reads them`, async (t: Test) => {
    const scene = await startScene();
    const list = ANSWERS[name] ?? PYTHON;
    const check = checkerOf(list);
    for (const [method, call] of Object.entries(client.calls)) {
      const { route, answer } = send(scene, client, call);
      const { status, body } = await answer;
      t.equal(status, 200, `${method} ${JSON.stringify(body).slice(0, 200)}`);
      const type = client.answers[route] ?? list.routes[route];
      const read = () => type === undefined || check(body, type, method);
      const why = NOT_READ[`${name} ${method}`];
      if (why === undefined) t.doesNotThrow(read, method);
      else t.throws(read, `${method}: ${why}`);
      if (FOUND.has(route)) t.ok(rowsOf(body) > 0, `${method} finds what it asks for`);
      if (route === 'POST /auth/readonly-api-key') {
        scene.values.set('readonly', String(Object(body).apiKey));
      }
    }
  });
}
