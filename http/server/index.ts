/**
 * The HTTP listener: it reads requests, calls the handlers of their routes and writes the answers.
 * It knows nothing of the exchange: routes, authentication, limits and metrics are given to it.
 */
export { connectionBounds } from './connection-bound.ts';
export { Server } from './server.ts';
