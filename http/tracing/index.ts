/**
 * Traces of requests for a collector that speaks OTLP/HTTP (docs/tracing.md).
 *
 * Invariant: nothing in the exchange waits for a trace. A trace has no address, key, body or header
 * of a client, except for its request id and the ids of its own trace.
 * Bound: `TRACING_BOUNDS`; what finds no room is dropped, and counted.
 */
export { TRACING_PACE, type TracingPace } from './bounds.ts';
export {
  type CollectorHeaders,
  HEADERS_WORDS,
  parseCollectorHeaders,
} from './collector-headers.ts';
export { Tracing } from './tracing.ts';
