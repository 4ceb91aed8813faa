/**
 * Amounts of the explorer: each as the engine's whole number, and beside it as a decimal text.
 * Invariant: the name of a whole number ends in its unit. `price_ticks` stands beside `price`,
 * `filled_lots` beside `filled_tokens`, `fee_micros` beside `fee_cash`, `release_ms` beside
 * `release_time`; `lots`, `micros` and `time_ms` alone beside `tokens`, `cash` and `time`.
 */

import { strict as assert } from 'node:assert';
import { type Static, type TObject, Type } from 'typebox';
import { snakeCase } from '../../persistence/index.ts';
import { isoTime, shortestDecimal } from '../codec/index.ts';
import { OrNull } from '../parameters/index.ts';

const TICK_DECIMALS = 4;
const LOT_DECIMALS = 2;
const MICRO_DECIMALS = 6;
const HALF_MICRO_DECIMALS = 7;

function signed(value: number | bigint, decimals: number): string {
  return value < 0 ? `-${shortestDecimal(-value, decimals)}` : shortestDecimal(value, decimals);
}

/** Cash from half micros: 3 half micros are "0.0000015". */
export function halfMicrosCash(value: bigint): string {
  return signed(value * 5n, HALF_MICRO_DECIMALS);
}

/** The units by the last word of a name: the word beside it, and the decimal text. */
const UNITS = {
  ticks: ['', (value: number) => signed(value, TICK_DECIMALS)],
  lots: ['tokens', (value: number) => signed(value, LOT_DECIMALS)],
  micros: ['cash', (value: number) => signed(value, MICRO_DECIMALS)],
  ms: ['time', isoTime],
} as const;

type Unit = keyof typeof UNITS;

function isUnit(word: string): word is Unit {
  return Object.hasOwn(UNITS, word);
}

/** Smaller values of `ms` are durations, or 0 for no time. */
const LEAST_TIME_MS = 1_000_000_000_000;

/** The decimal beside a whole number; undefined where there is none. */
function decimalBeside(name: string, value: number): readonly [string, string] | undefined {
  const words = name.split('_');
  const unit = words.pop() ?? '';
  if (!isUnit(unit) || (unit === 'ms' && value < LEAST_TIME_MS)) return undefined;
  const [word, text] = UNITS[unit];
  const beside = words.length === 1 && words[0] === 'time' && unit === 'ms' ? '' : word;
  return [[...words, beside].filter((part) => part !== '').join('_'), text(value)];
}

const WHOLE = Type.Integer();
const TEXT = Type.String();

export function Price<Name extends string>(name: Name) {
  // Safe: the record has exactly these keys.
  return { [`${name}_ticks`]: WHOLE, [name]: TEXT } as Pair<`${Name}_ticks`, Name>;
}

/** The two fields of a size: `<name>_lots` and `<name>_tokens`. */
export function Size<Name extends string>(name: Name) {
  return { [`${name}_lots`]: WHOLE, [`${name}_tokens`]: TEXT } as Pair<
    `${Name}_lots`,
    `${Name}_tokens`
  >;
}

export function Cash<Name extends string>(name: Name) {
  return { [`${name}_micros`]: WHOLE, [`${name}_cash`]: TEXT } as Pair<
    `${Name}_micros`,
    `${Name}_cash`
  >;
}

/** The two fields of a time: `<name>_ms` and `<name>_time`; the second is null for no time. */
export function Time<Name extends string>(name: Name) {
  const time = OrNull(Type.String({ description: 'ISO 8601; null for none' }));
  return { [`${name}_ms`]: WHOLE, [`${name}_time`]: time } as {
    [Key in `${Name}_ms`]: typeof WHOLE;
  } & { [Key in `${Name}_time`]: typeof time };
}

type Pair<Whole extends string, Decimal extends string> = {
  [Key in Whole]: typeof WHOLE;
} & { [Key in Decimal]: typeof TEXT };

// Journaled records (commands, events) in the explorer's form: names in snake_case, each amount
// with its decimal beside it. Invariant: no value is left out.

type ShownRecord = Record<string, unknown>;

export function shownRecord(record: object): ShownRecord {
  const shown: ShownRecord = {};
  for (const [key, value] of Object.entries(record)) {
    const name = snakeCase(key);
    shown[name] = shownValue(value);
    const decimal = typeof value === 'number' ? decimalBeside(name, value) : undefined;
    if (decimal !== undefined) shown[decimal[0]] = decimal[1];
  }
  return shown;
}

/**
 * A record in the form of a schema: those of its values, and of their decimals, that the schema
 * names. A time that is 0 is none.
 */
export function shownAs<Schema extends TObject>(schema: Schema, record: object): Static<Schema> {
  const shown = shownRecord(record);
  const entries = Object.keys(schema.properties).map((name) => {
    const value = shown[name] ?? null;
    assert(value !== null || name in shown || name.endsWith('_time'), `no value for ${name}`);
    return [name, value];
  });
  // Safe: the record has all values of the schema, by the same names and units.
  return Object.fromEntries(entries) as Static<Schema>;
}

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownValue);
  return typeof value === 'object' && value !== null ? shownRecord(value) : value;
}
