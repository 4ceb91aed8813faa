/**
 * The WebSocket streams of the exchange, one room for each channel and `delivery/` for what they
 * share. streams.md describes them to subscribers.
 *
 * Invariant: a client that misses a message does not stay connected. Nothing is published that a
 * crash could take back.
 */
export {
  ALL_AT_ONCE,
  type SocketFault,
  type SocketSubject,
  type StepSubject,
  type StreamFaults,
} from './delivery/index.ts';
export { Streams } from './streams.ts';
export type { ToldTrade } from './user/index.ts';
