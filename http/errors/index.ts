/**
 * The table of errors and everything that turns a failure into `{error, code, ...details}`.
 */
export {
  DataFailure,
  DEFAULT_RETRY_SECONDS,
  dataFailure,
  isRetryable,
} from './data-failure.ts';
export {
  ApiError,
  ERRORS,
  type ErrorCode,
  type ErrorDetails,
  errorBody,
  overloadedBy,
  sentenceOf,
  toApiError,
} from './errors.ts';
export { Failure } from './failure-schema.ts';
export {
  commandRejectError,
  eventRejectError,
  moveRejectError,
  operatorMoveRejectError,
  orderRejectError,
  rejectIn,
  throwReject,
} from './reject-errors.ts';
export {
  echo,
  firstFault,
  listAt,
  objectAt,
  onlyKnown,
  refuseAt,
  valueAt,
} from './schema-fault.ts';
