/**
 * The parts of an image that hold what is rare, or of many kinds: records as JSON arrays, read
 * field by field in the order in which they were written. Bound: RECORDS_BYTES of records a part,
 * and one more, which is far below the rest of IMAGE_PART_BYTES.
 */
import { SNAPSHOT_PART_BYTES, SnapshotError, invariant, isWhole } from '../model/index.ts';

/** A part is closed by the record that comes to this. */
const RECORDS_BYTES = 1024 * 1024;

export type Field = string | number | boolean | null | readonly Field[];

/** Parts of records, in their order. */
export function* recordParts(records: Iterable<readonly Field[]>): Generator<Uint8Array> {
  let texts: string[] = [];
  let length = 0;
  for (const record of records) {
    const text = JSON.stringify(record);
    texts.push(text);
    length += text.length;
    if (length < RECORDS_BYTES) continue;
    yield partOf(texts);
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield partOf(texts);
}

function partOf(texts: readonly string[]): Uint8Array {
  const bytes = Buffer.from(`[${texts.join(',\n')}]`);
  invariant(bytes.length <= SNAPSHOT_PART_BYTES, 'a part of records is within the bound');
  return bytes;
}

/** The records of a part that was read. Throws ImageError for what is none. */
export function readRecords(bytes: Uint8Array, name: string): unknown[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    throw new SnapshotError(`${name}: its ${bytes.length} bytes are no JSON`);
  }
  if (Array.isArray(records) && records.length > 0) return records;
  throw new SnapshotError(`${name}: it is no list of records`);
}

/** One record, read from its first field to its last. Throws ImageError, which names the field. */
export class ImageRecord {
  readonly #where: string;
  readonly #fields: readonly unknown[];
  #next = 0;

  constructor(where: string, fields: unknown) {
    this.#where = where;
    if (!Array.isArray(fields)) throw new SnapshotError(`${where}: it is no record`);
    this.#fields = fields;
  }

  whole(field: string, least: number, most: number): number {
    const value = this.#take();
    if (typeof value === 'number' && isWhole(value, least, most)) return value;
    return this.fail(field, `a whole number from ${least} to ${most}`, value);
  }

  flag(field: string): boolean {
    const value = this.#take();
    return typeof value === 'boolean' ? value : this.fail(field, 'true or false', value);
  }

  /** Any text; of the form, if one is given. */
  text(field: string, form?: RegExp): string {
    const value = this.#take();
    if (typeof value === 'string' && (form === undefined || form.test(value))) return value;
    return this.fail(field, form === undefined ? 'a text' : `a text like ${form}`, value);
  }

  /** undefined for null. */
  optionalText(field: string): string | undefined {
    if (this.#fields[this.#next] !== null) return this.text(field);
    this.#next += 1;
    return undefined;
  }

  oneOf<Value extends string>(field: string, values: readonly Value[]): Value {
    const value = this.#take();
    const found = values.find((one) => one === value);
    return found ?? this.fail(field, `one of ${values.join(', ')}`, value);
  }

  /** A record within the record; undefined for null. */
  inner(field: string): ImageRecord | undefined {
    const value = this.#take();
    return value === null ? undefined : new ImageRecord(`${this.#where}, ${field}`, value);
  }

  /** Whether the next field is a text. */
  get isText(): boolean {
    return typeof this.#fields[this.#next] === 'string';
  }

  /** Nothing is left over. */
  end(): void {
    const [count, read] = [this.#fields.length, this.#next];
    if (count !== read)
      throw new SnapshotError(`${this.#where}: ${count} fields instead of ${read}`);
  }

  fail(field: string, wanted: string, value: unknown): never {
    throw this.fault(field, wanted, value);
  }

  fault(field: string, wanted: string, value: unknown): SnapshotError {
    const found = (JSON.stringify(value) ?? 'nothing').slice(0, 200);
    return new SnapshotError(`${this.#where}: ${field} must be ${wanted}, not ${found}`);
  }

  #take(): unknown {
    this.#next += 1;
    return this.#fields[this.#next - 1];
  }
}
