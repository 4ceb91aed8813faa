/** Sends the catalog's own errors from its writer thread to the main thread. */
import type { ErrorCodec } from '../threads/index.ts';
import {
  type CatalogFault,
  CatalogImportError,
  CatalogRefusal,
  type CatalogRefusalCode,
  type ImportErrorKind,
  type ImportRefusal,
  RefusalList,
} from './model/index.ts';

type Encoded =
  | {
      readonly kind: 'import';
      readonly of: ImportErrorKind;
      readonly refusals: readonly ImportRefusal[];
      readonly count: number;
    }
  | ({ readonly kind: 'refusal'; readonly code: CatalogRefusalCode } & CatalogFault);

export const CATALOG_ERRORS: ErrorCodec = { encode, decode };

function encode(error: unknown): Encoded | undefined {
  if (error instanceof CatalogImportError) {
    const { kind: of, refusals, count } = error;
    return { kind: 'import', of, refusals, count };
  }
  if (error instanceof CatalogRefusal) {
    const { code, field, limit, actual } = error;
    return { kind: 'refusal', code, field, limit, actual };
  }
  return undefined;
}

function decode(value: unknown): Error {
  const encoded = value as Encoded; // safe: `encode` made it
  if (encoded.kind === 'refusal') return new CatalogRefusal(encoded.code, encoded);
  const list = new RefusalList();
  list.listed.push(...encoded.refusals);
  list.count = encoded.count;
  return new CatalogImportError(list, encoded.of);
}
