// Reading one JSON record of unknown content, field by field. A field that can't be accepted is
// refused by its JSON path and reading goes on, so that one import names all its faults.
// What nobody read is left over and kept as it came.

import { CATALOG_BOUNDS } from '../model/index.ts';

export interface ImportRefusal {
  /** Where the value stands in the imported file: `$[3].markets[0].slug`. */
  readonly path: string;
  /** The field's name, the last step of the path. */
  readonly field: string;
  /** What the value must be: "at most 300 characters". */
  readonly limit: string;
  /** What it is, shortened: "412 characters". */
  readonly actual: string;
  /** All of it for a person: "$[3].markets[0].slug must be ..., but is ...". */
  readonly sentence: string;
}

/** The refusals of one import: the first hundred in full, the others counted. */
export class RefusalList {
  readonly listed: ImportRefusal[] = [];
  count = 0;

  add(path: string, limit: string, actual: string): void {
    this.count += 1;
    if (this.listed.length >= CATALOG_BOUNDS.refusalsListed) return;
    const field = path.slice(path.lastIndexOf('.') + 1);
    const sentence = `${path} must be ${limit}, but is ${actual}`;
    this.listed.push({ path, field, limit, actual, sentence });
  }

  /** Throws `CatalogImportError` of the kind that its refusals are. */
  throwIfAny(kind: ImportErrorKind): void {
    if (this.count > 0) throw new CatalogImportError(this, kind);
  }
}

/** What is wrong: the records themselves, or that something stored stands in their way. */
export type ImportErrorKind = 'malformed' | 'conflict';

/** Nothing of the import was stored; `refusals` says why, the first hundred reasons of `count`. */
export class CatalogImportError extends Error {
  readonly kind: ImportErrorKind;
  readonly refusals: readonly ImportRefusal[];
  readonly count: number;

  constructor(refusals: RefusalList, kind: ImportErrorKind) {
    const more = refusals.count > 1 ? ` (and ${refusals.count - 1} more)` : '';
    super(`catalog import refused: ${refusals.listed[0]?.sentence}${more}`);
    this.name = 'CatalogImportError';
    this.kind = kind;
    this.refusals = refusals.listed;
    this.count = refusals.count;
  }
}

const SHOWN_CHARS = 80;

/** A value as an error shows it: short, and never a whole document. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const shown = value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value;
  return JSON.stringify(shown);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class RecordReader {
  readonly path: string;
  readonly #refusals: RefusalList;
  /** The fields that nobody has taken yet. */
  readonly #left: Map<string, unknown>;

  constructor(value: unknown, path: string, refusals: RefusalList) {
    this.path = path;
    this.#refusals = refusals;
    this.#left = new Map(isObject(value) ? Object.entries(value) : []);
    if (!isObject(value)) refusals.add(path, 'an object', describeValue(value));
  }

  /** The field's value, once; `undefined` if it is missing or null. */
  take(field: string): unknown {
    const value = this.#left.get(field);
    this.#left.delete(field);
    return value ?? undefined;
  }

  refuse(field: string, limit: string, actual: string): void {
    this.#refusals.add(`${this.path}.${field}`, limit, actual);
  }

  /** A reader for each element of an array field; none if the field is not such an array. */
  takeRecords(field: string, limit: number): RecordReader[] {
    const value = this.take(field);
    if (value === undefined) return [];
    if (!Array.isArray(value) || value.length > limit) {
      this.refuse(field, `an array of at most ${limit}`, describeValue(value));
      return [];
    }
    const items: readonly unknown[] = value;
    return items.map(
      (item, index) => new RecordReader(item, `${this.path}.${field}[${index}]`, this.#refusals),
    );
  }

  /** The fields that nobody took, as JSON. To be called after all others. */
  leftover(): string {
    const text = JSON.stringify(Object.fromEntries(this.#left));
    if (text.length <= CATALOG_BOUNDS.recordChars) return text;
    const limit = `at most ${CATALOG_BOUNDS.recordChars} characters of further fields`;
    this.#refusals.add(this.path, limit, `${text.length} characters`);
    return '{}';
  }
}
