// Requests of one operation of the document: as it describes them, and with something wrong.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../http/documentation/schema.ts';
import { asObject, type Operation } from '../documentation/read-document.ts';
import type { OrderWishes } from '../exchange-fixture.ts';
import { faulty, fromSchema, type Pool } from './from-schema.ts';
import { brokenBody, hostileText } from './hostile.ts';

/** What is sent as credentials. */
export interface CredentialsWish {
  readonly kind: 'good' | 'none' | 'wrong';
  /** For wrong headers: the header to change and its new text; undefined removes it. */
  readonly header: number;
  readonly text: string | undefined;
}

export interface RequestWish {
  readonly path: string;
  readonly credentials: CredentialsWish;
  readonly body: BodyWish;
}

/** A text, or orders that are signed when they are sent. */
export type BodyWish =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string | Buffer }
  | { readonly kind: 'orders'; readonly orders: readonly OrderWishes[]; readonly isBatch: boolean };

export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonObject;
}

function parametersOf(content: JsonObject): readonly Parameter[] {
  return (Array.isArray(content.parameters) ? content.parameters.map(asObject) : []).map((one) => ({
    name: String(one.name),
    place: one.in === 'path' ? 'path' : 'query',
    required: one.required === true,
    schema: asObject(one.schema),
  }));
}

function textOf(value: Json): string {
  return Array.isArray(value) ? value.map(textOf).join(',') : String(value);
}

function asText(values: fc.Arbitrary<Json>): fc.Arbitrary<string> {
  return values.map(textOf);
}

/** Lone surrogates have no percent encoding. As in browsers, U+FFFD replaces them. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function segmentOf({ name, schema }: Parameter, pool: Pool): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: asText(fromSchema(schema, name, pool)).map(encode) },
    { weight: 1, arbitrary: hostileText.map(encode) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '..', '.', '%2f', '%00', '+', '*') },
  );
}

/** One parameter with a valid value. */
function goodPair({ name, schema }: Parameter, pool: Pool): fc.Arbitrary<string> {
  return asText(fromSchema(schema, name, pool)).map((text) => `${name}=${encode(text)}`);
}

/** A valid parameter. An optional one may be absent. */
function plainPair(parameter: Parameter, pool: Pool): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 1, arbitrary: goodPair(parameter, pool) },
    { weight: parameter.required ? 0 : 3, arbitrary: fc.constant('') },
  );
}

/** One parameter of a query; sometimes repeated, odd or left out. */
function pairOf(parameter: Parameter, pool: Pool): fc.Arbitrary<string> {
  const { name, required } = parameter;
  const good = goodPair(parameter, pool);
  const odd = fc.oneof(
    hostileText.map((text) => `${name}=${encode(text)}`),
    fc.tuple(good, hostileText).map(([first, text]) => `${first}&${name}=${encode(text)}`),
    fc.constantFrom(name, `${name}=%`, `${name}[]=1`, `${encode(`${name} `)}=1`, `${name}==`),
  );
  const absent = fc.constant('');
  return fc.oneof(
    { weight: required ? 12 : 4, arbitrary: good },
    { weight: 2, arbitrary: odd },
    { weight: required ? 1 : 4, arbitrary: absent },
  );
}

const strayPair = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__=1', 'constructor=1', 'a[b]=c', '&&', '=', '%=%', 'x'),
  },
);

/** A quarter of the queries is valid: with many parameters, one would nearly always be odd. */
function queryOf(parameters: readonly Parameter[], pool: Pool): fc.Arbitrary<string> {
  const odd = fc.tuple(...parameters.map((parameter) => pairOf(parameter, pool)), strayPair);
  const plain = fc.tuple(...parameters.map((parameter) => plainPair(parameter, pool)));
  return fc
    .oneof({ weight: 3, arbitrary: odd }, { weight: 1, arbitrary: plain })
    .map((pairs) => pairs.filter((pair) => pair !== '').join('&'));
}

function pathOf({ path, content }: Operation, pool: Pool): fc.Arbitrary<string> {
  const parameters = parametersOf(content);
  const inPath = parameters.filter(({ place }) => place === 'path');
  const segments = fc.tuple(...inPath.map((parameter) => segmentOf(parameter, pool)));
  const query = queryOf(
    parameters.filter(({ place }) => place === 'query'),
    pool,
  );
  // The prefix /data is not used, since with it some paths are those of another route.
  const prefix = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('/clob', '/gamma') },
  );
  return fc.tuple(segments, query, prefix).map(([texts, pairs, before]) => {
    let filled = before + path;
    for (const [index, { name }] of inPath.entries()) {
      filled = filled.replace(`{${name}}`, () => texts[index] ?? '');
    }
    return pairs === '' ? filled : `${filled}?${pairs}`;
  });
}

