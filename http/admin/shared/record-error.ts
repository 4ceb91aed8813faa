import { CatalogImportError, type ImportRefusal } from '../../../persistence/index.ts';
import { ApiError, type ErrorCode } from '../../errors/index.ts';

/** Turns the catalog's first refusal of a record into an `ApiError`. Other errors are unchanged. */
export function recordError(
  error: unknown,
  conflictCode: ErrorCode,
  fieldOf: (refusal: ImportRefusal) => string,
): unknown {
  const first = error instanceof CatalogImportError ? error.refusals[0] : undefined;
  if (!(error instanceof CatalogImportError) || first === undefined) return error;
  const { limit, actual } = first;
  const code = error.kind === 'conflict' ? conflictCode : 'invalid_payload';
  return new ApiError(code, { field: fieldOf(first), limit, actual });
}
