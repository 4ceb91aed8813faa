/** The routes of the whole exchange, with those of all plots. */
import { allRoutes } from '../venue/routes.ts';

const ALL_ROUTES = await allRoutes();
export const ROUTES = ALL_ROUTES.public;
export const OPERATOR_ROUTES = ALL_ROUTES.operator;
