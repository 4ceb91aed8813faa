/**
 * What strict clients require of answers, as lists of fields: rust-types.json for the published
 * Rust clients (v1 and v2; where they differ, what suits both) and sdk-fields.json for the newest
 * source of the official SDK. A list has the fields by type, and the types by route and message.
 *
 * A field is a word; `a|b` are two spellings of one field, of which an answer has one. Types:
 * `[T]` a list, `{T}` an object of any keys, `Json[T]` a list as text, `=a|b` one of these words,
 * `Page[T]` the type of that name with T in it, `Kind<key>` the type that is named by Kind and the
 * value of the sibling `key`. A type that is a text is another name for that type.
 *
 * What may be in place of a value is written after it: `T?` nothing or null, `T-` nothing, `T!`
 * null, `T'` an empty text, `T~` all of these. They add up: `T'-`.
 */
import rust from './rust-types.json' with { type: 'json' };
import sdk from './sdk-fields.json' with { type: 'json' };

type Fields = Readonly<Record<string, string | undefined>>;

export interface FieldList {
  readonly types: Readonly<Record<string, string | Fields>>;
  readonly routes: Readonly<Record<string, string>>;
  /** By channel and name, as the recorded messages of the streams. */
  readonly messages?: Readonly<Record<string, string>>;
}

export const RUST: FieldList = rust;
export const SDK = sdk satisfies FieldList;

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

const isNumberText = isText(/^-?\d+(\.\d+)?$/);
const isTimeText = isText(/^\d{1,15}$/);
const TICKS: readonly unknown[] = [0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001];

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  String: (value) => typeof value === 'string',
  Word: isText(/./),
  bool: (value) => typeof value === 'boolean',
  i: Number.isSafeInteger,
  f: Number.isFinite,
  Decimal: (value) => Number.isFinite(value) || isNumberText(value),
  NumberText: isNumberText,
  Integer: isText(/^\d+$/),
  Text: (value) => typeof value === 'string' || Number.isSafeInteger(value),
  Address: isText(/^0x[\da-f]{40}$/i),
  Hex: isText(/^0x[\da-f]*$/i),
  B256: isText(/^0x[\da-f]{64}$/i),
  U256: isText(/^(\d{1,78}|0x[\da-f]{1,64})$/i),
  Condition: isText(/^0x([\da-f]{62}|[\da-f]{64})$/i),
  ConditionOrGlobal: isText(/^(GLOBAL|0x([\da-f]{62}|[\da-f]{64}))$/i),
  BookHash: isText(/^[\da-f]{40}$/),
  Uuid: isText(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
  // Others are read as unknown.
  Side: (value) => typeof value === 'string',
  Tick: (value) => TICKS.includes(Number(value)),
  TickNumber: (value) => TICKS.includes(value),
  TickText: (value) => isNumberText(value) && TICKS.includes(Number(value)),
  Date: isText(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/),
  Day: isText(/^\d{4}-\d\d-\d\d$/),
  Seconds: isTimeText,
  Millis: isTimeText,
};

/** What may be in place of a value, by the sign after its type. */
const NOTHINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  '?': (value) => value === undefined || value === null,
  '-': (value) => value === undefined,
  '!': (value) => value === null,
  "'": (value) => value === '',
  '~': (value) => value === undefined || value === null || value === '',
};

function fail(path: string, type: string, value: unknown): never {
  throw new Error(`${path} is ${JSON.stringify(value)?.slice(0, 80)} in place of ${type}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Check = (value: unknown, type: string, path?: string) => void;

/** A check that throws an error with the first field which the clients of a list cannot read. */
export function checkerOf({ types }: FieldList): Check {
  const check = (value: unknown, type: string, path = '$'): void => {
    const isNothing = NOTHINGS[type.at(-1) ?? ''];
    const [, generic, inner = ''] = /^(\w+)\[(.+)\]$/.exec(type) ?? [];
    if (isNothing !== undefined) {
      if (!isNothing(value)) check(value, type.slice(0, -1), path);
    } else if (type.startsWith('=')) {
      if (!type.slice(1).split('|').includes(`${value}`)) fail(path, type, value);
    } else if (generic === 'Json') {
      if (typeof value !== 'string') fail(path, type, value);
      check(JSON.parse(value), `[${inner}]`, path);
    } else if (generic !== undefined) {
      checkNamed(value, `${generic}[T]`, path, inner);
    } else if (type.startsWith('[')) {
      if (!Array.isArray(value)) fail(path, type, value);
      for (const [index, item] of value.entries()) {
        check(item, type.slice(1, -1), `${path}[${index}]`);
      }
    } else if (type.startsWith('{')) {
      if (!isObject(value)) fail(path, type, value);
      for (const [key, item] of Object.entries(value)) {
        check(item, type.slice(1, -1), `${path}.${key}`);
      }
    } else checkNamed(value, type, path);
  };

  const checkNamed = (value: unknown, type: string, path: string, inner = ''): void => {
    const fields = types[type];
    if (typeof fields === 'string') {
      check(value, fields, path);
    } else if (fields === undefined) {
      if (!SCALARS[type]?.(value)) fail(path, type, value);
    } else if (isObject(value)) checkFields(value, fields, path, inner);
    else fail(path, 'an object', value);
  };

  const checkFields = (value: object, fields: Fields, path: string, inner: string): void => {
    const siblings: Readonly<Record<string, unknown>> = { ...value };
    for (const [declared, names = ''] of Object.entries(fields)) {
      const type = declared
        .replace(/\bT\b/, inner)
        .replace(/<(\w+)>/, (_, key: string) => `${siblings[key]}`);
      for (const name of names.split(' ')) {
        const spellings = name.split('|').filter((one) => Object.hasOwn(siblings, one));
        if (spellings.length > 1) fail(path, `one of ${name}`, spellings);
        const [spelling = name] = spellings;
        check(siblings[spelling], type, `${path}.${spelling}`);
      }
    }
  };

  return check;
}
