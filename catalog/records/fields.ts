/**
 * The kinds of fields that records of the public catalog have: a schema for each, and how its
 * value is stored. The `description` of a schema is the limit that a refusal names. An optional
 * field may be missing or null. Lengths count UTF-16 code units.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { isoTimeMs } from '../../persistence/shared/index.ts';
import {
  CATALOG_BOUNDS,
  DEFAULT_MINIMUM_SIZE,
  DEFAULT_TICK_SIZE,
  type Flag,
  LOCAL_IDS_END,
  pairOf,
  sourceTime,
  TICKS_OF_TICK_SIZE,
  utcText,
} from '../model/index.ts';

export interface RecordField<Stored> {
  readonly schema: TSchema;
  /** The form in which a value that the schema accepts is stored. */
  readonly stored: (value: never) => Stored;
}

function required<Schema extends TSchema, Stored>(
  schema: Schema,
  stored: (value: Static<Schema>) => Stored,
): RecordField<Stored> {
  return { schema, stored };
}

type Optional<Value> = Value | null | undefined;

function optional<Schema extends TSchema, Stored>(
  description: string,
  schema: Schema,
  stored: (value: Optional<Static<Schema>>) => Stored,
): RecordField<Stored> {
  return { schema: Type.Optional(Type.Union([schema, Type.Null()], { description })), stored };
}

function unchanged<Value>(value: Value): Value {
  return value;
}

function checked(description: string, check: (text: string) => boolean) {
  return Type.Refine(Type.String({ description }), check);
}

/** A field that nothing depends on: whatever it holds is accepted. */
export const anything: RecordField<unknown> = {
  schema: Type.Optional(Type.Unknown()),
  stored: unchanged,
};

/** A flag that the caller stores, because its default is not always the same. */
export const openFlag = optional('true or false', Type.Boolean(), unchanged);

/** A flag as a column. `fallback` is the value of a missing flag. */
export function flag(fallback: boolean): RecordField<Flag> {
  return { ...openFlag, stored: (value: Optional<boolean>) => flagOf(value, fallback) };
}

function optionalText(maxChars: number) {
  const limit = `a text of at most ${maxChars} characters`;
  return optional(
    limit,
    checked(limit, (text) => text.length <= maxChars),
    textOf,
  );
}

export const line = optionalText(CATALOG_BOUNDS.lineChars);
export const requiredLine = required(
  checked(
    `a text of 1 to ${CATALOG_BOUNDS.lineChars} characters`,
    (text) => text !== '' && text.length <= CATALOG_BOUNDS.lineChars,
  ),
  unchanged,
);
export const webAddress = optionalText(CATALOG_BOUNDS.addressChars);
export const prose = optionalText(CATALOG_BOUNDS.descriptionChars);

export function list(maxItems: number) {
  const schema = Type.Array(Type.Unknown(), { maxItems });
  return optional(`an array of at most ${maxItems}`, schema, unchanged);
}

const SLUG = /^[\w.~-]+$/;

/** Slugs stand in paths, so they hold only characters that need no escape there. */
export const slug = required(
  checked(
    `1 to ${CATALOG_BOUNDS.slugChars} letters, digits, "-", "_", "." and "~"`,
    (text) => text.length <= CATALOG_BOUNDS.slugChars && SLUG.test(text),
  ),
  unchanged,
);

const ID_LIMIT = `a number from 1 to ${CATALOG_BOUNDS.importedId}`;
const NUMERIC_ID = /^[1-9]\d{0,8}$/;

const NumericId = Type.String({
  pattern: NUMERIC_ID,
  description: `${ID_LIMIT} written as text`,
});

export const numericId = required(NumericId, Number);

export function isNumericId(value: unknown): value is string {
  return typeof value === 'string' && NUMERIC_ID.test(value);
}

/** The id of a team or sport: a number, or one written as a text. */
export const plainId = required(
  Type.Union([NumericId, Type.Integer({ minimum: 1, maximum: CATALOG_BOUNDS.importedId })], {
    description: ID_LIMIT,
  }),
  Number,
);

/** The id of a comment or reaction. One from another exchange is at least `LOCAL_IDS_END`. */
export const contentId = required(
  checked(
    `${ID_LIMIT} written as text`,
    (text) =>
      /^[1-9]\d{0,14}$/.test(text) &&
      (Number(text) <= CATALOG_BOUNDS.importedId || Number(text) >= LOCAL_IDS_END),
  ),
  Number,
);

/** A whole number, or one written as a text. Other values count as missing. */
export const wholeNumber: RecordField<number | null> = {
  schema: Type.Optional(
    Type.Refine(Type.Unknown({ description: 'a whole number' }), (value) => {
      const number = wholeNumberOf(value);
      return number === null || Number.isSafeInteger(number);
    }),
  ),
  stored: wholeNumberOf,
};

