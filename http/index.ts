/** The whole exchange with its HTTP and WebSocket APIs. `startExchange` starts it. */
export { type Running, startExchange } from './program.ts';
