// One reader for each kind of field in a catalog record. Each returns a value of its kind also
// after a refusal (the whole import is thrown away then), so that the callers stay flat.

import type { Flag } from '../model/index.ts';
import {
  CATALOG_BOUNDS,
  DEFAULT_MINIMUM_SIZE,
  DEFAULT_TICK_SIZE,
  TICKS_OF_TICK_SIZE,
} from '../model/index.ts';
import { pairOf, utcText } from './leftovers.ts';
import { describeValue, type RecordReader } from './record-reader.ts';

const NUMERIC_ID = /^[1-9]\d{0,15}$/;
const HEX_32_BYTES = /^0x[0-9a-f]{64}$/;
const SLUG = /^[\w.~-]+$/;
const TOKEN_ID = /^[1-9]\d{0,77}$/;
const LARGEST_TOKEN_ID = 2n ** 256n - 1n;
const DATE_TIME = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** A numeric id, written as text. */
export function readId(reader: RecordReader, field: string): number {
  const value = reader.take(field);
  const id = typeof value === 'string' && NUMERIC_ID.test(value) ? Number(value) : 0;
  if (id >= 1 && id <= CATALOG_BOUNDS.importedId) return id;
  const limit = `a number from 1 to ${CATALOG_BOUNDS.importedId} written as text`;
  reader.refuse(field, limit, describeValue(value));
  return 0;
}

/** A text that may be missing; it is empty then. */
export function readText(reader: RecordReader, field: string, maxChars: number): string {
  return checkText(reader, field, maxChars, reader.take(field) ?? '');
}

/** A text that must be there and not be empty. */
export function readRequiredText(reader: RecordReader, field: string, maxChars: number): string {
  const value = reader.take(field);
  if (value === undefined || value === '') {
    reader.refuse(field, `a text of 1 to ${maxChars} characters`, describeValue(value));
    return '';
  }
  return checkText(reader, field, maxChars, value);
}

function checkText(reader: RecordReader, field: string, maxChars: number, value: unknown): string {
  if (typeof value !== 'string') {
    reader.refuse(field, 'a text', describeValue(value));
    return '';
  }
  if (value.length > maxChars) {
    reader.refuse(field, `at most ${maxChars} characters`, `${value.length} characters`);
  }
  return value;
}

/** A slug: it stands in paths, so it holds only characters that need no escape there. */
export function readSlug(reader: RecordReader, field: string): string {
  const slug = readRequiredText(reader, field, CATALOG_BOUNDS.slugChars);
  if (slug !== '' && !SLUG.test(slug)) {
    reader.refuse(field, 'letters, digits, "-", "_", "." and "~" only', describeValue(slug));
  }
  return slug;
}

/** `0x` and 64 lower-case hex digits; empty if it is missing. */
export function readHex(reader: RecordReader, field: string): string {
  const value = reader.take(field) ?? '';
  if (value === '') return '';
  if (typeof value === 'string' && HEX_32_BYTES.test(value)) return value;
  reader.refuse(field, '0x and 64 lower-case hex digits', describeValue(value));
  return '';
}

/** The same, but it must be there. */
export function readRequiredHex(reader: RecordReader, field: string): string {
  const value = reader.take(field);
  if (typeof value === 'string' && HEX_32_BYTES.test(value)) return value;
  reader.refuse(field, '0x and 64 lower-case hex digits', describeValue(value));
  return '';
}

/** A boolean, or `undefined` if it is missing. */
export function readBoolean(reader: RecordReader, field: string): boolean | undefined {
  const value = reader.take(field);
  if (value === undefined || typeof value === 'boolean') return value;
  reader.refuse(field, 'true or false', describeValue(value));
  return undefined;
}

/** A boolean as it is stored; `fallback` if it is missing. */
export function readFlag(reader: RecordReader, field: string, fallback: boolean): Flag {
  return (readBoolean(reader, field) ?? fallback) ? 1 : 0;
}

/** An ISO 8601 date-time, brought to UTC so that dates sort as text; null if it is missing. */
export function readDate(reader: RecordReader, field: string): string | null {
  const value = reader.take(field) ?? '';
  if (value === '') return null;
  const timeMs = typeof value === 'string' ? parseDateTime(value) : Number.NaN;
  if (!Number.isNaN(timeMs)) return utcText(timeMs);
  const limit = 'a date and time with its zone, such as 2027-06-30T12:00:00Z';
  reader.refuse(field, limit, describeValue(value));
  return null;
}

