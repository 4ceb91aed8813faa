/**
 * Appends numbers and texts to one array of bytes, which grows as needed. Its layout has no gaps
 * and no names, so the reader (byte-reader.ts) must ask for the same things in the same order.
 */

/** The value of a hex digit by its character's code; -1, which has all bits set, for others. */
const DIGITS = new Int8Array(128).fill(-1);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
}

const FIRST_BYTES = 4_096;
/** The most bytes of a number: a zero and eight bytes. */
const NUMBER_BYTES = 9;

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  length = 0;

  copy(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.subarray(0, this.length));
  }

  /** Forgets what was written from a place on. */
  truncate(length: number): void {
    this.length = length;
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.length);
    this.length += values.length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  /**
   * Any number: a whole one from 0 to 2^53 - 1 plus one in groups of seven bits, the lowest first;
   * any other as a zero and its eight bytes.
   */
  number(value: number): void {
    this.#reserve(NUMBER_BYTES);
    const bytes = this.#bytes;
    if (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) {
      bytes[this.length++] = 0;
      this.double(value);
      return;
    }
    let rest = value + 1;
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) {
      bytes[this.length++] = (rest % 128) | 128;
    }
    for (; rest > 127; rest >>>= 7) bytes[this.length++] = (rest & 127) | 128;
    bytes[this.length++] = rest;
  }

  /** The eight bytes of a number, the lowest first. */
  double(value: number): void {
    this.#reserve(8);
    this.length = this.#bytes.writeDoubleLE(value, this.length);
  }

  /** The bytes of words, each with its lowest byte first. */
  words(words: Int32Array): void {
    this.#reserve(words.length * 4);
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index]!;
      bytes[at] = word;
      bytes[at + 1] = word >>> 8;
      bytes[at + 2] = word >>> 16;
      bytes[at + 3] = word >>> 24;
      at += 4;
    }
    this.length = at;
  }

  /**
   * The bytes that the lower-case hex digits of a text stand for, from one place to another, which
   * is an even number of digits later. Returns false, and writes nothing, if there is any other
   * character.
   */
  hex(digits: string, from: number, to: number): boolean {
    const count = (to - from) / 2;
    this.#reserve(count);
    const bytes = this.#bytes;
    const begin = this.length;
    let faults = 0;
    for (let index = 0, at = from; index < count; index += 1, at += 2) {
      const high = digits.charCodeAt(at);
      const low = digits.charCodeAt(at + 1);
      if ((high | low) > 127) return false;
      const byte = (DIGITS[high]! << 4) | DIGITS[low]!;
      faults |= byte;
      bytes[begin + index] = byte;
    }
    if (faults < 0) return false;
    this.length = begin + count;
    return true;
  }

  /** The length of a text in bytes and its UTF-8. The text has no half of a surrogate pair. */
  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.number(length);
    this.#reserve(length);
    this.length += this.#bytes.write(value, this.length);
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.#bytes.length) return;
    const wider = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    wider.set(this.#bytes.subarray(0, this.length));
    this.#bytes = wider;
  }
}