function wholeNumberOf(value: unknown): number | null {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : null;
}

const HASH_LIMIT = '0x and 64 lower-case hex digits';
export const hash = required(
  Type.String({ pattern: '^0x[0-9a-f]{64}$', description: HASH_LIMIT }),
  unchanged,
);
export const optionalHash = optional(
  HASH_LIMIT,
  Type.String({ pattern: '^(0x[0-9a-f]{64})?$' }),
  textOf,
);

const DATE_LIMIT =
  'a date and time with its zone, up to the year 9999, such as 2027-06-30T12:00:00Z';
export const date = optional(
  DATE_LIMIT,
  checked(DATE_LIMIT, (text) => text === '' || isoTimeMs(text) !== undefined),
  dateOf,
);

/** The two outcome labels: a JSON array carried as a text (wire 8.1). */
export const outcomes = required(
  checked(
    'a text holding a JSON array of two different labels of 1 to ' +
      `${CATALOG_BOUNDS.outcomeChars} characters`,
    (text) => {
      const [first = '', second = ''] = pairOf(text) ?? [];
      const isLabel = (one: string) => one !== '' && one.length <= CATALOG_BOUNDS.outcomeChars;
      return isLabel(first) && isLabel(second) && first !== second;
    },
  ),
  checkedPairOf,
);

const TOKEN_ID = /^[1-9]\d{0,77}$/;
const LARGEST_TOKEN_ID = 2n ** 256n - 1n;

/** The two token ids in the order of the outcomes, in the same form. */
export const tokenIds = required(
  checked('a text holding a JSON array of two decimal numbers from 1 to 2^256 - 1', (text) => {
    const pair = pairOf(text);
    const isId = (id: string) => TOKEN_ID.test(id) && BigInt(id) <= LARGEST_TOKEN_ID;
    return pair?.every(isId) ?? false;
  }),
  checkedPairOf,
);

/** Stored in units of 0.0001. */
export const tickSize = optional(
  `one of ${[...TICKS_OF_TICK_SIZE.keys()].join(', ')}`,
  Type.Refine(Type.Number(), (value) => TICKS_OF_TICK_SIZE.has(value)),
  (value) => TICKS_OF_TICK_SIZE.get(value ?? DEFAULT_TICK_SIZE) ?? 0,
);

/** Stored in units of 0.01 token. */
export const minimumSize = optional(
  `a multiple of 0.01 from 0.01 to ${CATALOG_BOUNDS.minimumLots / 100}`,
  Type.Refine(Type.Number(), (value) => {
    const lots = Math.round(value * 100);
    // The quotient is the double nearest to the decimal, as JSON reads it: the comparison is exact.
    return lots >= 1 && lots <= CATALOG_BOUNDS.minimumLots && lots / 100 === value;
  }),
  (value) => Math.round((value ?? DEFAULT_MINIMUM_SIZE) * 100),
);

/**
 * A time in any of the forms that sources write. One that can't be read counts as missing.
 */
export const openTime: RecordField<string | null> = {
  schema: Type.Optional(Type.Unknown()),
  stored: (value: unknown) => dateOf(sourceTime(value)),
};

function textOf(value: Optional<string>): string {
  return value ?? '';
}

export function flagOf(value: Optional<boolean>, fallback: boolean): Flag {
  return (value ?? fallback) ? 1 : 0;
}

/** Digits of a second after its milliseconds, up to its microseconds. */
const MICROSECONDS = /\.\d{3}(\d{1,3})/;

/** ISO 8601 in UTC, so that dates sort as text. Microseconds are kept, finer parts are not. */
function dateOf(value: Optional<string>): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = utcText(Date.parse(value));
  const further = MICROSECONDS.exec(value)?.[1]?.replace(/0+$/, '') ?? '';
  if (further === '') return text;
  return text.includes('.')
    ? text.replace('Z', `${further}Z`)
    : text.replace('Z', `.000${further}Z`);
}

/** The schema has checked that the text is a pair. */
function checkedPairOf(value: string): [string, string] {
  return pairOf(value) ?? ['', ''];
}

const LARGEST_FIGURE = 1e15;

/**
 * A figure that a source writes under several names: the first that can be read, because others may
 * be rounded. Trading depends on none of them, so one that can't be read counts as 0.
 */
export function figureOf(...values: readonly unknown[]): number {
  const figures = values.filter((value) => value !== null && value !== '').map(Number);
  return figures.find((value) => value >= 0 && value <= LARGEST_FIGURE) ?? 0;
}
