/**
 * The example of each route, as the exchange really answered it: a recorded session, which
 * `test/http/documentation` repeats and compares.
 */
import type { RouteDefinition } from '../api/index.ts';
import type { Example, Examples } from './example.ts';
import operatorExamples from './examples/operator.json' with { type: 'json' };
import publicExamples from './examples/public.json' with { type: 'json' };

const TABLES: Readonly<Record<'public' | 'operator', Examples>> = {
  public: publicExamples,
  operator: operatorExamples,
};

/** undefined for a route that has none, which a test does not allow. */
export function exampleOf(
  listener: keyof typeof TABLES,
  { method, path }: Pick<RouteDefinition, 'method' | 'path'>,
): Example | undefined {
  return TABLES[listener][`${method} ${path}`];
}
