/**
 * Makes an OpenAPI 3.1 document from a table of routes.
 *
 * Invariant: it contains every route of the table and nothing else. The server checks input with
 * the same schemas.
 */
import type { TSchema } from 'typebox';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import type { Auth, RouteDefinition } from '../api/index.ts';
import type { Example } from './examples.ts';
import responses from './openapi/responses.json' with { type: 'json' };
import { operationOf, schemesOf } from './operation.ts';
import { expanded, type Json, type JsonObject, toJson } from './schema.ts';

export interface DocumentOptions {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly tags: readonly JsonObject[];
  readonly tagOf: (path: string) => string | undefined;
  /** Schemas that several routes share, by their names in the document. */
  readonly sharedSchemas: Readonly<Record<string, TSchema>>;
  readonly exampleOf: (route: RouteDefinition) => Example | undefined;
}

const OPENAPI_VERSION = '3.1.0';

/** The names of all shared schemas that a part of the document refers to. */
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

export function openApiDocument(
  routes: readonly RouteDefinition[],
  options: DocumentOptions,
): JsonObject {
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
