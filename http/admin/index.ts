/**
 * The operator's listener.
 */
export { OPERATOR_ROUTES } from './routes.ts';
