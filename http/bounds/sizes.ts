/**
 * The bounds of the HTTP server, each with the error of a request that exceeds it. Rate limits have
 * their own table (admission/limit-table.ts).
 */
import { strict as assert } from 'node:assert';
import { BOUNDS } from '../../engine/model/index.ts';

export const HTTP_BOUNDS = {
  /** Bytes of a request's head; the socket library answers 431 by itself. */
  headBytes: 16_384,
  /** Bytes of a body, unless its route says otherwise. Error: `body_too_large`. */
  bodyBytes: 65_536,
  /** Bytes of the body of POST and DELETE /orders. Error: `body_too_large`. */
  ordersBodyBytes: 262_144,
  /** Bytes of the body of POST /events of the operator. Error: `body_too_large`. */
  eventBodyBytes: 1_048_576,
  /** Bytes of all bodies that have arrived in part. Error: `overloaded`. */
  partialBodyBytes: 67_108_864,
  /** Bytes of replies that clients have not read; beyond it the slowest client is disconnected. */
  unreadBytes: 268_435_456,
  /** Orders in one POST /orders (wire 10). Error: `too_many_orders`. */
  ordersPerRequest: 15,
  /** Ids in one DELETE /orders (wire 5.7). Error: `too_many_order_ids`. */
  ordersPerCancel: 1_000,
  /**
   * Orders that one step of a long cancel ends. Each is a message to its owner's sockets, all in
   * one turn of the event loop: some 2 ms.
   */
  ordersPerCancelStep: 128,
  /** Characters of a client's value that an error repeats. */
  echoedCharacters: 128,
  /** Requests that are handled at once. Error: `overloaded`. */
  pendingRequests: 20_000,
  /** Writes of one owner that wait for their turn. Error: `overloaded`. */
  pendingWritesPerOwner: 2_000,
  /** Orders that wait for a verifier thread. Error: `overloaded`. */
  pendingVerifications: 20_000,
  /** Orders in one message to a verifier thread. */
  verificationsPerMessage: 32,
  /** Messages that a verifier thread has at once: enough not to idle, few enough to be fair. */
  messagesPerVerifier: 2,
  /** Cached secrets of API keys; others are derived again when they are used. */
  cachedCredentials: 20_000,
  /** Clients with their own counter in each row of the limits. Others share counters. */
  limitCounters: 16_384,
  /** Counters that further clients share. Error: `too_many_requests`. */
  sharedLimitCounters: 256,
  /** How far reads may lag behind the journal while the exchange counts as ready. */
  readyLagMs: 10_000,
  /** How long the journal may leave commands uncommitted while the exchange counts as ready. */
  readyCommitMs: 1_000,
  /** How long requests in flight may take to finish when the server closes. */
  closeGraceMs: 5_000,
  /** The same before a checkpoint is restored; after it they get `service_not_ready`. */
  suspendGraceMs: 1_000,
  /**
   * Time from a connection's last reply to its close. What the client sends meanwhile is read and
   * ignored: closing a socket with unread data would reset it, and the client would lose the reply.
   */
  lingerMs: 500,
  /** Dead man's switches that trip at the same time; others wait. */
  switchTripsAtOnce: 256,
  /** Resolutions that wait for a second operator; the oldest is forgotten. */
  waitingApprovals: 1_000,
  /** How long a resolution waits for a second operator. */
  approvalMs: 86_400_000,
  /** How far the sandbox may move the clock, in all: ten years of 365 days. */
  clockOffsetMs: 315_360_000_000,
  /**
   * Lookups of one order id or idempotency key, repeated if the engine may have forgotten it since
   * the last. Errors: `order_id_unchecked`, `money_key_unchecked`.
   */
  idLookups: 3,
} as const;

/**
 * Bounds of overload protection (admission/overload.ts), which refuses new orders and other costly
 * writes before any queue is full. The error of all: `overloaded`.
 */
export const OVERLOAD_BOUNDS = {
  /** Accepted orders that are not answered yet. */
  waitingOrders: 10_000,
  /** Waiting orders from one network (for IPv6 the first 64 bits of the address). */
  waitingOrdersPerNetwork: 5_000,
  /** Waiting orders of one owner from one network. */
  waitingOrdersPerOwner: 2_500,
  /** An owner with fewer waiting orders is not refused because the event loop is late. */
  quietOwnerOrders: 16,
  /** Owners and networks go in the order of what they used in the last one to two windows. */
  useWindowMs: 1_000,
  /** The same for wrong signatures. */
  wrongWindowMs: 10_000,
  /** How many orders a wrong signature counts for in that order. It takes as long as ten. */
  wrongSignatureOrders: 100,
  /** Networks and owners that one window counts. */
  useCounts: 100_000,
  /** The longest expected wait of a new order. */
  burstWaitMs: 200,
  /** The longest expected wait after a refusal, until the wait has been short for `easedMs`. */
  congestedWaitMs: 75,
  /** How late the event loop may be. */
  lateLoopMs: 250,
  /** The most that two commits of a slow disk add to `burstWaitMs` and `congestedWaitMs`. */
  slowDiskMs: 200,
  /** How long the wait must stay below half the target before congestion ends. */
  easedMs: 500,
  /** An owner with an older order is refused; all owners are after this time without an answer. */
  stalledMs: 1_000,
  /** Up to this many orders, the wait counts as 0: fewer would not make a slow disk faster. */
  freeOrders: 128,
  /** The time that one answer is assumed to take until it is measured. */
  assumedOrderMs: 0.25,
  /** Answers that a measurement needs. */
  sampledOrders: 64,
  /** The interval of measurements while any order waits. */
  pulseMs: 20,
} as const;

assert(
  2 * OVERLOAD_BOUNDS.waitingOrders <=
    Math.min(HTTP_BOUNDS.pendingRequests, HTTP_BOUNDS.pendingVerifications),
  'orders leave half of each queue to cancels and reads',
);
assert(
  HTTP_BOUNDS.ordersPerRequest < OVERLOAD_BOUNDS.quietOwnerOrders &&
    OVERLOAD_BOUNDS.waitingOrdersPerOwner < OVERLOAD_BOUNDS.waitingOrdersPerNetwork &&
    OVERLOAD_BOUNDS.waitingOrdersPerNetwork < OVERLOAD_BOUNDS.waitingOrders,
  'no owner and no network can fill the queue',
);
assert(
  OVERLOAD_BOUNDS.congestedWaitMs <= OVERLOAD_BOUNDS.burstWaitMs &&
    OVERLOAD_BOUNDS.burstWaitMs + OVERLOAD_BOUNDS.slowDiskMs < OVERLOAD_BOUNDS.stalledMs,
  'a burst may wait longer than a congested queue',
);
assert(HTTP_BOUNDS.bodyBytes <= HTTP_BOUNDS.ordersBodyBytes, 'a batch is larger than one order');
assert(
  HTTP_BOUNDS.ordersPerRequest <= HTTP_BOUNDS.pendingWritesPerOwner,
  'a whole batch must fit the queue of its owner',
);
const writtenId = `"0x${'0'.repeat(64)}", `;
assert(
  HTTP_BOUNDS.ordersPerCancel * writtenId.length <= HTTP_BOUNDS.ordersBodyBytes,
  'the ids that one cancel may name fit its body',
);
assert(HTTP_BOUNDS.ordersPerCancel <= BOUNDS.cancelsPerCommand, 'a cancel is one command');
assert(HTTP_BOUNDS.ordersPerCancelStep <= BOUNDS.cancelsPerCommand, 'a step is one command');
