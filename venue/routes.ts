/** All routes of both listeners: those of the exchange itself and those of its plots. */
import { operatorRoutes } from '../http/admin/index.ts';
import type { RouteDefinition } from '../http/api/index.ts';
import { publicRoutes } from '../http/routes/index.ts';
import type { Plot, PlotPart } from '../http/services/index.ts';
import * as plots from './plots.ts';

export interface AllRoutes {
  readonly public: readonly RouteDefinition[];
  readonly operator: readonly RouteDefinition[];
}

const PLOTS: readonly Plot[] = Object.values(plots);

export function loadPlots(): Promise<readonly PlotPart[]> {
  return Promise.all(PLOTS.map((plot) => plot.load()));
}

export function routesWith(parts: readonly PlotPart[]): AllRoutes {
  return {
    public: publicRoutes(parts.flatMap(({ routes = [] }) => routes)),
    operator: operatorRoutes(parts.flatMap(({ operatorRoutes: routes = [] }) => routes)),
  };
}

/** The routes of both listeners of this program. */
export async function allRoutes(): Promise<AllRoutes> {
  return routesWith(await loadPlots());
}
