/**
 * The parts of a running exchange that endpoints may use, and `defineRoute`, which gives each
 * endpoint those that it names.
 */
export { defineRoute, type Route, type RouteNeeding, type WrittenRoute } from './define-route.ts';
export type { Services } from './services.ts';
