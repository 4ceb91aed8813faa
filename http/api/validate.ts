/**
 * Validates the input of routes with compiled typebox schemas.
 *
 * Invariant: a handler gets only input that passed its schemas. The first fault becomes an
 * `ApiError` with the field, its limit and its value. Unknown keys are never refused (wire 0.7);
 * those of a query are named in the answer.
 */
import { isUtf8 } from 'node:buffer';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { jsonFault } from '../codec/index.ts';
import type { ErrorCode } from '../errors/index.ts';
import { ApiError, firstFault } from '../errors/index.ts';
import { nameChecker } from './documented-parameters.ts';
import { parseQuery, queryReader } from './query-string.ts';
import type { RouteDefinition } from './route.ts';

const itemChecks = new WeakMap<TSchema, Validator<Record<never, never>, TSchema>>();

function isItem(schema: TSchema, item: unknown): boolean {
  const known = itemChecks.get(schema) ?? Compile(schema);
  itemChecks.set(schema, known);
  return known.Check(item);
}

/**
 * A wrong value without most of its members, for the search for errors, which collects those of
 * every member and takes some microseconds for each: a list that is too long keeps no item, any
 * other its first wrong one, at its place; an object keeps known members and an unknown one.
 */
function shortened(schema: TSchema, value: unknown): unknown {
  if (Type.IsArray(schema) && Array.isArray(value)) {
    const kept: unknown[] = new Array(value.length);
    if ('maxItems' in schema && value.length > Number(schema.maxItems)) return kept;
    const wrong = value.findIndex((item) => !isItem(schema.items, item));
    if (wrong >= 0) kept[wrong] = shortened(schema.items, value[wrong]);
    return kept;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!Type.IsObject(schema) || !isObject) return value;
  // Safe: a JSON object is a record of its keys.
  const members = value as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(members, name)) kept[name] = shortened(property, members[name]);
  }
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(schema.properties, name));
  return unknown === undefined ? kept : { ...kept, [unknown]: members[unknown] };
}

/** Returns the value if it passes, or throws the `ApiError` of its first fault. */
export type Check<S extends TSchema> = (value: unknown) => Static<S>;

/**
 * The check of a schema. It refuses a wrong value with `code`, an absent field with
 * `missing_field`, and a list in a body with too many items with `too_many_items`. The schema is
 * compiled at the first check, in a fraction of a millisecond: to compile those of all routes would
 * be a part of each start.
 */
export function compileCheck<S extends TSchema>(schema: S, code: ErrorCode): Check<S> {
  let validator: Validator<Record<never, never>, S> | undefined;
  return (value) => {
    validator ??= Compile(schema);
    // Safe: `Check` has just said that the value is of the schema's static type.
    if (validator.Check(value)) return value as Static<S>;
    const fault = firstFault(schema, value, validator.Errors(shortened(schema, value)));
    const { isMissing, mostItems, details } = fault;
    if (mostItems !== undefined && code === 'invalid_payload') {
      throw new ApiError('too_many_items', { ...details, limit: mostItems });
    }
    throw new ApiError(isMissing ? 'missing_field' : code, details);
  };
}

/** Parses a JSON body of any content type; an empty one is undefined (wire 0.9). */
export function parseJson(body: Uint8Array): unknown {
  if (body.length === 0) return undefined;
  const malformed = (fault: object) => new ApiError('malformed_json', { field: 'body', ...fault });
  // Decoding would replace what is not UTF-8, and the replacement would be stored.
  if (!isUtf8(body)) throw malformed({ reason: 'the body is not UTF-8' });
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = jsonFault(text) ?? { reason: String(error) };
    throw malformed(fault);
  }
}

export interface CheckedQuery {
  readonly values: unknown;
  /** The names of the parameters that the route does not know. */
  readonly ignored: readonly string[];
}

/** The validators of one route. */
export interface RouteChecks {
  readonly params: (values: Readonly<Record<string, string>>) => unknown;
  /** Takes the query string without its question mark. */
  readonly query: (text: string) => CheckedQuery;
  readonly body: (value: unknown) => unknown;
}

/** The checks of a route's schemas. */
export function compileRoute(route: RouteDefinition): RouteChecks {
  const check = compileCheck(route.query, 'invalid_parameter');
  const read = queryReader(route.query);
  const checkNames = nameChecker(route);
  return {
    params: compileCheck(route.params, 'invalid_parameter'),
    query: (text) => {
      const parameters = parseQuery(text);
      return { ignored: checkNames(parameters), values: check(read(parameters)) };
    },
    body: compileCheck(route.body, 'invalid_payload'),
  };
}
