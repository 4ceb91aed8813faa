/**
 * The table of errors and everything that turns a failure into `{error, code, ...details}`.
 */
export { ERRORS, type ErrorCode } from './error-table.ts';
export { ApiError, type ErrorDetails, errorBody, overloadedBy, sentenceOf } from './errors.ts';
export { Failure } from './failure-schema.ts';
export { listAt, objectAt, onlyKnown, refuseAt } from './file-faults.ts';
export {
  commandRejectError,
  eventRejectError,
  moveRejectError,
  operatorMoveRejectError,
  orderRejectError,
  rejectIn,
  throwReject,
} from './reject-errors.ts';
export { echo, firstFault, valueAt } from './schema-fault.ts';
export { toApiError } from './store-failures.ts';
