/**
 * Conversion of order ids between text (0x and 64 lower-case hex digits) and eight words of an
 * Int32Array. A string for each order would take more memory than the rest of the order, and the
 * garbage collector would visit all of them. Invariant: reading and writing gives the same text.
 */

/** How many words an id has. */
export const ID_WORDS = 8;

const TEXT_LENGTH = 66;
/** The text being converted, as bytes and as pairs of characters: `0x`, then two digits each. */
const text = Buffer.from(`0x${'0'.repeat(64)}`, 'latin1');
const pairs = new Uint16Array(text.buffer, text.byteOffset, TEXT_LENGTH / 2);
const PREFIX = pairs[0]!;
/** The byte that a pair of characters stands for; -1, which has all bits set, for other pairs. */
const BYTE_OF = new Int16Array(0x1_0000).fill(-1);
/** The pair of characters for a byte. */
const PAIR_OF = new Uint16Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  text.write(byte.toString(16).padStart(2, '0'), 2);
  PAIR_OF[byte] = pairs[1]!;
  BYTE_OF[pairs[1]!] = byte;
}

/** Writes the words of an id into `words`. Returns false for a text that is not an order id. */
export function readOrderId(id: string, words: Int32Array): boolean {
  // In UTF-8, every byte of a non-ASCII character is above 127, so none is taken for a digit.
  if (id.length !== TEXT_LENGTH || text.write(id) !== TEXT_LENGTH) return false;
  let faults = pairs[0] === PREFIX ? 0 : -1;
  for (let word = 0, at = 1; word < ID_WORDS; word += 1, at += 4) {
    const first = BYTE_OF[pairs[at]!]!;
    const second = BYTE_OF[pairs[at + 1]!]!;
    const third = BYTE_OF[pairs[at + 2]!]!;
    const fourth = BYTE_OF[pairs[at + 3]!]!;
    faults |= first | second | third | fourth;
    words[word] = first | (second << 8) | (third << 16) | (fourth << 24);
  }
  return faults >= 0;
}

/** The text of the id whose words start at `from`. */
export function writeOrderId(words: Int32Array, from: number): string {
  pairs[0] = PREFIX;
  for (let word = from, at = 1; word < from + ID_WORDS; word += 1, at += 4) {
    const bytes = words[word]!;
    pairs[at] = PAIR_OF[bytes & 255]!;
    pairs[at + 1] = PAIR_OF[(bytes >>> 8) & 255]!;
    pairs[at + 2] = PAIR_OF[(bytes >>> 16) & 255]!;
    pairs[at + 3] = PAIR_OF[bytes >>> 24]!;
  }
  return text.toString('latin1');
}

/**
 * Copies the id at `from` in `one` to `at` in `other`. Most commands copy several ids, and without
 * a loop a copy takes a third of the time.
 */
export function copyId(one: Int32Array, from: number, other: Int32Array, at: number): void {
  other[at] = one[from]!;
  other[at + 1] = one[from + 1]!;
  other[at + 2] = one[from + 2]!;
  other[at + 3] = one[from + 3]!;
  other[at + 4] = one[from + 4]!;
  other[at + 5] = one[from + 5]!;
  other[at + 6] = one[from + 6]!;
  other[at + 7] = one[from + 7]!;
}

/** Whether the id at `from` in `one` equals the id at `at` in `other`. */
export function isSameId(one: Int32Array, from: number, other: Int32Array, at: number): boolean {
  return (
    one[from] === other[at] &&
    one[from + 1] === other[at + 1] &&
    one[from + 2] === other[at + 2] &&
    one[from + 3] === other[at + 3] &&
    one[from + 4] === other[at + 4] &&
    one[from + 5] === other[at + 5] &&
    one[from + 6] === other[at + 6] &&
    one[from + 7] === other[at + 7]
  );
}
