/**
 * Converts query strings to the values of a route's schema (wire 0.7).
 *
 * It does not use typebox's `Convert`, which accepts more texts as numbers ("1e3", ".5") than the
 * wire does, nor Node's parsers, which replace a malformed escape instead of keeping it.
 *
 * Invariant: unknown parameters are left out. A text that is not of its parameter's type stays a
 * text, which the schema then refuses.
 * Bound: the socket library limits the request's head, which contains the query.
 */
import { type TSchema, Type } from 'typebox';

export type Parameters = ReadonlyMap<string, readonly string[]>;

/** The decoded values of each parameter, in the order of the query. */
export function parseQuery(query: string): Parameters {
  const values = new Map<string, string[]>();
  if (query === '') return values;
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decode(part.slice(equals + 1));
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** Characters of an encoded one. */
const ENCODED = 3;

/** Whether a query has a parameter; it decodes few names and no values. */
export function hasParameter(query: string, name: string): boolean {
  return query.split('&').some((part) => {
    const equals = part.indexOf('=');
    const length = equals < 0 ? part.length : equals;
    if (length < name.length || length > ENCODED * name.length) return false;
    return decode(part.slice(0, length)) === name;
  });
}

/** Percent and plus decoding; a malformed escape stays as it is. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // An escape that is not UTF-8 is ordinary input here.
    return text;
  }
}

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  '1': true,
  '0': false,
};

type Read<Value> = (value: Value) => unknown;

/** How a text becomes a value of a schema's type. An empty text is undefined, but for a string. */
function textReader(schema: TSchema): Read<string> {
  if (Type.IsInteger(schema))
    return (text) => (INTEGER.test(text) ? Number(text) : text || undefined);
  if (Type.IsNumber(schema))
    return (text) => (DECIMAL.test(text) ? Number(text) : text || undefined);
  if (Type.IsBoolean(schema)) return (text) => BOOLEANS[text.toLowerCase()] ?? (text || undefined);
  // An empty text counts as absent for an optional choice of words.
  if (Type.IsEnum(schema) && Type.IsOptional(schema)) return (text) => text || undefined;
  return (text) => text;
}

/** A list: repeated keys and values with commas form one (wire 0.7). A scalar: the last counts. */
function textsReader(schema: TSchema): Read<readonly string[]> {
  if (!Type.IsArray(schema)) {
    const read = textReader(schema);
    return (texts) => read(texts.at(-1) ?? '');
  }
  const read = textReader(schema.items);
  return (texts) => {
    const parts = texts.flatMap((text) => text.split(','));
    return parts.filter((text) => text !== '').map(read);
  };
}

/**
 * Makes the reader of a schema's parameters, with defaults for absent ones. That of ANY_QUERY
 * returns all parameters, as lists of texts.
 */
export function queryReader(schema: TSchema): (texts: Parameters) => Record<string, unknown> {
  if (Type.IsRecord(schema)) return (texts) => Object.fromEntries(texts);
  const properties = Type.IsObject(schema) ? Object.entries(schema.properties) : [];
  const readers = properties.map(([name, property]) => {
    const byDefault: unknown = 'default' in property ? property.default : undefined;
    return { name, byDefault, read: textsReader(property) };
  });
  return (texts) => {
    const result: Record<string, unknown> = {};
    for (const { name, byDefault, read } of readers) {
      const given = texts.get(name);
      const value = (given === undefined ? undefined : read(given)) ?? byDefault;
      if (value !== undefined) result[name] = value;
    }
    return result;
  };
}
