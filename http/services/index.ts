/**
 * The parts of a running exchange that endpoints may use, and `defineRoute`, with which an endpoint
 * names those that it needs.
 */
export * from './define-route.ts';
export * from './plot.ts';
export * from './services.ts';
