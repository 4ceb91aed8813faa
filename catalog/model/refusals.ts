/**
 * Why the catalog refuses something: records of an import (`CatalogImportError`), or a request of
 * an account holder or of the operator (`CatalogRefusal`).
 */

import type { ErrorCodec } from '../../persistence/threads/index.ts';
import { CATALOG_BOUNDS } from './bounds.ts';

/** One fault of an import: the value at `path` must be `limit`, but is `actual`. */
export interface ImportRefusal {
  /** The path of the value in the import: `$[3].markets[0].slug`. */
  readonly path: string;
  /** The last step of the path. */
  readonly field: string;
  /** What the value must be: "a text of at most 300 characters". */
  readonly limit: string;
  /** What it is, shortened. */
  readonly actual: string;
  /** All of it as a sentence: "$[3].markets[0].slug must be …, but is …". */
  readonly sentence: string;
}

/** The refusals of one import: the first hundred in full, the others only counted. */
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

  throwIfAny(kind: ImportErrorKind): void {
    if (this.count > 0) throw new CatalogImportError(this, kind);
  }
}

/** Malformed: the records themselves are wrong. Conflict: something stored forbids them. */
export type ImportErrorKind = 'malformed' | 'conflict';

interface RefusalsMade {
  readonly listed: readonly ImportRefusal[];
  readonly count: number;
}

/** Nothing of the import was stored. */
export class CatalogImportError extends Error {
  readonly kind: ImportErrorKind;
  /** The first hundred of `count`. */
  readonly refusals: readonly ImportRefusal[];
  readonly count: number;

  constructor({ listed, count }: RefusalsMade, kind: ImportErrorKind) {
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    super(`catalog import refused: ${listed[0]?.sentence}${more}`);
    this.name = 'CatalogImportError';
    this.kind = kind;
    this.refusals = listed;
    this.count = count;
  }
}

const SHOWN_CHARS = 80;

/** A value as an error shows it: short, never a whole document. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  if (value.length <= SHOWN_CHARS) return JSON.stringify(value);
  return `${JSON.stringify(`${value.slice(0, SHOWN_CHARS)}…`)} (${value.length} characters)`;
}

export type CatalogRefusalCode =
  | 'unknown'
  | 'not_the_author'
  | 'removed'
  | 'wrong_parent'
  | 'too_many'
  /** The key belongs to another request, or the name to another record. */
  | 'taken'
  | 'malformed';

export interface CatalogFault {
  readonly field: string;
  /** What it must be. */
  readonly limit: string;
  readonly actual: string;
}

/** A write that can't be done. It changed nothing. */
export class CatalogRefusal extends Error {
  readonly code: CatalogRefusalCode;
  readonly field: string;
  readonly limit: string;
  readonly actual: string;

  constructor(code: CatalogRefusalCode, { field, limit, actual }: CatalogFault) {
    super(`${field} must be ${limit}, but is ${actual}`);
    this.name = 'CatalogRefusal';
    this.code = code;
    this.field = field;
    this.limit = limit;
    this.actual = actual;
  }
}

// Sends the catalog's own errors from its writer thread to the main thread.

type Encoded =
  | { readonly kind: 'import'; readonly of: ConstructorParameters<typeof CatalogImportError> }
  | { readonly kind: 'refusal'; readonly of: ConstructorParameters<typeof CatalogRefusal> };

export const CATALOG_ERRORS: ErrorCodec = { encode, decode };

function encode(error: unknown): Encoded | undefined {
  if (error instanceof CatalogImportError) {
    const { kind, refusals: listed, count } = error;
    return { kind: 'import', of: [{ listed, count }, kind] };
  }
  if (error instanceof CatalogRefusal) {
    const { code, field, limit, actual } = error;
    return { kind: 'refusal', of: [code, { field, limit, actual }] };
  }
  return undefined;
}

function decode(value: unknown): Error {
  const encoded = value as Encoded; // safe: `encode` made it
  return encoded.kind === 'import'
    ? new CatalogImportError(...encoded.of)
    : new CatalogRefusal(...encoded.of);
}
