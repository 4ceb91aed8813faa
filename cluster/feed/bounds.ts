/** The bounds and intervals of the feed, with what happens beyond each bound. */
import { strict as assert } from 'node:assert';
import { STORE_BOUNDS } from '../../persistence/shared/index.ts';

export const FEED_BOUNDS = {
  /** Bytes of a frame before both sides have proved that they know the secret. */
  greetingBytes: 16 * 1024,
  /** Bytes of any other frame. Beyond it: the connection is closed as damaged. */
  frameBytes: 16 * 1024 * 1024,
  /** Connections that have not proved it yet. Beyond it: a new one is closed. */
  greetings: 64,
  /** Connected replicas. Beyond it: a new one is refused. */
  replicas: 64,
  /**
   * Bytes that wait in the socket of a replica. Beyond it nothing more is sent to it until they
   * have left, and it reads what it missed from the journal.
   */
  waitingBytes: 4 * 1024 * 1024,
  /** Bytes of the newest entries, which are kept for replicas that are a little behind. */
  recentBytes: 32 * 1024 * 1024,
  /** Requests of a replica that are not answered. Beyond it: `overloaded`. */
  waitingRequests: 20_000,
  /** Bytes of these requests. Beyond it: `overloaded`. */
  requestBytes: 16 * 1024 * 1024,
  /**
   * Commands, and bytes of them, in one part of the journal that is sent, or one larger command. A
   * part is encoded as an entry, and may be as long as before it was compressed.
   */
  historyCommands: 1_024,
  historyBytes: 256 * 1024,
} as const;

export const FEED_PACE = {
  /** How long two sides may take to prove that they know the secret. */
  greetingMs: 3_000,
  /** How long a connection may take to open. */
  connectMs: 2_000,
  /** The interval at which a replica asks whether the core is still the core. */
  pingMs: 250,
  /** A replica that has not been heard for so long is disconnected. */
  replicaSilenceMs: 10_000,
} as const;

assert(2 * FEED_BOUNDS.historyBytes <= STORE_BOUNDS.entryBytes, 'a part fits in an entry');
assert(FEED_BOUNDS.requestBytes <= FEED_BOUNDS.frameBytes, 'all requests fit in one frame');
