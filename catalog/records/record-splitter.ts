/**
 * Cuts the bytes of a catalog file into records: the elements of a JSON array, those of the lists
 * in `{"events": […], "markets": […]}`, or JSON values one after the other, such as one a line. The
 * first characters of the file tell which.
 *
 * Invariant: the bytes of each record come out once and in order. The splitter looks only at
 * brackets, commas and strings; the caller parses the JSON. Bounds: it holds one record of at most
 * `recordBytes` and `depth`; excess, or another form of file, throws SplitFault.
 */

export interface SplitBounds {
  readonly recordBytes: number;
  readonly depth: number;
}

export interface SplitRecord {
  /** The name of the list that contains it, or ''. */
  readonly list: string;
  readonly bytes: Buffer;
  /** Its offset in the file, in bytes. */
  readonly offset: number;
}

/** The form of the file is wrong. Records that were returned before must not be used. */
export class SplitFault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = 'SplitFault';
    this.offset = offset;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
function opens(byte: number): boolean {
  return byte === OPEN_LIST || byte === OPEN_OBJECT;
}
function closes(byte: number): boolean {
  return byte === CLOSE_LIST || byte === CLOSE_OBJECT;
}

/** The brackets around the records, and the bytes before the first record. */
interface Form {
  readonly base: 0 | 1 | 2;
  readonly headBytes: number;
  readonly list: string;
}

