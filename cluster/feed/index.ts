/**
 * The feed: how replicas get the log's entries from the core over TCP, and how they send it
 * requests (docs/decisions/0041-replicas-and-takeover.md).
 *
 * Invariants: both sides prove that they know the master secret before anything else is said; a
 * replica gets each command once and in order; what is sent was committed before. Bounds:
 * FEED_BOUNDS.
 */

export { connectFeed, type FeedClient } from './feed-client.ts';
export {
  FeedCore,
  type FeedHandler,
  type FeedReplica,
  type SubmittingReplica,
} from './feed-core.ts';
export { FeedServer, type FeedTls } from './feed-server.ts';
export { FEED_BOUNDS } from './frames.ts';
export { type CoreWelcome, FEED_FORMAT, type ReplicaHello } from './handshake.ts';
export { type BatchEnds, type HistoryCommands, type HistoryEnd, HistoryReader } from './history.ts';
export type { FeedHistory } from './outlet.ts';
