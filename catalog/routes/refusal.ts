/** Refusals of the catalog as errors of the API. */

import type { ErrorCode } from '../../http/errors/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { CatalogRefusal, type CatalogRefusalCode } from '../../persistence/index.ts';

const CODES: Readonly<Record<CatalogRefusalCode, ErrorCode>> = {
  unknown: 'id_not_found',
  not_the_author: 'not_the_author',
  removed: 'comment_removed',
  wrong_parent: 'invalid_payload',
  too_many: 'comment_bound',
  taken: 'record_exists',
  malformed: 'invalid_payload',
};

/** Awaits a write; a refusal becomes an `ApiError`. */
export async function written<Answer>(write: Promise<Answer>): Promise<Answer> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof CatalogRefusal)) throw error;
    const { code, field, limit, actual } = error;
    throw new ApiError(CODES[code], { field, limit, actual: echo(actual) });
  }
}
