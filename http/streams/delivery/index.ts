/**
 * What all WebSocket channels share: connections, resume buffers, bounds and close codes.
 */
export { STREAM_BOUNDS, type StreamBounds } from './bounds.ts';
export type { Channel, ClientMessage, Session } from './channel.ts';
export { type ClosingCode, faultMessage, STREAM_FAULTS, StreamError } from './close-codes.ts';
export type { Connection } from './connection.ts';
export type { StreamContext } from './context.ts';
export { SocketHub } from './hub.ts';
export { type KeptMessage, MessageRing, RingStore } from './message-ring.ts';
export { StreamMetrics } from './metrics.ts';
export { TokenFilter } from './token-filter.ts';
export { type MarketWords, WordCache } from './word-cache.ts';
