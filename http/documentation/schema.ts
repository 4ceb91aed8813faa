/**
 * Turns a route's schema into a part of the document. A typebox schema is JSON Schema 2020-12
 * already; here it gets the forms that tools show best, and shared parts become references.
 *
 * Invariant: the result accepts the same values as the schema.
 */
import type { TSchema } from 'typebox';

/** A part of the document. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The pattern that typebox writes for the keys of a record. */
const ANY_KEY = '^.*$';

export type SharedNames = ReadonlyMap<string, string>;

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy as plain JSON. */
export function toJson(schema: TSchema): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  // Safe: a schema is a plain object.
  return copy as JsonObject;
}

/** Replaces the keyword for a record's values by one that every tool knows. */
function withPlainRecord(schema: JsonObject): JsonObject {
  const { patternProperties, ...rest } = schema;
  if (patternProperties === undefined || !isJsonObject(patternProperties)) return schema;
  const values = patternProperties[ANY_KEY];
  return values === undefined ? schema : { ...rest, additionalProperties: values };
}

/** Adds the type to an enum of texts. */
function withType(schema: JsonObject): JsonObject {
  const values = schema.enum;
  const isText = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return isText && schema.type === undefined ? { type: 'string', ...schema } : schema;
}

function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Writes out a schema; its parts may become references. */
export function expanded(schema: JsonObject, shared: SharedNames): JsonObject {
  const inner = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inner);
    return isJsonObject(value) ? referenced(value, shared) : value;
  };
  return mapValues(withType(withPlainRecord(schema)), inner);
}

/** A reference to a shared schema; any other schema written out. */
export function referenced(schema: JsonObject, shared: SharedNames): JsonObject {
  const name = shared.get(JSON.stringify(schema));
  return name === undefined ? expanded(schema, shared) : { $ref: `#/components/schemas/${name}` };
}
