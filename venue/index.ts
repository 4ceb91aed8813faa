/** The whole exchange with its HTTP and WebSocket APIs. `runExchange` starts it. */
export { type Running, runExchange } from './program.ts';
export { allRoutes } from './routes.ts';
