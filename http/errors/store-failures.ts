/** Maps the store's refusals to the error table. */
import {
  SavedStateRefusal,
  StoreError,
  type StoreErrorCode,
} from '../../persistence/shared/index.ts';
import { ERRORS, type ErrorCode } from './error-table.ts';
import { ApiError, type ErrorDetails } from './errors.ts';

const CODES: Readonly<Partial<Record<StoreErrorCode, ErrorCode>>> = {
  stopping: 'service_not_ready',
  overloaded: 'overloaded',
  reader_unavailable: 'reader_unavailable',
  catalog_unavailable: 'catalog_unavailable',
  search_too_wide: 'search_too_wide',
  no_core: 'service_not_ready',
  deposed: 'service_not_ready',
  log_unavailable: 'service_not_ready',
  other_node: 'other_node',
};

/** Details for codes whose sentence does not say what to send instead. */
const DETAILS: Readonly<Partial<Record<ErrorCode, ErrorDetails>>> = {
  search_too_wide: { limit: 'a search narrowed by market, asset_id, before or after' },
  overloaded: { field: 'store', retryAfterSeconds: ERRORS.overloaded.retryAfterSeconds },
};

/** A failure as a refusal; undefined for a fault of the exchange. */
export function toApiError(failure: unknown): ApiError | undefined {
  if (failure instanceof ApiError) return failure;
  if (failure instanceof SavedStateRefusal) return new ApiError(failure.code, failure.details);
  const code = failure instanceof StoreError ? CODES[failure.code] : undefined;
  return code && new ApiError(code, DETAILS[code]);
}
