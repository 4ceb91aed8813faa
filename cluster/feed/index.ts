/**
 * The feed: how replicas get the log's entries from the core over TCP, and how they send it
 * requests (docs/decisions/0041-replicas-and-takeover.md).
 *
 * Invariants: both sides prove that they know the master secret before anything else is said; a
 * replica gets each command once and in order; what is sent was committed before. Bounds:
 * FEED_BOUNDS.
 */

export * from './feed-client.ts';
export * from './feed-core.ts';
export * from './feed-server.ts';
export * from './frames.ts';
export * from './handshake.ts';
export * from './history.ts';
export * from './outlet.ts';