/** Milliseconds since 1970, or NaN. Date.parse alone takes 30 February for 2 March. */
function parseDateTime(text: string): number {
  const day = DATE_TIME.exec(text)?.[1];
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return day !== undefined && midnight.getUTCDate() === Number(day) ? Date.parse(text) : Number.NaN;
}

/** A JSON array of two texts that is itself carried as a text (wire 8.1). */
function readPair(reader: RecordReader, field: string): [string, string] | undefined {
  const value = reader.take(field);
  const pair = pairOf(value);
  if (pair === undefined) {
    const limit = 'a text holding a JSON array of two texts';
    reader.refuse(field, limit, describeValue(value));
  }
  return pair;
}

/** The two outcome labels, different from each other. */
export function readOutcomes(reader: RecordReader, field: string): [string, string] {
  const pair = readPair(reader, field);
  if (pair === undefined) return ['', ''];
  const isGood = (label: string) => label !== '' && label.length <= CATALOG_BOUNDS.outcomeChars;
  if (!pair.every(isGood) || pair[0] === pair[1]) {
    const limit = `two different labels of 1 to ${CATALOG_BOUNDS.outcomeChars} characters`;
    reader.refuse(field, limit, describeValue(JSON.stringify(pair)));
  }
  return pair;
}

/** The two token ids, in the order of the outcomes: decimal, 1 to 2^256 - 1. */
export function readTokenIds(reader: RecordReader, field: string): [string, string] {
  const pair = readPair(reader, field);
  if (pair === undefined) return ['', ''];
  const wrong = pair.find((id) => !TOKEN_ID.test(id) || BigInt(id) > LARGEST_TOKEN_ID);
  if (wrong === undefined) return pair;
  reader.refuse(field, 'two decimal numbers from 1 to 2^256 - 1', describeValue(wrong));
  return ['', ''];
}

/** A JSON array of two texts, brought to one form; empty where it is no such thing. */
export function readMirrorTokens(reader: RecordReader, field: string): string {
  const pair = pairOf(reader.take(field));
  return pair === undefined ? '' : JSON.stringify(pair);
}

/** What stands under these names as it came, as JSON. */
export function readTold(reader: RecordReader, names: readonly string[]): string {
  const told = names.map((name) => [name, reader.take(name)]);
  return JSON.stringify(Object.fromEntries(told));
}

/** The largest amount that a figure can have. */
const LARGEST_FIGURE = 1e15;

/**
 * A figure that sources write as a number or as a text, under one of several names; nothing that is
 * traded here depends on it, so what can't be read is nothing.
 */
export function readFigure(reader: RecordReader, ...names: readonly string[]): number {
  const values = names.map((name) => Number(reader.take(name) ?? 0));
  return Math.max(0, ...values.filter((value) => value >= 0 && value <= LARGEST_FIGURE));
}

/** A price step as a number, to units of 0.0001. */
export function readTick(reader: RecordReader, field: string): number {
  const value = reader.take(field) ?? DEFAULT_TICK_SIZE;
  const ticks = typeof value === 'number' ? TICKS_OF_TICK_SIZE.get(value) : undefined;
  if (ticks !== undefined) return ticks;
  const limit = `one of ${[...TICKS_OF_TICK_SIZE.keys()].join(', ')}`;
  reader.refuse(field, limit, describeValue(value));
  return 0;
}

/** A smallest order size in tokens, to units of 0.01 token. */
export function readMinimum(reader: RecordReader, field: string): number {
  const value = reader.take(field) ?? DEFAULT_MINIMUM_SIZE;
  const lots = typeof value === 'number' ? Math.round(value * 100) : 0;
  // The quotient is the double nearest to the decimal, as JSON reads it: an exact comparison.
  if (lots >= 1 && lots <= CATALOG_BOUNDS.minimumLots && lots / 100 === value) return lots;
  const limit = `a multiple of 0.01 from 0.01 to ${CATALOG_BOUNDS.minimumLots / 100}`;
  reader.refuse(field, limit, describeValue(value));
  return 0;
}
