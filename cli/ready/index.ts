/**
 * The command `ready`: asks a running exchange whether it is ready, for health checks of containers
 * and for scripts. Invariant: it knows the exchange by HTTP only, and changes nothing.
 */
export { runReady } from './run-ready.ts';
