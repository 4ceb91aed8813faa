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

/** The decoded values of each parameter, in the order of the query. */
export function parseQuery(query: string): ReadonlyMap<string, readonly string[]> {
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

/** Converts a text to a schema's type. An empty text is undefined, except for a string. */
function coerceText(schema: TSchema, text: string): unknown {
  if (Type.IsInteger(schema)) return INTEGER.test(text) ? Number(text) : text || undefined;
  if (Type.IsNumber(schema)) return DECIMAL.test(text) ? Number(text) : text || undefined;
  if (Type.IsBoolean(schema)) return BOOLEANS[text.toLowerCase()] ?? (text || undefined);
  return text;
}

/** A list: repeated keys and values with commas form one (wire 0.7). A scalar: the last counts. */
function coerce(schema: TSchema, texts: readonly string[]): unknown {
  if (!Type.IsArray(schema)) return coerceText(schema, texts.at(-1) ?? '');
  const { items } = schema;
  return texts
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
    .map((text) => coerceText(items, text));
}

/**
 * The parameters of a schema, with defaults for absent ones. ANY_QUERY gets all parameters, as
 * lists of texts.
 */
export function readQuery(
  schema: TSchema,
  values: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> {
  if (Type.IsRecord(schema)) return Object.fromEntries(values);
  return coerceTexts(schema, (name) => values.get(name));
}

/** Like `readQuery`, for a query that was read with ANY_QUERY. */
export function coerceQuery(
  schema: TSchema,
  query: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  return coerceTexts(schema, (name) => (Object.hasOwn(query, name) ? query[name] : undefined));
}

function coerceTexts(
  schema: TSchema,
  textsOf: (name: string) => readonly string[] | undefined,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  if (!Type.IsObject(schema)) return result;
  for (const [name, property] of Object.entries(schema.properties)) {
    const texts = textsOf(name);
    const value = texts === undefined ? undefined : coerce(property, texts);
    const chosen = (isEmptyChoice(property, value) ? undefined : value) ?? defaultOf(property);
    if (chosen !== undefined) result[name] = chosen;
  }
  return result;
}

/** An empty text counts as absent for an optional choice of words. */
function isEmptyChoice(schema: TSchema, value: unknown): boolean {
  return value === '' && Type.IsEnum(schema) && Type.IsOptional(schema);
}

function defaultOf(schema: TSchema): unknown {
  return 'default' in schema ? schema.default : undefined;
}
