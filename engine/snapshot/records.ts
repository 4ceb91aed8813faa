/**
 * The parts of a snapshot that hold records with fields of several types: JSON arrays, which are
 * read field by field in the order in which they were written. Bound: a part has RECORDS_BYTES and
 * one record at most, which is far below SNAPSHOT_PART_BYTES.
 */
import { invariant, isWhole, SNAPSHOT_PART_BYTES, SnapshotError } from '../model/index.ts';

/** A part ends with the record that reaches this size. */
const RECORDS_BYTES = 1024 * 1024;

export type Field = string | number | boolean | null | readonly Field[];

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
  invariant(bytes.length <= SNAPSHOT_PART_BYTES, 'a part of records is within its bound');
  return bytes;
}

/** The records of a part. Throws SnapshotError for anything else. */
export function readRecords(bytes: Uint8Array, name: string): unknown[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  let records: unknown;
  try {
    records = JSON.parse(text);
  } catch {
    throw new SnapshotError(`${name}: the ${bytes.length} bytes of this part are not JSON`);
  }
  if (Array.isArray(records) && records.length > 0) return records;
  throw new SnapshotError(`${name}: this part must be a list of one or more records`);
}

/** Reads a record from its first field to its last. A SnapshotError names the wrong field. */
export class RecordReader {
  readonly #where: string;
  readonly #fields: readonly unknown[];
  #next = 0;

  constructor(where: string, fields: unknown) {
    this.#where = where;
    if (!Array.isArray(fields))
      throw new SnapshotError(`${where}: a record must be a list of fields`);
    this.#fields = fields;
  }

  whole(field: string, minimum = 0, maximum = Number.MAX_SAFE_INTEGER): number {
    const value = this.#take();
    if (typeof value === 'number' && isWhole(value, minimum, maximum)) return value;
    return this.fail(field, `a whole number from ${minimum} to ${maximum}`, value);
  }

  flag(field: string): boolean {
    const value = this.#take();
    return typeof value === 'boolean' ? value : this.fail(field, 'true or false', value);
  }

  /** A text; of the form `form` if that is given. */
  text(field: string, form?: RegExp): string {
    const value = this.#take();
    if (typeof value === 'string' && (form === undefined || form.test(value))) return value;
    return this.fail(field, form === undefined ? 'a text' : `a text like ${form}`, value);
  }

  oneOf<Value extends string>(field: string, values: readonly Value[]): Value {
    const value = this.#take();
    const found = values.find((one) => one === value);
    return found ?? this.fail(field, `one of ${values.join(', ')}`, value);
  }

  /** A record within the record; undefined for null. */
  inner(field: string): RecordReader | undefined {
    const value = this.#take();
    return value === null ? undefined : new RecordReader(`${this.#where}, ${field}`, value);
  }

  /** Whether the next field is a text. */
  get isText(): boolean {
    return typeof this.#fields[this.#next] === 'string';
  }

  /** Checks that no field is left. */
  end(): void {
    const [count, read] = [this.#fields.length, this.#next];
    if (count !== read)
      throw new SnapshotError(`${this.#where}: a record must have ${read} fields, not ${count}`);
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
