/**
 * The first fault that a compiled schema finds in a value, as the details of an error: the field,
 * the required and the given value.
 *
 * Bound: a client's value is repeated up to `HTTP_BOUNDS.echoedCharacters`.
 */
import type { TLocalizedValidationError } from 'typebox/error';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { closestWord } from '../codec/index.ts';
import type { ErrorDetails } from './details.ts';

export interface SchemaFault {
  /** Whether a required field is missing, rather than wrong. */
  readonly isMissing: boolean;
  /** The maximum number of items, if a list has more; otherwise undefined. */
  readonly mostItems: number | undefined;
  readonly details: ErrorDetails;
}

/** A client's value as errors repeat it: cut, and without the contents of lists and objects. */
export function echo(value: unknown): unknown {
  if (typeof value === 'string') {
    const { echoedCharacters } = HTTP_BOUNDS;
    return value.length > echoedCharacters ? `${value.slice(0, echoedCharacters)}...` : value;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : value;
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The part of a JSON value that these names lead to; undefined where there is none. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let value = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    // Safe: any object can be read by any name; an absent one is undefined.
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}

/** The first error; for an error in a member of a union, the error of the whole union. */
function outermost(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError {
  const [first] = errors;
  if (first === undefined)
    throw new Error('the schema accepts the value, so there is no fault to report');
  const isUnionOfFirst = ({ keyword, schemaPath }: TLocalizedValidationError): boolean =>
    keyword === 'anyOf' && first.schemaPath.startsWith(`${schemaPath}/anyOf/`);
  return errors.find(isUnionOfFirst) ?? first;
}

function descriptionOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined;
  return typeof schema.description === 'string' ? schema.description : undefined;
}

/** What the members of a union allow: constants, bounds that the value breaks, and types. */
function allowedBy(
  union: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
  root: unknown,
): string {
  const allowed = errors.flatMap((error) => {
    if (!error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`)) return [];
    if (error.keyword === 'const') return [String(error.params.allowedValue)];
    if (error.keyword === 'enum') return error.params.allowedValues.map(String);
    const member = valueAt(root, stepsOf(error.schemaPath));
    const range = rangeOf(member, error.keyword);
    if (range !== undefined) return [typeof range === 'string' ? range : error.message];
    const description = descriptionOf(member);
    if (description !== undefined) return [description];
    return error.keyword === 'type' ? [String(error.params.type)] : [];
  });
  return [...new Set(allowed)].join(', ');
}

/** Pairs of keywords with the lowest and highest value. */
const RANGES = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

function rangeOf(schema: unknown, keyword: string): unknown {
  const range = RANGES.find((names) => names.some((name) => name === keyword));
  if (range === undefined || typeof schema !== 'object' || schema === null) return undefined;
  // Safe: a schema is a plain object; an absent keyword is undefined.
  const keywords = schema as Readonly<Record<string, unknown>>;
  const [low, high] = [keywords[range[0]], keywords[range[1]]];
  return low === undefined || high === undefined ? (low ?? high) : `${low}..${high}`;
}

function limitOf(
  error: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
  root: unknown,
): unknown {
  switch (error.keyword) {
    case 'anyOf':
      return allowedBy(error, errors, root);
    case 'const':
      return error.params.allowedValue;
    case 'enum':
      return error.params.allowedValues.join(', ');
    case 'type':
      return String(error.params.type);
    case 'pattern':
      return String(error.params.pattern);
    default:
      return rangeOf(valueAt(root, stepsOf(error.schemaPath)), error.keyword);
  }
}

/** The value; for a text or list of a wrong length, its length. */
function actualOf(keyword: string, value: unknown): unknown {
  const countsLength = keyword.endsWith('Length') || keyword.endsWith('Items');
  return countsLength && (typeof value === 'string' || Array.isArray(value))
    ? value.length
    : echo(value);
}

/** The first fault of a value, from the errors that its schema gave. */
export function firstFault(
  schema: unknown,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): SchemaFault {
  const error = outermost(errors);
  const steps = stepsOf(error.instancePath);
  if (error.keyword === 'required') {
    const field = [...steps, error.params.requiredProperties[0] ?? ''].join('.');
    return { isMissing: true, mostItems: undefined, details: { field } };
  }
  const limit = limitOf(error, errors, schema);
  return {
    isMissing: false,
    mostItems: error.keyword === 'maxItems' ? error.params.limit : undefined,
    details: {
      field: steps.length === 0 ? 'body' : steps.join('.'),
      // The validator's message about a union mentions schemas, which clients don't know.
      reason: error.keyword === 'anyOf' ? 'must be one of the values in `limit`' : error.message,
      ...(limit === undefined || limit === '' ? {} : { limit }),
      actual: actualOf(error.keyword, valueAt(value, steps)) ?? null,
    },
  };
}

/** Checks of a JSON file of the settings. Each throws an `Error` with the place of a fault. */
type Entries = Readonly<Record<string, unknown>>;

/** Refuses the value at a place of the file. `must` completes "it must be". */
export function refuseAt(place: string, actual: unknown, must: string): never {
  const given = actual === undefined ? 'missing' : JSON.stringify(echo(actual));
  throw new Error(`${place} is ${given}; it must be ${must}`);
}

export function objectAt(place: string, value: unknown): Entries {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuseAt(place, value, 'an object');
  }
  // Safe: a JSON object is a record of its keys.
  return value as Entries;
}

export function listAt(place: string, value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= most
    ? value
    : refuseAt(place, value, `a list of 1 to ${most}`);
}

/** Refuses an unknown key and suggests the closest known one. */
export function onlyKnown(place: string, entries: Entries, known: readonly string[]): void {
  for (const key of Object.keys(entries)) {
    if (known.includes(key)) continue;
    throw new Error(
      `${place} has an unknown key "${key}"; the nearest is "${closestWord(key, known)}"`,
    );
  }
}
