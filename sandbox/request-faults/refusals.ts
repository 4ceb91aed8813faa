/** Faults that refuse a request before anything of it is done. */
import type { TProperties } from 'typebox';
import { SECOND_MS } from '../../engine/model/index.ts';
import { HTTP_BOUNDS } from '../../http/bounds/sizes.ts';
import { type HeaderList, wholeSeconds } from '../../http/codec/index.ts';
import { ApiError, type ErrorCode, type ErrorDetails } from '../../http/errors/index.ts';
import { refusalOf } from '../../http/orders/result.ts';
import type { Firing } from '../faults/registry.ts';
import {
  NOT_EXECUTED,
  POST_ONLY,
  RATE_LIMITED,
  RESTART,
  TOO_EARLY,
  UNAVAILABLE,
} from '../faults/request-kinds.ts';
import { isAnyRoute, isOrderRoute, placesOrders } from './request-scope.ts';
import type { AskedRequest } from './request-subject.ts';

/** Resolves after the time, or as soon as the signal aborts. */
export function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, signal.aborted ? 0 : ms);
    signal.addEventListener('abort', done);
  });
}

function retryAfter(seconds: number): HeaderList {
  return [['retry-after', String(seconds)]];
}

function refuse(
  asked: AskedRequest,
  firing: Firing<TProperties>,
  [code, seconds, details = {}]: readonly [ErrorCode, number?, ErrorDetails?],
): never {
  const headers = seconds === undefined ? [] : retryAfter(seconds);
  const error = new ApiError(code, details, headers);
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
  const notExecuted = asked.fire(NOT_EXECUTED, placesOrders);
  if (notExecuted !== undefined) refuse(asked, notExecuted, ['execution_failed']);
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

// The mode of the public venue in the two minutes after a restart (docs.polymarket.com, "Matching
// Engine Restarts"). Orders must be post-only: POST /order answers 503 to others, and POST /orders
// refuses each of them in its place and places the rest. Cancels work.

/** What a client is told to wait where the mode has no end. */
const ENDLESS_SECONDS = 1;

function isPostOnly(order: unknown): boolean {
  return (
    typeof order === 'object' && order !== null && 'postOnly' in order && order.postOnly === true
  );
}

/** Whether a body of POST /order or POST /orders has orders that the mode refuses. */
function hasOthers(path: string, body: unknown): boolean {
  if (!Array.isArray(body)) return typeof body === 'object' && body !== null && !isPostOnly(body);
  // The handler refuses a list for POST /order, and a batch that is too long.
  const isBatch = path === '/orders' && body.length <= HTTP_BOUNDS.ordersPerRequest;
  return isBatch && !body.every(isPostOnly);
}

function errorOf({ leftMs }: Firing<TProperties>): ApiError {
  const seconds = Number.isFinite(leftMs) ? wholeSeconds(leftMs) : ENDLESS_SECONDS;
  const details = { field: 'postOnly', limit: true, retry_after_seconds: seconds };
  return new ApiError('post_only_mode', details, retryAfter(seconds));
}

/** Places the post-only orders of a batch; the others are refused in their places. */
async function placeBatch(
  asked: AskedRequest,
  orders: readonly unknown[],
  error: ApiError,
): Promise<readonly unknown[]> {
  const accepted = orders.filter(isPostOnly);
  const placed = accepted.length === 0 ? [] : await asked.call(accepted);
  if (!Array.isArray(placed)) throw new Error('POST /orders answers with a list');
  const results = placed.values();
  const { dialect } = asked.request.input.request;
  return orders.map((order) =>
    isPostOnly(order) ? results.next().value : refusalOf(error, dialect),
  );
}

/** What is left of a request to do: the handler, as far as the mode allows it. */
type RestOfRequest = () => Promise<unknown>;

/** Throws `post_only_mode` for an order that the mode refuses. */
export function inPostOnlyMode(asked: AskedRequest): RestOfRequest {
  const { route, input } = asked.request;
  const { body } = input;
  const isConcerned = placesOrders(route) && hasOthers(route.path, body);
  const firing =
    asked.fire(
      RESTART,
      placesOrders,
      ({ parameters, sinceMs }) =>
        isConcerned && sinceMs >= parameters.unavailable_seconds * SECOND_MS,
    ) ?? asked.fire(POST_ONLY, placesOrders, () => isConcerned);
  if (firing === undefined) return () => asked.call();
  asked.mark(firing.fault);
  const error = errorOf(firing);
  if (!Array.isArray(body)) {
    firing.note('refused the order, which is not post-only');
    throw error;
  }
  const refused = body.filter((order) => !isPostOnly(order)).length;
  firing.note(`refused ${refused} of ${body.length} orders, which are not post-only`);
  return () => placeBatch(asked, body, error);
}
