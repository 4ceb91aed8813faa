/** The whole exchange behind its HTTP and WebSocket interface: `startExchange` is the entry. */
export { type Running, startExchange } from './program.ts';
