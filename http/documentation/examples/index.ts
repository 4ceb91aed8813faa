/** The example of each route: own values, as the exchange really answered them. */
import type { RouteDefinition } from '../../route.ts';
import type { Example, Examples } from './example.ts';

const PUBLIC_EXAMPLES: Examples = {};
const OPERATOR_EXAMPLES: Examples = {};

const tables = { public: PUBLIC_EXAMPLES, operator: OPERATOR_EXAMPLES };

/** undefined for a route that has none, which a test does not allow. */
export const exampleOf = (
  listener: keyof typeof tables,
  { method, path }: Pick<RouteDefinition, 'method' | 'path'>,
): Example | undefined => tables[listener][`${method} ${path}`];
