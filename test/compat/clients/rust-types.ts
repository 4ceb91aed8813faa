/**
 * The fields that the published Rust clients (v1 and v2) require of answers: rust-types.json has
 * them by type, and the types by route. Where the two versions differ, the table has what suits
 * both. A field is a word; `a|b` are two spellings of one field, of which an answer has one.
 *
 * Types: `[T]` a list, `{T}` an object of any keys, `Page[T]` a page with a cursor, `Json[T]` a
 * list as text. `T?` may be missing or null; `T~` also empty.
 */
import table from './rust-types.json' with { type: 'json' };

type Fields = Readonly<Record<string, string | undefined>>;
const TYPES: Readonly<Record<string, Fields>> = table.types;
export const RUST_ROUTES: Readonly<Record<string, string>> = table.routes;

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

const NUMBER_TEXT = /^-?\d+(\.\d+)?$/;
const isNumberText = isText(NUMBER_TEXT);
const isTimeText = isText(/^\d{1,15}$/);
const isDate = isText(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  i: Number.isSafeInteger,
  f: Number.isFinite,
  Decimal: (value) => Number.isFinite(value) || isNumberText(value),
  DecimalText: (value) => value === '' || isNumberText(value),
  Text: (value) => typeof value === 'string' || Number.isSafeInteger(value),
  Address: isText(/^0x[\da-f]{40}$/i),
  B256: isText(/^0x[\da-f]{64}$/i),
  U256: isText(/^(\d{1,78}|0x[\da-f]{1,64})$/i),
  Uuid: isText(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
  // Others are read as unknown.
  Side: (value) => typeof value === 'string',
  Tick: (value) => [0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001].includes(Number(value)),
  Date: isDate,
  Day: isText(/^\d{4}-\d\d-\d\d$/),
  Seconds: isTimeText,
  Millis: isTimeText,
};

function fail(path: string, type: string, value: unknown): never {
  throw new Error(`${path} is ${JSON.stringify(value)?.slice(0, 80)} in place of ${type}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws an error that names the first field which a Rust client would not read. */
export function checkRust(value: unknown, type: string, path = '$'): void {
  const last = type.at(-1);
  if (last === '?' || last === '~') {
    const isNone = value === undefined || value === null || (last === '~' && value === '');
    if (!isNone) checkRust(value, type.slice(0, -1), path);
  } else if (type.startsWith('Page[')) {
    checkFields(
      value,
      { [`${type.slice(4)}`]: 'data', String: 'next_cursor', i: 'limit count' },
      path,
    );
  } else if (type.startsWith('Json[')) {
    if (typeof value !== 'string') fail(path, type, value);
    checkRust(JSON.parse(value), type.slice(4), path);
  } else if (type.startsWith('[')) {
    if (!Array.isArray(value)) fail(path, type, value);
    for (const [index, item] of value.entries()) {
      checkRust(item, type.slice(1, -1), `${path}[${index}]`);
    }
  } else if (type.startsWith('{')) {
    if (!isObject(value)) fail(path, type, value);
    for (const [key, item] of Object.entries(value)) {
      checkRust(item, type.slice(1, -1), `${path}.${key}`);
    }
  } else if (TYPES[type] !== undefined) {
    checkFields(value, TYPES[type], path);
  } else if (!SCALARS[type]?.(value)) {
    fail(path, type, value);
  }
}

function checkFields(value: unknown, fields: Fields, path: string): void {
  if (!isObject(value)) fail(path, 'an object', value);
  for (const [type, names = ''] of Object.entries(fields)) {
    for (const name of names.split(' ')) {
      const spellings = name.split('|').filter((one) => Object.hasOwn(value, one));
      if (spellings.length > 1) fail(path, `one of ${name}`, spellings);
      const [spelling = name] = spellings;
      checkRust(value[spelling], type, `${path}.${spelling}`);
    }
  }
}
