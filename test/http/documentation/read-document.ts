// The documentation as a client reads it: operations with their references resolved.
import { strict as assert } from 'node:assert';
import { documentOf, type ListenerName } from '../../../http/documentation/documents.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
import { OPERATOR_ROUTES, ROUTES } from '../../all-routes.ts';

export const TABLES = { public: ROUTES, operator: OPERATOR_ROUTES } as const;
export const LISTENERS: readonly ListenerName[] = ['public', 'operator'];

const documents = new Map<ListenerName, JsonObject>();

/** The document as it goes over the wire. It is made once: that takes 50 ms. */
export function documentText(listener: ListenerName): JsonObject {
  const made =
    documents.get(listener) ?? JSON.parse(JSON.stringify(documentOf(listener, TABLES[listener])));
  documents.set(listener, made);
  return made;
}

export function asObject(value: Json | undefined): JsonObject {
  assert(value !== undefined && isJsonObject(value), 'an object is expected here');
  return value;
}

/** What a JSON pointer such as `#/components/schemas/Failure` names. */
export function atPointer(document: JsonObject, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const step of pointer.split('/').slice(1)) {
    value = value !== undefined && isJsonObject(value) ? value[step] : undefined;
  }
  return value;
}

/** Every reference in a part of a document. */
export function referencesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** A part of a document with its references replaced by their targets; there are no cycles. */
function resolved(value: Json, document: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => resolved(item, document));
  if (!isJsonObject(value)) return value;
  if (typeof value.$ref === 'string') {
    return resolved(atPointer(document, value.$ref) ?? null, document);
  }
  const entries = Object.entries(value).map(([key, part]): [string, Json] => [
    key,
    resolved(part, document),
  ]);
  return Object.fromEntries(entries);
}

/** One operation of a document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The content with its references resolved. */
  readonly content: JsonObject;
}

const operations = new WeakMap<JsonObject, readonly Operation[]>();

export function operationsOf(document: JsonObject): readonly Operation[] {
  const found = operations.get(document) ?? readOperations(document);
  operations.set(document, found);
  return found;
}

function readOperations(document: JsonObject): readonly Operation[] {
  return Object.entries(asObject(document.paths)).flatMap(([path, methods]) =>
    Object.entries(asObject(methods)).map(([method, content]) => ({
      method: method.toUpperCase(),
      path,
      content: asObject(resolved(content, document)),
    })),
  );
}
