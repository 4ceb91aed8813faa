/**
 * Packs JSON values: a byte that says the form, then the value. A list of plain values, as the
 * evidence of an order is, has each of its items in the shortest form; any other value is JSON.
 *
 * | form | of | what follows |
 * |---|---|---|
 * | JSON | any value | its text |
 * | LIST | a list of plain values | how many, and each of them |
 * | NULL, TRUE, FALSE | | |
 * | NUMBER | a number | it |
 * | TEXT | a text | it |
 * | HEX | 0x and pairs of lower-case hex digits | how many bytes, and the bytes |
 * | UUID | a lower-case UUID | its 16 bytes |
 * | DECIMAL | a text of 1 to 15 digits without a leading zero | the number |
 * | FIRST_KNOWN + n | KNOWN_TEXTS[n] | |
 */
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

const JSON_TEXT = 0;
const LIST = 1;
const NULL = 2;
const TRUE = 3;
const FALSE = 4;
const NUMBER = 5;
const TEXT = 6;
const HEX = 7;
const UUID = 8;
const DECIMAL = 9;
const FIRST_KNOWN = 32;

/**
 * Texts that nearly all evidence has: the kinds of structs and the published domains. Journals
 * have their places, so the list may only grow at its end, to 224 texts.
 */
const KNOWN_TEXTS = [
  'order11',
  'order12',
  'CTF Exchange',
  'Polymarket CTF Exchange',
  'Kuest CTF Exchange',
  '0xacd95f4f42322c7be215c170362eec57ef4e78c2',
  '0x961d3230b3bbdb2592d20fa34dbd12fa19240603',
  '0xaa1b8de834e16ec69c044f5300041673c968c9ef',
  '0xe7fa09ca716fdf498d74aff618d32afeacc310ab',
  '0x4bb1871fdae80331ce5ff87547b8ff886d1695a5',
  '0xdb1e374a05130d7de3f16677066553f225d2ee53',
  '0xe111180000d2663c0091e4f400237545b87b996b',
  '0xe2222d279d744050d28e00520010520000310f59',
  '0xe3333700ca9d93003f00f0f71f8515005f6c00aa',
  '0x9fe6e61422adb6f610d8597f9684b16912d50c3d',
  '0xe79717fe8456c620cfde6156b6aead79c4875ca2',
  '0xccbe425a0aa24dcef81f2e6ede3568a1683e7cbe',
  '0x4bfb41d5b3570defd03c39a9a4d8de6bd8b8982e',
  '0xc5d563a36ae78145c45a50134d48a1215220f80a',
  '0xdfe02eb6733538f8ea35d585af8de5958ad99e40',
];
const PLACES = new Map(KNOWN_TEXTS.map((text, place) => [text, place]));
const LONGEST_KNOWN = Math.max(...KNOWN_TEXTS.map(({ length }) => length));

const UUID_LENGTH = 36;
/** Where the groups of digits in a UUID begin and end. */
const UUID_GROUPS = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const;
/** All numbers of so many digits are below 2^53. */
const DECIMAL_LENGTH = 15;
const ZERO = '0'.charCodeAt(0);
const DASH = '-'.charCodeAt(0);

/** `value`: any value that JSON can hold. */
export function packValue(value: unknown, bytes: ByteWriter): void {
  // `findIndex`, because `every` skips the holes of an array.
  if (Array.isArray(value) && value.findIndex((item) => !isPlain(item)) < 0) {
    bytes.byte(LIST);
    bytes.number(value.length);
    for (const item of value) packPlain(item, bytes);
  } else if (isPlain(value)) packPlain(value, bytes);
  else {
    bytes.byte(JSON_TEXT);
    bytes.text(JSON.stringify(value));
  }
}

type Plain = string | number | boolean | null;

function isPlain(value: unknown): value is Plain {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'boolean' || value === null;
}

function packPlain(value: Plain, bytes: ByteWriter): void {
  if (typeof value === 'string') packText(value, bytes);
  else if (typeof value === 'number') {
    bytes.byte(NUMBER);
    bytes.number(value);
  } else if (value === null) bytes.byte(NULL);
  else bytes.byte(value ? TRUE : FALSE);
}

/** A text without halves of surrogate pairs. */
export function packText(text: string, bytes: ByteWriter): void {
  if (packDecimal(text, bytes)) return;
  const place = text.length > LONGEST_KNOWN ? undefined : PLACES.get(text);
  if (place !== undefined) bytes.byte(FIRST_KNOWN + place);
  else if (!packHex(text, bytes) && !packUuid(text, bytes)) {
    bytes.byte(TEXT);
    bytes.text(text);
  }
}

function packDecimal(text: string, bytes: ByteWriter): boolean {
  if (text.length === 0 || text.length > DECIMAL_LENGTH) return false;
  let number = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9 || (number === 0 && at > 0)) return false;
    number = number * 10 + digit;
  }
  bytes.byte(DECIMAL);
  bytes.number(number);
  return true;
}

function packHex(text: string, bytes: ByteWriter): boolean {
  if (text.length % 2 !== 0 || !text.startsWith('0x')) return false;
  const { length } = bytes;
  bytes.byte(HEX);
  bytes.number(text.length / 2 - 1);
  if (bytes.hex(text, 2, text.length)) return true;
  bytes.truncate(length);
  return false;
}

function packUuid(text: string, bytes: ByteWriter): boolean {
  if (text.length !== UUID_LENGTH) return false;
  const { length } = bytes;
  bytes.byte(UUID);
  for (const [from, to] of UUID_GROUPS) {
    const isGroup = to === UUID_LENGTH || text.charCodeAt(to) === DASH;
    if (isGroup && bytes.hex(text, from, to)) continue;
    bytes.truncate(length);
    return false;
  }
  return true;
}

export function readValue(bytes: ByteReader): unknown {
  const form = bytes.byte();
  if (form === JSON_TEXT) return JSON.parse(bytes.text());
  if (form !== LIST) return readPlain(form, bytes);
  const items: Plain[] = [];
  for (let left = bytes.number(); left > 0; left -= 1) items.push(readPlain(bytes.byte(), bytes));
  return items;
}

export function readText(bytes: ByteReader): string {
  // Safe: `packText` wrote it.
  return readPlain(bytes.byte(), bytes) as string;
}

function readPlain(form: number, bytes: ByteReader): Plain {
  switch (form) {
    case NULL:
      return null;
    case TRUE:
      return true;
    case FALSE:
      return false;
    case NUMBER:
      return bytes.number();
    case TEXT:
      return bytes.text();
    case HEX:
      return `0x${bytes.hex(bytes.number())}`;
    case UUID:
      return bytes.uuid();
    case DECIMAL:
      return String(bytes.number());
    default:
      return knownText(form);
  }
}

function knownText(form: number): string {
  const text = KNOWN_TEXTS[form - FIRST_KNOWN];
  if (text === undefined) throw new Error(`a packed value has the unknown form ${form}`);
  return text;
}
