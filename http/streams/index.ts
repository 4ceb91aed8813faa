/**
 * The WebSocket streams of the exchange, one room for each channel and `delivery/` for what they
 * share. streams.md describes them to subscribers.
 *
 * Invariant: a client that misses a message does not stay connected. Nothing is published that a
 * crash could take back.
 */
import type { ChannelDocument } from './delivery/index.ts';
import { LIVE_CHANNEL } from './live/index.ts';
import { MARKET_CHANNEL } from './market/index.ts';
import { USER_CHANNEL } from './user/index.ts';

export {
  ALL_AT_ONCE,
  type ChannelDocument,
  type ClosingCode,
  type SocketFault,
  type SocketSubject,
  STREAM_FAULTS,
  type StepSubject,
  type StreamFaults,
  type StreamMessage,
} from './delivery/index.ts';
export type { LiveMessages } from './live/index.ts';
export type { MarketMessages } from './market/index.ts';
export { Streams } from './streams.ts';
export type { ToldTrade, UserMessages } from './user/index.ts';

/** Every channel, as /asyncapi.json describes it. */
export const STREAM_CHANNELS: readonly ChannelDocument[] = [
  MARKET_CHANNEL,
  USER_CHANNEL,
  LIVE_CHANNEL,
];
