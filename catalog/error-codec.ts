/** Sends the catalog's own errors from its writer thread to the main thread. */
import type { ErrorCodec } from '../persistence/threads/index.ts';
import { CatalogImportError, CatalogRefusal } from './model/index.ts';

/** The constructor arguments of the error. */
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
