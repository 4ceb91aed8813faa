/** The routes of the whole exchange, with those of all plots. */
import { loadPlots, routesWith } from '../venue/routes.ts';

const ALL_ROUTES = routesWith(await loadPlots());
export const ROUTES = ALL_ROUTES.public;
export const OPERATOR_ROUTES = ALL_ROUTES.operator;