const SNIFFED_BYTES = 256;
const HEAD = /^(?:ï»¿)?\s*(?:(\[)|\{\s*"([A-Za-z]+)"\s*:\s*\[)?/;

/** `lists`: the keys by which an object is a wrapper of lists and not a record. */
function formOf(firstBytes: Buffer, lists: ReadonlySet<string>): Form {
  // One character a byte, because the forms differ in ASCII characters only.
  const head = HEAD.exec(firstBytes.toString('latin1', 0, SNIFFED_BYTES));
  const [text = '', bracket, list = ''] = head ?? [];
  if (bracket !== undefined) return { base: 1, headBytes: text.length, list: '' };
  if (lists.has(list)) return { base: 2, headBytes: text.length, list };
  return { base: 0, headBytes: /^(?:ï»¿)?/.exec(text)?.[0].length ?? 0, list: '' };
}

export class RecordSplitter {
  readonly #bounds: SplitBounds;
  readonly #lists: ReadonlySet<string>;
  #form: Form | undefined;
  #list = '';
  /** Open brackets, including those around the records. */
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Inside of a record; and whether it is a number or word, which no bracket ends. */
  #isOpen = false;
  #isBare = false;
  /** The parts of the open record in earlier chunks. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #beganAt = 0;
  /** The number of bytes in earlier chunks. */
  #offset = 0;
  /** In a list: whether a comma must follow, and whether the list must not end. */
  #wantsComma = false;
  #wantsValue = false;
  /** Between the lists of a wrapper: the last string. */
  #key = '';

  constructor(bounds: SplitBounds, lists: Iterable<string>) {
    this.#bounds = bounds;
    this.#lists = new Set(lists);
  }

  /** The records that end in this chunk. The first chunk has 256 bytes or is the whole file. */
  *push(chunk: Buffer): Generator<SplitRecord> {
    let index = this.#form === undefined ? this.#begin(chunk) : 0;
    let start = 0;
    while (index < chunk.length) {
      const byte = chunk[index] ?? 0;
      if (this.#isOpen) {
        const isEnd = this.#continues(byte, index);
        if (!isEnd) {
          index += 1;
          continue;
        }
        // The byte after a number or word is not part of it and is examined next.
        const end = this.#isBare ? index : index + 1;
        yield this.#take(chunk.subarray(start, end));
        index = end;
      } else {
        if (this.#between(byte, index)) {
          start = index;
          if (!opens(byte) && byte !== QUOTE) this.#isBare = true;
          else this.#continues(byte, index);
        }
        index += 1;
      }
    }
    if (this.#isOpen) this.#hold(chunk.subarray(start));
    this.#offset += chunk.length;
  }

  /** The last record, at the end of the file. Throws SplitFault. */
  *end(): Generator<SplitRecord> {
    if (this.#isOpen && this.#isBare && this.#form?.base === 0) {
      yield this.#take(Buffer.alloc(0));
    }
    if (this.#form === undefined) throw this.#fault(0, 'the file is empty');
    if (this.#isOpen || this.#depth > 0) {
      throw this.#fault(0, 'the file ends in the middle of a record or list');
    }
  }

  #begin(chunk: Buffer): number {
    const form = formOf(chunk, this.#lists);
    this.#form = form;
    this.#depth = form.base;
    this.#list = form.list;
    return form.headBytes;
  }

  /**
   * Examines a byte of an open record. Returns whether the record ends with it, or before it if it
   * is bare.
   */
  #continues(byte: number, index: number): boolean {
    if (this.#heldBytes + index > this.#bounds.recordBytes) this.#checkBytes(index);
    if (this.#isBare) return isSpace(byte) || byte === COMMA || closes(byte);
    const base = this.#form?.base ?? 0;
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isText = false;
      return !this.#isText && this.#depth === base;
    }
    if (byte === QUOTE) this.#isText = true;
    else if (opens(byte)) {
      this.#depth += 1;
      if (this.#depth > base + this.#bounds.depth) {
        throw this.#fault(index, `a record is nested deeper than ${this.#bounds.depth} levels`);
      }
    } else if (closes(byte)) {
      this.#depth -= 1;
      return this.#depth === base;
    }
    return false;
  }

  #checkBytes(index: number): void {
    if (this.#offset + index - this.#beganAt < this.#bounds.recordBytes) return;
    const most = this.#bounds.recordBytes;
    throw this.#fault(index, `the record at byte ${this.#beganAt} has more than ${most} bytes`);
  }

  /** Examines a byte between records. Returns whether a record begins with it. */
  #between(byte: number, index: number): boolean {
    if (isSpace(byte)) return false;
    const base = this.#form?.base ?? 0;
    if (base > 0 && this.#depth < base) return this.#outside(byte, index);
    if (base > 0 && (byte === COMMA || closes(byte))) {
      this.#separate(byte, index);
      return false;
    }
    if (this.#wantsComma || byte === COMMA || closes(byte) || byte === COLON) {
      throw this.#fault(index, `${JSON.stringify(String.fromCharCode(byte))} is not allowed here`);
    }
    this.#isOpen = true;
    this.#beganAt = this.#offset + index;
    return true;
  }

  #separate(byte: number, index: number): void {
    const isEnd = byte === CLOSE_LIST;
    if (byte === CLOSE_OBJECT || (isEnd ? this.#wantsValue : !this.#wantsComma)) {
      throw this.#fault(index, `${JSON.stringify(String.fromCharCode(byte))} is not allowed here`);
    }
    this.#wantsComma = false;
    this.#wantsValue = !isEnd;
    if (isEnd) this.#depth -= 1;
  }

  /** Examines a byte outside of the lists: after the only one, or between those of a wrapper. */
  #outside(byte: number, index: number): false {
    if (this.#isText) {
      if (byte === QUOTE) this.#isText = false;
      else this.#key += String.fromCharCode(byte);
      if (this.#key.length > SNIFFED_BYTES) throw this.#fault(index, 'a key is too long');
    } else if (this.#depth === 1 && byte === QUOTE) {
      this.#isText = true;
      this.#key = '';
    } else if (this.#depth === 1 && byte === OPEN_LIST) {
      this.#depth = 2;
      this.#list = this.#key;
    } else if (this.#depth === 1 && byte === CLOSE_OBJECT) this.#depth = 0;
    else if (this.#depth === 0 || opens(byte) || closes(byte)) {
      throw this.#fault(index, 'there is more after the end of the list');
    }
    return false;
  }

  #hold(part: Buffer): void {
    // A copy, because the caller overwrites the chunk.
    this.#held.push(Buffer.from(part));
    this.#heldBytes += part.length;
  }

  #take(rest: Buffer): SplitRecord {
    const bytes = this.#held.length === 0 ? rest : Buffer.concat([...this.#held, rest]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#isOpen = false;
    this.#isBare = false;
    this.#wantsComma = (this.#form?.base ?? 0) > 0;
    this.#wantsValue = false;
    return { list: this.#list, bytes, offset: this.#beganAt };
  }

  #fault(index: number, message: string): SplitFault {
    return new SplitFault(this.#offset + index, message);
  }
}
