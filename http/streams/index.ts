/**
 * The WebSocket streams of the exchange, one room for each channel and `delivery/` for what they
 * share. streams.md describes them to subscribers.
 *
 * Invariant: a client that misses a message does not stay connected. Nothing is published that a
 * crash could take back.
 */
import type { ChannelDocument } from './delivery/messages.ts';
import { LIVE_CHANNEL } from './live/messages.ts';
import { MARKET_CHANNEL } from './market/messages.ts';
import { USER_CHANNEL } from './user/messages.ts';

export { type ClosingCode, STREAM_FAULTS } from './delivery/close-codes.ts';
export {
  ALL_AT_ONCE,
  type SocketFault,
  type SocketSubject,
  type StepSubject,
  type StreamFaults,
} from './delivery/faults.ts';
export type { ChannelDocument, StreamMessage } from './delivery/messages.ts';
export type { LiveMessages } from './live/messages.ts';
export type { MarketMessages } from './market/messages.ts';
export { Streams } from './streams.ts';
export type { ToldTrade } from './user/feed.ts';
export type { UserMessages } from './user/messages.ts';

/** Every channel, as /asyncapi.json describes it. */
export const STREAM_CHANNELS: readonly ChannelDocument[] = [
  MARKET_CHANNEL,
  USER_CHANNEL,
  LIVE_CHANNEL,
];
