/** What the catalog refuses to write, in the names of the error table. */
import { CatalogRefusal, type CatalogRefusalCode } from '../../persistence/index.ts';
import type { ErrorCode } from '../errors/index.ts';
import { ApiError, echo } from '../errors/index.ts';

const CODES: Readonly<Record<CatalogRefusalCode, ErrorCode>> = {
  unknown: 'id_not_found',
  not_the_author: 'not_the_author',
  removed: 'comment_removed',
  wrong_parent: 'invalid_payload',
  too_many: 'comment_bound',
  taken: 'record_exists',
  malformed: 'invalid_payload',
};

/** What the catalog answers; throws the `ApiError` of what it refuses. */
export async function written<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CatalogRefusal)) throw error;
    const { code, field, limit, actual } = error;
    throw new ApiError(CODES[code], { field, limit, actual: echo(actual) });
  }
}
