/** Faults that refuse a request before anything of it is done. */

import type { TProperties } from 'typebox';
import { SECOND_MS } from '../../engine/model/index.ts';
import { type HeaderList, wholeSeconds } from '../../http/codec/index.ts';
import { ApiError, type ErrorCode, type ErrorDetails } from '../../http/errors/index.ts';
import { type Firing, RATE_LIMITED, RESTART, TOO_EARLY, UNAVAILABLE } from '../faults/index.ts';
import type { AskedRequest } from './asked-request.ts';
import { isAnyRoute, isOrderRoute } from './request-scope.ts';

export function retryAfter(seconds: number): HeaderList {
  return [['retry-after', String(seconds)]];
}

function refuse(
  asked: AskedRequest,
  firing: Firing<TProperties>,
  [code, seconds, details = {}]: readonly [ErrorCode, number, ErrorDetails?],
): never {
  const error = new ApiError(code, details, retryAfter(seconds));
  firing.note(`answered ${error.entry.status}`);
  asked.mark(firing.fault);
  throw error;
}

/** Throws the refusal of the first fault that fires. */
export function refuseOnDemand(asked: AskedRequest): void {
  const restart = asked.fire(
    RESTART,
    isOrderRoute,
    ({ parameters, sinceMs }) => sinceMs < parameters.unavailable_seconds * SECOND_MS,
  );
  if (restart !== undefined) {
    const leftMs = restart.parameters.unavailable_seconds * SECOND_MS - restart.sinceMs;
    refuse(asked, restart, ['service_not_ready', wholeSeconds(leftMs)]);
  }
  const early = asked.fire(TOO_EARLY, isOrderRoute);
  if (early !== undefined) {
    refuse(asked, early, ['service_not_ready', early.parameters.retry_after_seconds]);
  }
  const unavailable = asked.fire(UNAVAILABLE, isAnyRoute);
  if (unavailable !== undefined) {
    const { retry_after_seconds: retryAfterSeconds } = unavailable.parameters;
    const details = { field: 'fault', limit: 0, actual: 1, retryAfterSeconds };
    refuse(asked, unavailable, ['overloaded', retryAfterSeconds, details]);
  }
  const limited = asked.fire(RATE_LIMITED, isAnyRoute);
  if (limited !== undefined) {
    const { retry_after_seconds: retryAfterSeconds } = limited.parameters;
    const window = { limit: 1, windowSeconds: retryAfterSeconds, scope: 'fault', row: 'fault' };
    const details = { ...window, retryAfterSeconds };
    refuse(asked, limited, ['too_many_requests', retryAfterSeconds, details]);
  }
}
