/** Makes an operation of the document from a route. */
import { strict as assert } from 'node:assert';
import { type TSchema, Type } from 'typebox';
import type { Auth, RouteDefinition } from '../api/index.ts';
import areas from './openapi/areas.json' with { type: 'json' };
import securitySchemes from './openapi/security-schemes.json' with { type: 'json' };
import {
  type Example,
  expanded,
  isJsonObject,
  type Json,
  type JsonObject,
  referenced,
  type SharedNames,
  toJson,
} from './schema.ts';

/** The areas by which the document groups its routes. */
interface Area {
  readonly name: string;
  readonly description: string;
  /** The first segments of its paths; two where one is not enough. */
  readonly segments: readonly string[];
}

const PUBLIC_AREAS: readonly Area[] = areas;

/** The area of a path of the public listener; undefined for a path without an area. */
export function publicTagOf(path: string): string | undefined {
  const [first = '', second = ''] = path.split('/').slice(1);
  const starts = [first === '' ? '/' : first, `${first}/${second}`];
  return PUBLIC_AREAS.find(({ segments }) => starts.some((start) => segments.includes(start)))
    ?.name;
}

export const PUBLIC_TAGS: readonly JsonObject[] = PUBLIC_AREAS.map(({ name, description }) => ({
  name,
  description,
}));
export const OPERATOR_TAG = {
  name: 'Operator',
  description: 'Accounts, money, markets and audits',
} as const satisfies JsonObject;

// The authentication of routes in the document: one scheme for each header, and the headers that
// each kind of authentication needs together (wire 2.2, 2.4, 2.6).

/** The headers with the prefix SERVICE_; the server reads KUEST_ and POLY_ too. */
const SECURITY_SCHEMES: JsonObject = securitySchemes;

function all(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, []]));
}

const L1 = all('address', 'timestamp', 'nonce', 'walletSignature');
const L2 = all('address', 'apiKey', 'passphrase', 'timestamp', 'requestSignature');
const BUILDER = all('builderApiKey', 'builderTimestamp', 'builderPassphrase', 'builderSignature');

/** The alternatives of each kind; an empty one needs no header. */
const REQUIREMENTS: Readonly<Record<Auth, readonly JsonObject[]>> = {
  none: [],
  l1: [L1],
  l2: [L2],
  may_l2: [L2, {}],
  l2_of_builder: [L2, { ...L2, ...BUILDER }],
  builder: [BUILDER, L2],
  may_builder: [BUILDER, {}],
  operator: [all('operatorToken')],
};

function securityOf(auth: Auth): readonly JsonObject[] {
  return REQUIREMENTS[auth];
}

export function schemesOf(kinds: Iterable<Auth>): JsonObject {
  const names = new Set([...kinds].flatMap((auth) => securityOf(auth).flatMap(Object.keys)));
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => names.has(name)));
}

export interface OperationContext {
  readonly shared: SharedNames;
  /** The group in which the document shows it. */
  readonly tag: string | undefined;
  readonly example: Example | undefined;
}

const JSON_TYPE = 'application/json';

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * `GET /data/order/{id}` becomes getDataOrderById, and `GET /ui/` getUiIndex: as unique and stable
 * as the path.
 */
function operationIdOf({ method, path }: Pick<RouteDefinition, 'method' | 'path'>): string {
  const words = path
    .replace(/(?<=.)\/$/, '/index')
    .replaceAll('{', 'by ')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + (words.length === 0 ? 'Root' : words.map(capitalised).join(''));
}

function requiredOf(schema: JsonObject): readonly Json[] {
  return Array.isArray(schema.required) ? schema.required : [];
}

/** The properties of a schema of parameters, as parameters of the document. */
function parametersIn(
  place: 'path' | 'query',
  schema: TSchema,
  values: Readonly<Record<string, Json>>,
): readonly JsonObject[] {
  const object = toJson(schema);
  const properties = object.properties ?? {};
  assert(isJsonObject(properties), 'parameters are an object of schemas');
  return Object.entries(properties).map(([name, property]) => {
    assert(isJsonObject(property), 'a property has a schema');
    const { description, ...rest } = property;
    const example = values[name];
    return {
      name,
      in: place,
      // A parameter with a default is optional.
      required:
        place === 'path' || (requiredOf(object).includes(name) && rest.default === undefined),
      ...(description === undefined ? {} : { description }),
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: expanded(rest, new Map()),
      ...(example === undefined ? {} : { example }),
    };
  });
}

function contentOf(
  type: string,
  schema: TSchema,
  shared: SharedNames,
  example: Json | undefined,
): JsonObject {
  return {
    [type]: {
      schema: referenced(toJson(schema), shared),
      ...(example === undefined ? {} : { example }),
    },
  };
}

function bodyOf(
  route: RouteDefinition,
  { shared, example }: OperationContext,
): JsonObject | undefined {
  const schema = route.documentedBody ?? route.body;
  if (Type.IsUnknown(route.body) || Type.IsUnknown(schema)) return undefined;
  // A body that its handler checks itself is optional if none of its properties is required.
  const required = !Type.IsAny(route.body) || toJson(schema).required !== undefined;
  return { required, content: contentOf(JSON_TYPE, schema, shared, example?.body) };
}

function responsesOf(route: RouteDefinition, { shared, example }: OperationContext): JsonObject {
  const { status = 200, contentType = JSON_TYPE, response, auth, failure } = route;
  const done = contentOf(contentType, response, shared, example?.response);
  const tooMany = { $ref: '#/components/responses/TooManyRequests' };
  if (failure !== undefined) {
    const refused = contentOf(JSON_TYPE, failure, shared, undefined);
    return {
      [status]: { description: 'Done', content: done },
      '429': tooMany,
      default: { description: 'Refused; `code` says why', content: refused },
    };
  }
  return {
    [status]: { description: status < 400 ? 'Done' : 'Always refused', content: done },
    ...(auth === 'none' ? {} : { '401': { $ref: '#/components/responses/Unauthorized' } }),
    '429': tooMany,
    default: { $ref: '#/components/responses/Failure' },
  };
}

export function operationOf(route: RouteDefinition, context: OperationContext): JsonObject {
  const { summary, params, query, documentedQuery = query, auth, role = 'admin' } = route;
  const { tag, example } = context;
  const requestBody = bodyOf(route, context);
  return {
    operationId: operationIdOf(route),
    summary,
    ...(auth === 'operator' ? { description: `Role: ${role}` } : {}),
    ...(tag === undefined ? {} : { tags: [tag] }),
    security: securityOf(auth),
    parameters: [
      ...parametersIn('path', params, example?.params ?? {}),
      ...parametersIn('query', documentedQuery, example?.query ?? {}),
    ],
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(route, context),
  };
}
