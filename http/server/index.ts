/**
 * The HTTP listener: it routes, frames and answers requests.
 */
export type { Incoming } from './incoming.ts';
export { Server } from './server.ts';
