/** The kinds of faults of HTTP answers. */
import { Type } from 'typebox';
import { FAULT_BOUNDS } from './bounds.ts';
import { defineFaultKind, type FaultKind, SecondsParameter } from './kind.ts';

/** How long a client should wait, as `Retry-After` says it. */
function RetryAfter() {
  return Type.Integer({
    minimum: 1,
    maximum: FAULT_BOUNDS.seconds,
    default: 1,
    description: 'The value of Retry-After',
  });
}

export const LOST_ACKNOWLEDGEMENT = defineFaultKind({
  name: 'lost_acknowledgement',
  summary: 'A write is carried out, and its answer is lost',
  site: 'request',
  parameters: {
    answer: Type.Enum(['close', '500', '502', 'timeout'], {
      default: 'close',
      description:
        'What the client sees: close: the connection closes without an answer; 500, 502: an ' +
        'answer with this status; timeout: nothing for `timeout_seconds`, then a closed connection',
    }),
    timeout_seconds: SecondsParameter('For `timeout`', {
      default: 60,
      minimum: 0,
      maximum: FAULT_BOUNDS.heldSeconds,
    }),
  },
  defaultCount: 1,
});

export const SLOW_ANSWER = defineFaultKind({
  name: 'slow_answer',
  summary: 'The request is carried out at once, and its answer is held back',
  site: 'request',
  parameters: {
    seconds: SecondsParameter('How long the answer is held back', {
      default: 5,
      maximum: FAULT_BOUNDS.heldSeconds,
    }),
  },
});

export const LATE_ORDER = defineFaultKind({
  name: 'late_order',
  summary: 'An order reaches the exchange late, and cancels overtake it',
  site: 'request',
  parameters: {
    seconds: SecondsParameter('How long it takes at least', {
      default: 5,
      maximum: FAULT_BOUNDS.heldSeconds,
    }),
    spread_seconds: SecondsParameter('The most by which it takes longer, drawn by the seed', {
      default: 0,
      maximum: FAULT_BOUNDS.heldSeconds,
    }),
  },
});

export const NOT_EXECUTED = defineFaultKind({
  name: 'not_executed',
  summary: 'An order is answered 500, and nothing of it was done',
  site: 'request',
  parameters: {},
});

export const EDGE_PAGE = defineFaultKind({
  name: 'edge_page',
  summary: 'A page of HTML with 403, as a server in front of the venue answers',
  site: 'request',
  parameters: {},
});

export const TOO_EARLY = defineFaultKind({
  name: 'too_early',
  summary: 'Order routes answer 425, as while the matching engine restarts',
  site: 'request',
  parameters: { retry_after_seconds: RetryAfter() },
});

export const POST_ONLY = defineFaultKind({
  name: 'post_only',
  summary: 'Only post-only orders and cancels are accepted',
  site: 'request',
  parameters: {},
});

export const RESTART = defineFaultKind({
  name: 'restart',
  summary: 'A restart of the venue: order routes answer 425, then only post-only orders are taken',
  site: 'request',
  parameters: {
    unavailable_seconds: SecondsParameter('How long order routes answer 425', { default: 90 }),
    post_only_seconds: SecondsParameter('How long only post-only orders are taken after that', {
      default: 120,
    }),
  },
  secondsOf: ({ unavailable_seconds, post_only_seconds }) =>
    unavailable_seconds + post_only_seconds,
});

export const RATE_LIMITED = defineFaultKind({
  name: 'rate_limited',
  summary: 'Requests are refused with 429',
  site: 'request',
  parameters: { retry_after_seconds: RetryAfter() },
});

export const UNAVAILABLE = defineFaultKind({
  name: 'unavailable',
  summary: 'Requests are refused with 503',
  site: 'request',
  parameters: { retry_after_seconds: RetryAfter() },
});

export const REQUEST_FAULT_KINDS: readonly FaultKind[] = [
  LOST_ACKNOWLEDGEMENT,
  SLOW_ANSWER,
  LATE_ORDER,
  NOT_EXECUTED,
  EDGE_PAGE,
  TOO_EARLY,
  POST_ONLY,
  RESTART,
  RATE_LIMITED,
  UNAVAILABLE,
];
