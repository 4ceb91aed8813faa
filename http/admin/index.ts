/**
 * The operator's endpoints, on their own listener behind a bearer token.
 *
 * Invariant: every write names who asks for it and why. `GET /actions` and `GET /catalog-actions`
 * list all writes that changed something.
 */
export { getActions } from './get-actions.ts';
export { getAudit, getOperators } from './get-audit.ts';
export { operatorRoutes } from './routes.ts';