const credentials: fc.Arbitrary<CredentialsWish> = fc.record({
  kind: fc.oneof(
    { weight: 10, arbitrary: fc.constant('good' as const) },
    { weight: 1, arbitrary: fc.constantFrom('none' as const, 'wrong' as const) },
  ),
  header: fc.nat(8),
  text: fc.oneof(
    fc.constant(undefined),
    fc.constantFrom('0', '-1', 'x', '0x00', '1e3', 'NaN', 'y'.repeat(200), 'é', '__proto__'),
  ),
});

/** Valid orders, for which the account may lack cash or tokens. */
function plainOrder(tokens: readonly string[]): fc.Arbitrary<OrderWishes> {
  return fc.record({
    tokenId: fc.constantFrom(...tokens),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    priceTicks: fc.integer({ min: 1, max: 99 }).map((cents) => cents * 100),
    lots: fc.integer({ min: 500, max: 3_000 }),
    orderType: fc.constantFrom('GTC', 'FOK', 'FAK', 'gtc'),
    changes: fc.record({ salt: fc.nat() }),
  });
}

function oddOrder(tokens: readonly string[]): fc.Arbitrary<OrderWishes> {
  return fc.record(
    {
      tokenId: fc.constantFrom(...tokens, '7'),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      priceTicks: fc.integer({ min: 0, max: 10_001 }),
      lots: fc.integer({ min: 0, max: 2 ** 40 }),
      orderType: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK', 'IOC'),
      postOnly: fc.boolean(),
      changes: fc.record(
        {
          salt: fc.nat(),
          expiration: fc.constantFrom('0', '1', '1780459126', '9'.repeat(30)),
          signatureType: fc.constantFrom(0, 1, 2, 3),
          metadata: fc.constantFrom(`0x${'0'.repeat(64)}`, '0x', 'x'),
          builder: fc.constantFrom(`0x${'0'.repeat(64)}`, `0x${'b'.repeat(64)}`),
        },
        { requiredKeys: ['salt'], noNullPrototype: true },
      ),
    },
    { requiredKeys: ['tokenId', 'changes'], noNullPrototype: true },
  );
}

/** The routes that take signed orders, and whether they take several. */
const TAKES_ORDERS = new Map([
  ['POST /order', false],
  ['POST /orders', true],
]);

/** Routes whose bodies have so many rules that random values would never satisfy all of them. */
const TAKES_EXAMPLE: ReadonlySet<string> = new Set([
  'POST /events',
  'POST /events/{event_id}/markets',
  'POST /sign-order',
]);

function signedOrders(isBatch: boolean, pool: Pool): fc.Arbitrary<BodyWish> {
  // The tokens of the market whose orders are signed for the right contract come first.
  const tokens = pool('token_id').slice(0, 2);
  return fc
    .array(fc.oneof(plainOrder(tokens), oddOrder(tokens)), {
      minLength: 1,
      maxLength: isBatch ? 4 : 1,
    })
    .map((orders) => ({ kind: 'orders', orders, isBatch }));
}

function bodyOf({ method, path, content }: Operation, pool: Pool): fc.Arbitrary<BodyWish> {
  const none = fc.constant<BodyWish>({ kind: 'none' });
  const asBody = (text: string | Buffer): BodyWish => ({ kind: 'text', text });
  const broken = brokenBody.map(asBody);
  if (content.requestBody === undefined) {
    return fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: broken });
  }
  const media = asObject(asObject(asObject(content.requestBody).content)['application/json']);
  const values = fromSchema(asObject(media.schema), 'body', pool);
  const isBatch = TAKES_ORDERS.get(`${method} ${path}`);
  return fc.oneof(
    { weight: 4, arbitrary: values.map((value) => asBody(JSON.stringify(value))) },
    { weight: 4, arbitrary: faulty(values).map((value) => asBody(JSON.stringify(value))) },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: none },
    { weight: isBatch === undefined ? 0 : 6, arbitrary: signedOrders(isBatch ?? false, pool) },
    {
      weight: TAKES_EXAMPLE.has(`${method} ${path}`) ? 6 : 0,
      arbitrary: fc.constant(asBody(JSON.stringify(media.example ?? null))),
    },
  );
}

/** Requests of an operation. */
export function requestsOf(operation: Operation, pool: Pool): fc.Arbitrary<RequestWish> {
  return fc.record({
    path: pathOf(operation, pool),
    credentials,
    body: bodyOf(operation, pool),
  });
}
