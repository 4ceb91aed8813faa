/**
 * The bounds of the streams, each with what happens beyond it (close-codes.ts, streams.md).
 */
import { strict as assert } from 'node:assert';

export const STREAM_BOUNDS = {
  /** Sockets in all. Close code: `too_many_sockets`. */
  sockets: 20_000,
  /** Sockets of one address (of IPv6: one network of 64 bits). Close code: `too_many_sockets`. */
  socketsPerAddress: 2_000,
  /** Tokens that one socket subscribes to. Error: `too_many_subscriptions`. */
  subscriptionsPerSocket: 2_000,
  /** Bytes that the subscriptions of one socket keep. Error: `subscriptions_too_large`. */
  subscriptionBytesPerSocket: 2_097_152,
  /** Those of all sockets of one address. Error: `subscriptions_too_large`. */
  subscriptionBytesPerAddress: 67_108_864,
  /** Those of all sockets. Error: `subscriptions_too_large`. */
  subscriptionBytes: 536_870_912,
  /** Sockets of one owner on the user channel. Close code: `too_many_sockets`. */
  socketsPerOwner: 64,
  /** Bytes of a client's message. Error: `message_too_large`. */
  messageBytes: 196_608,
  /** Bytes of a client's message that are read at all; a socket that sends more is cut. */
  frameBytes: 262_144,
  /** Messages of one client in a second. Close code: `too_many_messages`. */
  messagesPerSecond: 500,
  /** Messages of all sockets of one address in a second. Close code: `too_many_messages`. */
  messagesPerSecondPerAddress: 5_000,
  /** Bytes of a client's message that count as one more message. */
  bytesPerMessage: 1_024,
  /** Subscriptions, named or changed by a message, that count as one more message. */
  subscriptionsPerMessage: 32,
  /** Rows of snapshots and resumes that count as one more message of the client's address. */
  rowsPerMessage: 8,
  /** Bytes that may wait for a client at a sweep. Close code: `too_slow`. */
  softWaitingBytes: 4_194_304,
  /** Bytes that may wait for a client at any time. Beyond them it is cut. */
  hardWaitingBytes: 16_777_216,
  /** How long a slow client may take to read what waits before its close code. Then it is cut. */
  endingMs: 10_000,
  /** Bytes that may wait for all clients together. Beyond them the slowest are cut. */
  allWaitingBytes: 536_870_912,
  /** While more bytes wait for a client, it is sent no books of further markets. */
  pausingBytes: 262_144,
  /** Bytes of books and replays sent to one client in one turn of the event loop. */
  bytesPerTurn: 1_048_576,
  /** Characters of messages kept of one market for resumes. Beyond them: a fresh book. */
  ringBytesPerMarket: 1_048_576,
  /** Characters of the kept messages of all markets together. */
  ringBytes: 134_217_728,
  /** Characters of messages kept of one owner for resumes. Beyond them: a fresh snapshot. */
  ringBytesPerOwner: 1_048_576,
  /** Characters of the kept messages of all owners together. */
  ownerRingBytes: 134_217_728,
  /** How long messages are kept after the last listener of the market or owner has left. */
  ringKeepMs: 300_000,
  /** A market, or an owner's socket, gets a heartbeat after this time without a message. */
  heartbeatMs: 10_000,
  /** The least time between two publications of a market's books. */
  bookIntervalMs: 250,
  /** The time between two sweeps, which publish delayed books and close slow clients. */
  sweepMs: 50,
  /** A client that sends nothing for this time, not even an answer to a ping, is closed. */
  idleSeconds: 60,
  /** How long a socket of the user channel may take to authenticate. Close code: `auth_missing`. */
  authMs: 10_000,
  /** An owner with more orders is answered in several turns; this many are noted in one turn. */
  largeOwner: 1_000,
  /** Orders and balances in one part of a snapshot. */
  snapshotRows: 100,
  /** Trades that a message about an order names: the order's newest. */
  tradesPerOrder: 100,
  /** Markets whose content is cached from the catalog. */
  keptContent: 10_000,
  /** How old cached content may be. */
  keptContentMs: 60_000,
  /** Trades that a frozen market holds back (docs/sandbox.md). Beyond them it catches up. */
  frozenTrades: 10_000,
  namedUnknowns: 20,
} as const;

/** The same names with other values, for tests. */
export type StreamBounds = { readonly [Name in keyof typeof STREAM_BOUNDS]: number };

const { softWaitingBytes, hardWaitingBytes, pausingBytes, bytesPerTurn } = STREAM_BOUNDS;
/** Bytes that a subscription to one token keeps: measured 593, with custom features. */
export const TOKEN_BYTES = 640;
const LONGEST_NAME = 80;
/** Bytes of two books that have an order at every price. */
const LARGEST_DUMP = 2 * 800_000;
assert(
  pausingBytes + bytesPerTurn + LARGEST_DUMP < softWaitingBytes,
  'no client is too slow because of its own request',
);
assert(
  softWaitingBytes < hardWaitingBytes,
  'most slow clients get a close code before they are cut',
);
assert(
  STREAM_BOUNDS.subscriptionsPerSocket * (LONGEST_NAME + 3) < STREAM_BOUNDS.messageBytes,
  'one message can name all tokens of a socket',
);
assert(
  STREAM_BOUNDS.subscriptionsPerSocket * TOKEN_BYTES <= STREAM_BOUNDS.subscriptionBytesPerSocket,
  'a socket can subscribe to as many tokens as its bound says',
);
assert(
  STREAM_BOUNDS.messageBytes / STREAM_BOUNDS.bytesPerMessage < STREAM_BOUNDS.messagesPerSecond / 2,
  'a client can send its longest message',
);
// The margin is small, because a client can leave an unfinished message of that size in memory.
assert(
  STREAM_BOUNDS.messageBytes < STREAM_BOUNDS.frameBytes,
  'most messages that are too large get an answer',
);
assert(STREAM_BOUNDS.ringBytesPerMarket < STREAM_BOUNDS.ringBytes, 'one ring fits the total');
