/**
 * Every bound of the HTTP shell, in one place, each with the error that its excess gets
 * (error-table.ts). Rate limits are a table of their own.
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
  /** Bytes of all bodies together that have come in part. Error: `overloaded`. */
  partialBodyBytes: 67_108_864,
  /** Bytes of a listener's replies that clients don't take: who took nothing for longest is cut. */
  unreadBytes: 268_435_456,
  /** Orders in one POST /orders (interface.md, Limits). Error: `too_many_orders`. */
  ordersPerRequest: 15,
  /** Ids in one DELETE /orders (wire 5.7). Error: `too_many_order_ids`. */
  ordersPerCancel: 1_000,
  /** Characters of a client's value that an error repeats. */
  echoedCharacters: 128,
  /** Requests being handled at once. Error: `overloaded`. */
  pendingRequests: 20_000,
  /** Writes of one owner that wait for their turn. Error: `overloaded`. */
  pendingWritesPerOwner: 2_000,
  /** Orders that wait for a verifier thread. Error: `overloaded`. */
  pendingVerifications: 20_000,
  /** Orders in one message to a verifier thread; more wait for their turn. */
  verificationsPerMessage: 32,
  /** Messages that a verifier thread has at once: it never idles, and nobody's turn is far. */
  messagesPerVerifier: 2,
  /** Secrets of API keys kept derived; others are derived again when they are used. */
  cachedCredentials: 20_000,
  /** Clients that each row of the limits counts apart. Others share counters. */
  limitCounters: 16_384,
  /** Counters that further clients share, by chance. Error: `too_many_requests`. */
  sharedLimitCounters: 256,
  /** How far reads may be behind the disk while the exchange counts as ready. */
  readyLagMs: 10_000,
  /** How long requests in flight may take to finish when the server closes. */
  closeGraceMs: 5_000,
  /**
   * From a connection's last reply to its end. What its client has sent meanwhile is read, though
   * nothing becomes of it: closed before it was read, it would take the reply from the client.
   */
  lingerMs: 500,
  /** Dead man's switches that trip at once; others wait for these. */
  switchTripsAtOnce: 256,
  /** How often an order id that left the engine's memory meanwhile is looked up again. */
  idLookups: 3,
} as const;

/**
 * Beyond what it can do the exchange refuses new orders and other dear writes before anything is
 * full (overload.ts). The error of all: `overloaded`.
 */
export const OVERLOAD_BOUNDS = {
  /** Orders that were taken and are not answered, however fast they would be. */
  waitingOrders: 10_000,
  /** Of them, those from one network (of an IPv6 address its first 64 bits), */
  waitingOrdersPerNetwork: 5_000,
  /** and those of one owner from there. */
  waitingOrdersPerOwner: 2_500,
  /** Of whom fewer wait, it is refused only for what stands before it when all take turns. */
  quietOwnerOrders: 16,
  /** The same of a whole network. */
  quietNetworkOrders: 64,
  /** How long a new order may have to wait, as far as can be told when it comes. */
  burstWaitMs: 200,
  /** The same once orders had to be refused, until the wait has eased: a queue must not stand. */
  standingWaitMs: 75,
  /** How late every turn of the event loop may be. */
  lateLoopMs: 250,
  /** What two commits of a slow disk may add to these at the most. */
  slowDiskMs: 200,
  /** For how long the wait must be below half of that. */
  easedMs: 500,
  /** How long the oldest order may have waited when a new one is taken: the disk stands still. */
  stalledMs: 1_000,
  /** As many orders may wait on a slow disk, which is no less slow for fewer. */
  freeOrders: 128,
  /** The time that one answer takes, until it is known. */
  assumedOrderMs: 0.25,
  /** Answers from which it is reckoned. */
  sampledOrders: 64,
  /** How often the waits are looked at while any order waits. */
  pulseMs: 20,
} as const;

assert(
  2 * OVERLOAD_BOUNDS.waitingOrders <=
    Math.min(HTTP_BOUNDS.pendingRequests, HTTP_BOUNDS.pendingVerifications),
  'placings leave half of each queue to cancels and reads',
);
assert(
  HTTP_BOUNDS.ordersPerRequest < OVERLOAD_BOUNDS.quietOwnerOrders &&
    OVERLOAD_BOUNDS.quietOwnerOrders <= OVERLOAD_BOUNDS.quietNetworkOrders &&
    OVERLOAD_BOUNDS.waitingOrdersPerOwner < OVERLOAD_BOUNDS.waitingOrdersPerNetwork &&
    OVERLOAD_BOUNDS.waitingOrdersPerNetwork < OVERLOAD_BOUNDS.waitingOrders,
  'no owner and no network has all the room',
);
assert(
  OVERLOAD_BOUNDS.standingWaitMs <= OVERLOAD_BOUNDS.burstWaitMs &&
    OVERLOAD_BOUNDS.burstWaitMs + OVERLOAD_BOUNDS.slowDiskMs < OVERLOAD_BOUNDS.stalledMs,
  'a burst may wait longer than a queue that stands',
);
assert(HTTP_BOUNDS.bodyBytes <= HTTP_BOUNDS.ordersBodyBytes, 'a batch is larger than one order');
assert(
  HTTP_BOUNDS.ordersPerRequest <= HTTP_BOUNDS.pendingWritesPerOwner,
  'a whole batch must fit the queue of its owner',
);
const writtenId = `"0x${'0'.repeat(64)}", `;
assert(
  HTTP_BOUNDS.ordersPerCancel * writtenId.length <= HTTP_BOUNDS.ordersBodyBytes,
  'as many ids as a cancel may name must fit its body',
);
assert(HTTP_BOUNDS.ordersPerCancel <= BOUNDS.cancelsPerCommand, 'a cancel is one command');
