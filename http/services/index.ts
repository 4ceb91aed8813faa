/**
 * The parts of a running exchange that endpoints may use, and `defineRoute`, with which an endpoint
 * names those that it needs.
 */
export {
  defineRoute,
  type Endpoint,
  type Route,
  type RouteNeeding,
  type WrittenRoute,
  withRole,
} from './define-route.ts';
export type { Plot, PlotPart } from './plot.ts';
export type { Checkpoints, RestoredCheckpoint, Services } from './services.ts';
