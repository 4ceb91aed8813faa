/**
 * Turns a route's schema into a part of the document. A typebox schema is JSON Schema 2020-12
 * already; here it gets the forms that tools show best, and shared parts become references.
 *
 * Invariant: the result accepts the same values as the schema.
 */
import type { TSchema } from 'typebox';
import type { RouteDefinition } from '../api/index.ts';

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

// The examples of the documents: what an exchange really answered in a recorded session.
// `test/http/documentation` repeats the sessions and compares.

import operatorExamples from './examples/operator.json' with { type: 'json' };
import publicExamples from './examples/public.json' with { type: 'json' };
import streamExamples from './examples/streams.json' with { type: 'json' };

/** A request and its answer. */
export interface Example {
  readonly params?: Readonly<Record<string, Json>>;
  readonly query?: Readonly<Record<string, Json>>;
  readonly body?: Json;
  /** The value of a JSON answer; the text of any other answer. */
  readonly response: Json;
}

/** Examples by `METHOD /path`. */
export type Examples = Readonly<Record<string, Example>>;

const TABLES: Readonly<Record<'public' | 'operator', Examples>> = {
  public: publicExamples,
  operator: operatorExamples,
};
const MESSAGES: Readonly<Record<string, Json>> = streamExamples;

/**
 * A test requires an example for every route. A route of the operator's listener without an own one
 * answers as the public one of the same name.
 */
export function exampleOf(
  listener: keyof typeof TABLES,
  { method, path }: Pick<RouteDefinition, 'method' | 'path'>,
): Example | undefined {
  const name = `${method} ${path}`;
  return TABLES[listener][name] ?? TABLES.public[name];
}

/** By `channel.message`. A test requires an example for every message. */
export function exampleOfMessage(key: string): Json | undefined {
  return MESSAGES[key];
}
