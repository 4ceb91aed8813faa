/** The documents of the public listener and of the operator's listener. */

import type { TSchema } from 'typebox';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import type { Auth, RouteDefinition } from '../api/index.ts';
import { ROLE_TEXTS } from '../operators/operator-gate.ts';
import { OPERATOR_TAG, operationOf, PUBLIC_TAGS, publicTagOf, schemesOf } from './operation.ts';
import { type Example, exampleOf, expanded, type Json, type JsonObject, toJson } from './schema.ts';
import { SHARED_SCHEMAS } from './shared-schemas.ts';

const PUBLIC: DocumentOptions = {
  title: 'outcome-exchange',
  description: [
    'A prediction-market exchange with the order-book interface of published clients.',
    '',
    '- **Units.** Prices are between 0 and 1 in steps of the tick of their market; sizes are in',
    '  steps of 0.01 tokens. Both are decimal texts. `makerAmount` and `takerAmount` of a signed',
    '  order are in millionths.',
    '- **Auth headers** begin with `SERVICE_`, as shown here, or with `KUEST_` or `POLY_`; all',
    '  headers of a request have the same prefix.',
    '- **Dialects.** Where the two public venues of this family differ, an answer has the form of',
    '  the venue that the prefix belongs to (`POLY_`: polymarket; `KUEST_` and `SERVICE_`: kuest).',
    '  Without auth headers the profile of `--profile` decides: polymarket by default.',
    '- **Path prefixes** `/clob`, `/gamma`, `/data` and `/data-api` are accepted before every',
    '  path; a signature may be made for the path with or without it.',
    '- **Failures** are JSON with a sentence in `error` and a stable `code`. Every answer has an',
    '  `x-request-id` header.',
    '- **Retries.** A signed order that is sent again is never placed twice. The answer has its',
    '  current result and `duplicate: true`.',
    '- **Streams** are WebSockets beside these routes: `/asyncapi.json` describes them.',
    '- **Trying a request.** The page signs it as the dev account that is chosen at the top; an',
    '  order becomes an order of that account, made now. The examples work on a new exchange,',
    '  but an order, a comment or a resolved market must be one that exists here.',
    '- Unknown parameters and keys are ignored; the header `X-Ignored-Parameters` names such',
    '  parameters. Lists in a query are comma-separated or repeated.',
  ].join('\n'),
  tags: PUBLIC_TAGS,
  tagOf: publicTagOf,
  sharedSchemas: SHARED_SCHEMAS,
  exampleOf: (route) => exampleOf('public', route),
};

const OPERATOR: DocumentOptions = {
  title: "outcome-exchange: the operator's API",
  description: [
    'Served on its own listener, by default on the loopback address only, with a bearer token.',
    'Each movement of money has an idempotency key and is made once. Where each operator has a',
    'token of its own (`--operators`), the token says who asks, and its roles say what for:',
    '',
    ...Object.entries(ROLE_TEXTS).map(([role, text]) => `- \`${role}\`: ${text}`),
    '',
    'Every role but `metrics` also reads. A token that all share has the role `admin`.',
  ].join('\n'),
  tags: [OPERATOR_TAG],
  tagOf: () => OPERATOR_TAG.name,
  sharedSchemas: SHARED_SCHEMAS,
  exampleOf: (route) => exampleOf('operator', route),
};

export type ListenerName = 'public' | 'operator';

export function documentOf(listener: ListenerName, routes: readonly RouteDefinition[]) {
  const options = listener === 'public' ? PUBLIC : OPERATOR;
  const ofPlots = routes.map((route) => route.sharedSchemas ?? {});
  const sharedSchemas = Object.assign({}, options.sharedSchemas, ...ofPlots);
  return openApiDocument(routes, { ...options, sharedSchemas });
}

// Makes an OpenAPI 3.1 document from a table of routes.
//
// Invariant: it contains every route of the table and nothing else. The server checks input with
// the same schemas.

import responses from './openapi/responses.json' with { type: 'json' };

interface DocumentOptions {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly tags: readonly JsonObject[];
  readonly tagOf: (path: string) => string | undefined;
  readonly sharedSchemas: Readonly<Record<string, TSchema>>;
  readonly exampleOf: (route: RouteDefinition) => Example | undefined;
}

const OPENAPI_VERSION = '3.1.0';

function referencesIn(value: Json): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );
}

/** The shared schemas that the document refers to, directly or through others. */
function usedOf(schemas: JsonObject, root: Json): JsonObject {
  const used = new Set<string>();
  const open = [...referencesIn(root)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    open.push(...referencesIn(schemas[name] ?? null));
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

function pathsOf(
  routes: readonly RouteDefinition[],
  { tagOf, exampleOf }: DocumentOptions,
  shared: ReadonlyMap<string, string>,
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const { method, path } = route;
    const context = { shared, tag: tagOf(path), example: exampleOf(route) };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, context) };
  }
  return paths;
}

function openApiDocument(routes: readonly RouteDefinition[], options: DocumentOptions): JsonObject {
  const plain = Object.entries(options.sharedSchemas).map(
    ([name, schema]) => [name, toJson(schema)] as const,
  );
  const shared = new Map(plain.map(([name, schema]) => [JSON.stringify(schema), name]));
  const schemas = Object.fromEntries(
    plain.map(([name, schema]) => [name, expanded(schema, shared)]),
  );
  const paths = pathsOf(routes, options, shared);
  const kinds = new Set<Auth>(routes.map(({ auth }) => auth));
  return {
    openapi: OPENAPI_VERSION,
    info: { title: options.title, version: PROGRAM_VERSION, description: options.description },
    servers: [{ url: '/', description: 'This exchange' }],
    tags: options.tags,
    paths,
    components: {
      schemas: usedOf(schemas, [paths, responses]),
      responses,
      securitySchemes: schemesOf(kinds),
    },
  };
}
