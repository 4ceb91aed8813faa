/**
 * Every bound of the streams, each with what its excess gets (close-codes.ts, streams.md).
 */
import { strict as assert } from 'node:assert';

export const STREAM_BOUNDS = {
  /** Sockets in all. Closed: `too_many_sockets`. */
  sockets: 20_000,
  /** Sockets of one address (of IPv6: one network of 64 bits). Closed: `too_many_sockets`. */
  socketsPerAddress: 2_000,
  /** Tokens that one socket listens to. Error: `too_many_subscriptions`. */
  subscriptionsPerSocket: 2_000,
  /** Bytes of a client's message. Error: `message_too_large`. */
  messageBytes: 196_608,
  /** Bytes of a client's message that are read at all: the library cuts whoever sends more. */
  frameBytes: 262_144,
  /** Messages of one client in a second. Closed: `too_many_messages`. */
  messagesPerSecond: 500,
  /** Messages of all sockets of one address in a second. Closed, who sends more: the same. */
  messagesPerSecondPerAddress: 5_000,
  /** A message counts as one more for each so many subscriptions that it names or changes. */
  subscriptionsPerMessage: 32,
  /** Bytes that may wait for a client at a look. Closed: `too_slow`. */
  softWaitingBytes: 4_194_304,
  /** Bytes that may wait for a client at any time; beyond them it is cut. */
  hardWaitingBytes: 16_777_216,
  /** How long a client that is closed may take to read what waits for it; then it is cut. */
  leavingMs: 10_000,
  /** Bytes that may wait for all clients together; beyond them the slowest are cut. */
  allWaitingBytes: 536_870_912,
  /** While more waits for a client, no further market is opened for it. */
  pausingBytes: 262_144,
  /** Bytes of books and replays that one client is sent in one turn of the event loop. */
  bytesPerTurn: 1_048_576,
  /** Characters of messages kept of one market for those who come back; then a fresh book. */
  ringBytesPerMarket: 1_048_576,
  /** The same of all markets. */
  ringBytes: 134_217_728,
  /** Characters of messages kept of one owner for those who come back; then a fresh snapshot. */
  ringBytesPerOwner: 1_048_576,
  /** The same of all owners. */
  ownerRingBytes: 134_217_728,
  /** How long they are kept when nobody listens to the market, or as the owner, any more. */
  ringKeepMs: 300_000,
  /** A market, or a socket of an owner, without messages for so long gets a heartbeat. */
  heartbeatMs: 10_000,
  /** A market's books are published at most this often. */
  bookIntervalMs: 250,
  /** How often what is late is looked for: throttled books, slow clients. */
  lookMs: 50,
  /** A client that is not heard of for so long, not even by an answer to a ping, is closed. */
  idleSeconds: 60,
  /** How long a socket of the user channel may take to say who it is. Closed: `auth_missing`. */
  authMs: 10_000,
  /** Orders, or balances, of one part of a snapshot. */
  snapshotRows: 100,
  /** The newest trades that a message of an order names. */
  tradesPerOrder: 100,
  /** Markets whose words are kept from the catalog. */
  keptWords: 10_000,
  /** How long they are kept before the catalog is asked again. */
  keptWordsMs: 60_000,
  /** Unknown names that one answer repeats. */
  namedUnknowns: 20,
} as const;

/** The same, where tests put others in their place. */
export type StreamBounds = { readonly [Name in keyof typeof STREAM_BOUNDS]: number };

const { softWaitingBytes, hardWaitingBytes, pausingBytes, bytesPerTurn } = STREAM_BOUNDS;
const LONGEST_NAME = 80;
/** Two books with all of their levels taken. */
const LARGEST_DUMP = 2 * 800_000;
assert(
  pausingBytes + bytesPerTurn + LARGEST_DUMP < softWaitingBytes,
  'nobody is too slow for what it asked for',
);
assert(softWaitingBytes < hardWaitingBytes, 'most slow clients are told why');
assert(
  STREAM_BOUNDS.subscriptionsPerSocket * (LONGEST_NAME + 3) < STREAM_BOUNDS.messageBytes,
  'as many tokens as a socket may have fit one message',
);
// Not much more: each client may leave so much of a message with us, and never end it.
assert(STREAM_BOUNDS.messageBytes < STREAM_BOUNDS.frameBytes, 'most large messages are answered');
assert(STREAM_BOUNDS.ringBytesPerMarket < STREAM_BOUNDS.ringBytes, 'a ring fits all rings');
