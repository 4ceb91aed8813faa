/**
 * Writes SlottedJson. Invariant: a writer reuses the memory of an earlier one, because 200 answers
 * a second of 100 KB each would keep the garbage collector busy; what a writer returns is a copy.
 * Bound: the caller limits the text; a buffer of more than `KEPT_BYTES` is not reused.
 */
import { SLOT_NUMBERS, type Slot, type SlottedJson } from '../model/index.ts';

/** A part of a text that can be cached and added to other texts. */
export interface JsonFragment {
  readonly bytes: Uint8Array;
  /** See SlottedJson; positions are counted from the fragment's first byte. */
  readonly slots: Uint32Array;
  readonly keys: string;
  /** Characters outside of slots. */
  readonly chars: number;
}

export interface JsonMark {
  readonly length: number;
  readonly slotCount: number;
  readonly keyCount: number;
  readonly chars: number;
}

const KEPT_BYTES = 1024 * 1024;
const FIRST_BYTES = 256 * 1024;
/** The most UTF-8 bytes that one UTF-16 code unit takes. */
const MAX_BYTES_A_CHAR = 3;

let spare: Buffer | undefined;

export class JsonWriter {
  #buffer: Buffer;
  #length = 0;
  /** Text that is not in the buffer yet: one long text is encoded faster than many short ones. */
  #pending = '';
  readonly #slots: number[] = [];
  readonly #keys: string[] = [];
  #chars = 0;

  constructor() {
    this.#buffer = spare ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
    spare = undefined;
  }

  /** Characters outside of slots. */
  get chars(): number {
    return this.#chars;
  }

  add(text: string): void {
    this.#pending += text;
    this.#chars += text.length;
  }

  addEach<Item>(items: readonly Item[], write: (item: Item, index: number) => void): void {
    items.forEach((item, index) => {
      if (index > 0) this.add(',');
      write(item, index);
    });
  }

  /** Adds a slot that holds `content` until it is replaced. */
  slot({ key, flags }: Slot, content: string): void {
    this.#flush();
    const begin = this.#length;
    this.#pending = content;
    this.#flush();
    this.#keys.push(key);
    this.#slots.push(begin, this.#length, flags);
  }

  addFragment({ bytes, slots, keys, chars }: JsonFragment): void {
    this.#flush();
    const begin = this.#length;
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, begin);
    this.#length += bytes.length;
    this.#chars += chars;
    if (slots.length === 0) return;
    this.#keys.push(keys);
    this.#addSlots(slots, begin);
  }

  mark(): JsonMark {
    this.#flush();
    return {
      length: this.#length,
      slotCount: this.#slots.length,
      keyCount: this.#keys.length,
      chars: this.#chars,
    };
  }

  /** What was added after the mark, as a copy. */
  fragmentSince({ length, slotCount, keyCount, chars }: JsonMark): JsonFragment {
    this.#flush();
    const bytes = Buffer.allocUnsafeSlow(this.#length - length);
    this.#buffer.copy(bytes, 0, length, this.#length);
    const slots = Uint32Array.from(this.#slots.slice(slotCount));
    for (let index = 0; index < slots.length; index += SLOT_NUMBERS) {
      slots[index] = (slots[index] ?? 0) - length;
      slots[index + 1] = (slots[index + 1] ?? 0) - length;
    }
    const keys = this.#keys.slice(keyCount).join('\n');
    return { bytes, slots, keys, chars: this.#chars - chars };
  }

  /** Returns the text. The writer must not be used afterwards. */
  done(count: number): SlottedJson {
    this.#flush();
    // Not from the shared pool: it is transferred to another thread.
    const bytes = Buffer.allocUnsafeSlow(this.#length);
    this.#buffer.copy(bytes, 0, 0, this.#length);
    if (this.#buffer.length <= KEPT_BYTES) spare = this.#buffer;
    return { bytes, slots: Uint32Array.from(this.#slots), keys: this.#keys.join('\n'), count };
  }

  #addSlots(slots: Uint32Array, begin: number): void {
    for (let index = 0; index < slots.length; index += SLOT_NUMBERS) {
      this.#slots.push(
        begin + (slots[index] ?? 0),
        begin + (slots[index + 1] ?? 0),
        slots[index + 2] ?? 0,
      );
    }
  }

  #flush(): void {
    const text = this.#pending;
    if (text === '') return;
    // Counting the bytes takes longer than writing them, so only a long text is counted.
    const most = MAX_BYTES_A_CHAR * text.length;
    this.#reserve(most > KEPT_BYTES ? Buffer.byteLength(text) : most);
    this.#length += this.#buffer.write(text, this.#length);
    this.#pending = '';
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const longer = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length));
    this.#buffer.copy(longer, 0, 0, this.#length);
    this.#buffer = longer;
  }
}

export function plainJson(text: string, count = 1): SlottedJson {
  const writer = new JsonWriter();
  writer.add(text);
  return writer.done(count);
}

export function writtenList(count: number, write: (writer: JsonWriter) => void): SlottedJson {
  const writer = new JsonWriter();
  writer.add('[');
  write(writer);
  writer.add(']');
  return writer.done(count);
}

export function plainList(elements: readonly string[]): SlottedJson {
  return plainJson(`[${elements.join(',')}]`, elements.length);
}

/** The members of an object, given as JSON, with a comma before each; '' if it has none. */
export function furtherMembers(record: string): string {
  return record.length <= 2 ? '' : `,${record.slice(1, -1)}`;
}
