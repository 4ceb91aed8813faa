// Names of properties that every JavaScript object has, as keys of bodies and queries and as ids.
// They are never read as fields that were sent, and they change nothing in the exchange.

import t from 'tap';
import { type TSchema, Type } from 'typebox';
import type { RouteDefinition } from '../../http/api/route.ts';
import { OPERATOR_ROUTES, ROUTES } from '../all-routes.ts';
import {
  type Answer,
  sendTo,
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../http/exchange-fixture.ts';

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

interface Scene {
  readonly exchange: TestExchange;
  readonly trader: Trader;
}

/** Sends a request with the credentials that its route requires. */
function ask(
  { exchange, trader }: Scene,
  route: RouteDefinition,
  path: string,
  body?: string,
): Promise<Answer> {
  const { method, auth } = route;
  const { url, adminPort, adminToken } = exchange.running;
  if (auth === 'operator') {
    const headers = { authorization: `Bearer ${adminToken}` };
    return sendTo(`http://127.0.0.1:${adminPort}`, method, path, { headers, body });
  }
  const headers = auth === 'l1' ? trader.walletHeaders() : trader.keyHeaders(method, path, body);
  return sendTo(url, method, path, { headers: auth === 'none' ? {} : headers, body });
}

/** The names of the fields that a body may have. */
function fieldsOf(schema: TSchema): readonly string[] {
  if (Type.IsArray(schema)) return fieldsOf(schema.items);
  return Type.IsObject(schema) ? Object.keys(schema.properties) : [];
}

/** Objects that have the fields in a prototype, but none of them as an own property. */
function pollutedBy(fields: readonly string[]): readonly string[] {
  const good = JSON.stringify(Object.fromEntries(fields.map((name) => [name, '1'])));
  return [
    `{"__proto__":${good}}`,
    `{"__proto__":{"__proto__":${good}}}`,
    `{"constructor":{"prototype":${good}}}`,
    `{"prototype":${good},"toString":1,"valueOf":null,"hasOwnProperty":"x"}`,
    `{"__proto__":null,"isAdmin":true}`,
    `{"__proto__":[],"length":3}`,
  ];
}

const BODIED = [...ROUTES, ...OPERATOR_ROUTES].filter(
  ({ method, body }) => method !== 'GET' && !Type.IsUnknown(body),
);
/** The path with `nobody` for each parameter. */
function plainPath(path: string): string {
  return path.replaceAll(/\{\w+\}/g, 'nobody');
}

function whatOf({ status, body }: Answer) {
  return [status, body?.code, status < 500];
}
function ownNames() {
  return [Object, Array, String, Number, Function, Map].map(({ prototype }) =>
    Reflect.ownKeys(prototype).map(String),
  );
}

const share = await shareTestExchange(t);

/** They refuse fields that they do not know, whatever their names are. */
const REFUSES_OTHERS: ReadonlyMap<string, string> = new Map([
  ['/markets/information', 'parameter_not_served'],
  ['/sign-order', 'invalid_payload'],
]);

t.test('only own fields of a body are read', async (t) => {
  const exchange = share();
  const scene: Scene = { exchange, trader: await exchange.trader(1) };
  const before = ownNames();
  t.ok(BODIED.length > 20);
  for (const route of BODIED) {
    const path = plainPath(route.path);
    const schema = route.documentedBody ?? route.body;
    const isList = Type.IsArray(schema);
    const asBody = (text: string): string => (isList ? `[${text}]` : text);
    const plain = whatOf(await ask(scene, route, path, asBody('{}')));
    t.equal(plain[2], true, `${route.method} ${path}`);
    for (const text of pollutedBy(fieldsOf(schema))) {
      const answered = whatOf(await ask(scene, route, path, asBody(text)));
      const refusal = REFUSES_OTHERS.get(route.path);
      const expected = refusal === undefined ? plain : [400, refusal, true];
      t.strictSame(answered, expected, `${route.method} ${path} ${text}`);
    }
  }
  t.strictSame(ownNames(), before, 'the built-in prototypes are unchanged');
  t.equal(Reflect.get({}, 'isAdmin'), undefined);
});

t.test('the name of a built-in property is not an id', async (t) => {
  const exchange = share();
  const scene: Scene = { exchange, trader: await exchange.trader(1) };
  const named = [...ROUTES, ...OPERATOR_ROUTES].filter(({ path }) => path.includes('{'));
  t.ok(named.length > 5);
  for (const route of named) {
    for (const name of NAMES) {
      const path = route.path.replaceAll(/\{\w+\}/g, name);
      const { status, text } = await ask(
        scene,
        route,
        path,
        route.method === 'GET' ? undefined : '{}',
      );
      // The answer for an unknown order is null, as on the public venues.
      const isNothing = (status >= 400 && status < 500) || text === 'null';
      t.ok(isNothing, `${route.method} ${path}: ${status} ${text.slice(0, 80)}`);
    }
  }
});

t.test('the name of a built-in property in a query is an unknown parameter', async (t) => {
  const exchange = share();
  const scene: Scene = { exchange, trader: await exchange.trader(1) };
  const before = ownNames();
  const extra = NAMES.flatMap((name) => [`${name}=1`, `${name}[admin]=1`, `${name}.admin=1`]);
  const gets = ROUTES.filter(
    ({ method, auth, contentType = 'application/json', status = 200 }) =>
      method === 'GET' &&
      auth !== 'builder' &&
      contentType === 'application/json' &&
      status === 200,
  );
  for (const route of gets) {
    const path = plainPath(route.path);
    const plain = whatOf(await ask(scene, route, path));
    const answered = whatOf(await ask(scene, route, `${path}?${extra.join('&')}`));
    t.strictSame(answered, plain, path);
    const known = fieldsOf(route.documentedQuery ?? route.query);
    for (const name of NAMES.slice(0, 2)) {
      const all = known.map((field) => `${field}=${name}`).join('&');
      const { status } = await ask(scene, route, `${path}?${all}`);
      t.ok(status < 500, `${path}?${all}`);
    }
  }
  t.strictSame(ownNames(), before);
});
