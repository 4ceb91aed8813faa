/**
 * Reads what a ByteWriter wrote, in the same order. Invariant: nothing beyond the end is read, and
 * `end` checks that nothing is left. The checksums of the journal find damage, so a fault here is
 * one of our own.
 */
import { strict as assert } from 'node:assert';

const DIGITS = Buffer.from('0123456789abcdef');
/** The places of the pairs of digits in a UUID. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const uuid = Buffer.alloc(36, '-');

export class ByteReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  begin(bytes: Uint8Array): void {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
  }

  end(): void {
    assert(this.#at === this.#bytes.length, 'a payload is read to its end');
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    assert(value !== undefined, 'a payload is complete');
    return value;
  }

  number(): number {
    let value = this.byte();
    if (value === 0) {
      const at = this.#take(8);
      return this.#bytes.readDoubleLE(at);
    }
    if (value < 128) return value - 1;
    value &= 127;
    for (let factor = 128; ; factor *= 128) {
      const next = this.byte();
      if (next < 128) return value + next * factor - 1;
      value += (next & 127) * factor;
    }
  }

  words(words: Int32Array): void {
    const bytes = this.#bytes;
    let at = this.#take(words.length * 4);
    for (let index = 0; index < words.length; index += 1) {
      words[index] =
        bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      at += 4;
    }
  }

  /** The hex digits of some bytes. */
  hex(count: number): string {
    const at = this.#take(count);
    return this.#bytes.toString('hex', at, at + count);
  }

  uuid(): string {
    let from = this.#take(UUID_PLACES.length);
    for (const place of UUID_PLACES) {
      const byte = this.#bytes[from]!;
      uuid[place] = DIGITS[byte >> 4]!;
      uuid[place + 1] = DIGITS[byte & 15]!;
      from += 1;
    }
    return uuid.toString('latin1');
  }

  text(): string {
    const length = this.number();
    const at = this.#take(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** The place of the next `count` bytes, which count as read. */
  #take(count: number): number {
    const at = this.#at;
    this.#at += count;
    assert(this.#at <= this.#bytes.length, 'a payload is complete');
    return at;
  }
}
