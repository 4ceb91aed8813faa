/**
 * Traces of requests for a collector that speaks OTLP/HTTP (docs/tracing.md).
 *
 * Invariant: nothing in the exchange waits for a trace. A trace has no address, key, body or header
 * of a client, except for its request id and the ids of its own trace.
 * Bound: `TRACING_BOUNDS`; what finds no room is dropped, and counted.
 */
import type { Plot } from '../services/index.ts';

export const tracingPlot: Plot = {
  name: 'tracing',
  load: async () => (await import('./tracing.ts')).TRACING,
};
