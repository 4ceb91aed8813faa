/**
 * The parts of a running exchange that endpoints may use, and `defineRoute`, with which an endpoint
 * names those that it needs.
 */
export {
  defineRoute,
  definerOf,
  type Route,
  type RouteNeeding,
  type RoutePath,
  type WrittenRoute,
  withRole,
} from './define-route.ts';
export type {
  CoreSwap,
  Plot,
  PlotBase,
  PlotCore,
  PlotPart,
  PlotProcess,
  PlotShare,
  VenueNode,
} from './plot.ts';
export type { Services } from './services.ts';
