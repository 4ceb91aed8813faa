/**
 * The parts of a snapshot that hold many records of one kind. Their numbers and ids are columns,
 * one after the other; columns of eight-byte values come first, so that typed arrays can read them
 * in place. Invariant: columns are little-endian. Bound: ROWS_PER_PART rows a part; only the last
 * part of a section has fewer.
 */
import { strict as assert } from 'node:assert';
import { ID_WORDS } from '../book/index.ts';
import { SNAPSHOT_PART_BYTES, SnapshotError } from '../model/index.ts';

const ROWS_PER_PART = 16_384;

assert(
  new Uint8Array(Uint16Array.of(1).buffer)[0] === 1,
  'columns are read in place, so this machine must be little-endian',
);

/** Takes one column after the other from a part's bytes. */
class ColumnCutter {
  readonly rows: number;
  readonly #bytes: Uint8Array;
  /** Offset of the next column in bytes; after the last column, the size of the part. */
  used = 0;

  /** `bytes` start at a multiple of eight in memory, as typed arrays demand. */
  constructor(bytes: Uint8Array, rows: number) {
    this.#bytes = bytes;
    this.rows = rows;
  }

  doubles(): Float64Array {
    return new Float64Array(this.#bytes.buffer, this.#cut(8), this.rows);
  }

  /** Unsigned, 64 bits. */
  longs(): BigUint64Array {
    return new BigUint64Array(this.#bytes.buffer, this.#cut(8), this.rows);
  }

  words(): Int32Array {
    return new Int32Array(this.#bytes.buffer, this.#cut(4), this.rows);
  }

  /** `width` bytes a row. */
  bytes(width: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#cut(width), this.rows * width);
  }

  #cut(width: number): number {
    const at = this.#bytes.byteOffset + this.used;
    this.used += width * this.rows;
    return at;
  }
}

/** The columns of a section, in their order in a part. */
export interface Layout<Columns> {
  readonly cut: (cutter: ColumnCutter) => Columns;
  /** The bytes of a row in all columns together. */
  readonly rowBytes: number;
}

export function layout<Columns>(cut: (cutter: ColumnCutter) => Columns): Layout<Columns> {
  const cutter = new ColumnCutter(new Uint8Array(1_024), 1);
  cut(cutter);
  assert(cutter.used * ROWS_PER_PART <= SNAPSHOT_PART_BYTES, 'a full part is within its bound');
  return { cut, rowBytes: cutter.used };
}

/** Yields parts with `count` rows in total; `put` fills a row with the record of an index. */
export function* columnParts<Columns>(
  { cut, rowBytes }: Layout<Columns>,
  count: number,
  put: (columns: Columns, row: number, index: number) => void,
): Generator<Uint8Array> {
  for (let from = 0; from < count; from += ROWS_PER_PART) {
    const rows = Math.min(ROWS_PER_PART, count - from);
    const bytes = new Uint8Array(rows * rowBytes);
    const columns = cut(new ColumnCutter(bytes, rows));
    for (let row = 0; row < rows; row += 1) put(columns, row, from + row);
    yield bytes;
  }
}

/** The columns of a part. Throws SnapshotError unless it has a whole number of rows. */
export function readColumns<Columns>(
  { cut, rowBytes }: Layout<Columns>,
  bytes: Uint8Array,
  name: string,
): { readonly rows: number; readonly columns: Columns } {
  const rows = bytes.length / rowBytes;
  if (!Number.isInteger(rows) || rows === 0) {
    throw new SnapshotError(
      `${name}: ${bytes.length} bytes must be one or more rows of ${rowBytes} bytes`,
    );
  }
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return { rows, columns: cut(new ColumnCutter(aligned, rows)) };
}

/** The value of a lower-case hex digit, by character code. */
const DIGIT_OF = new Uint8Array(128);
/** The character code of a hex digit, by value. */
const CODE_OF = new Uint8Array(16);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  DIGIT_OF[digit.charCodeAt(0)] = value;
  CODE_OF[value] = digit.charCodeAt(0);
}

/** Writes a hex text as bytes into a row of a column of `width` bytes. */
export function putHex(column: Uint8Array, width: number, row: number, text: string): void {
  const at = row * width;
  for (let index = 0; index < width; index += 1) {
    const high = DIGIT_OF[text.charCodeAt(2 + index * 2)]!;
    column[at + index] = (high << 4) | DIGIT_OF[text.charCodeAt(3 + index * 2)]!;
  }
}

/** The text that `getHex` is building. */
const scratch = Buffer.from(`0x${'0'.repeat(64)}`, 'latin1');

/** Reads the hex text of a row. The string does not keep the part in memory. */
export function getHex(column: Uint8Array, width: number, row: number): string {
  const at = row * width;
  for (let index = 0; index < width; index += 1) {
    const byte = column[at + index]!;
    scratch[2 + index * 2] = CODE_OF[byte >>> 4]!;
    scratch[3 + index * 2] = CODE_OF[byte & 15]!;
  }
  return scratch.toString('latin1', 0, 2 + width * 2);
}

/** The bytes of an order id. */
export const ID_BYTES = ID_WORDS * 4;

/** Writes the words of an order id as bytes. */
export function putId(column: Uint8Array, row: number, words: Int32Array): void {
  for (let word = 0, at = row * ID_BYTES; word < ID_WORDS; word += 1, at += 4) {
    const bytes = words[word]!;
    column[at] = bytes;
    column[at + 1] = bytes >>> 8;
    column[at + 2] = bytes >>> 16;
    column[at + 3] = bytes >>> 24;
  }
}

/** The words of all order ids of a column. */
export function idWordsOf(column: Uint8Array): Int32Array {
  // A column of bytes may begin anywhere, and words may not.
  const { buffer, byteOffset, length } = column.byteOffset % 4 === 0 ? column : column.slice();
  return new Int32Array(buffer, byteOffset, length / 4);
}

/** Reads the words of an order id. */
export function getId(column: Uint8Array, row: number, words: Int32Array): void {
  for (let word = 0, at = row * ID_BYTES; word < ID_WORDS; word += 1, at += 4) {
    const low = column[at]! | (column[at + 1]! << 8);
    words[word] = low | (column[at + 2]! << 16) | (column[at + 3]! << 24);
  }
}
