/**
 * The WebSocket streams of the exchange.
 */
export { Streams } from './streams.ts';
