/**
 * Traces in the JSON encoding of OTLP, the protocol of OpenTelemetry: trace and span ids in hex,
 * 64-bit numbers as text, enumerations as numbers.
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { randomBytes } from 'node:crypto';
import type { Attributes, FinishedTrace } from './trace.ts';

const SERVICE = 'outcome-exchange';
/** Of `SpanKind` and `StatusCode`. */
const SERVER = 2;
const INTERNAL = 1;
const ERROR = 2;

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const FIRST_SERVER_ERROR = 500;

/** The body of a message with these traces. `version` is that of the program. */
export function encodeTraces(traces: readonly FinishedTrace[], version: string): string {
  const resource = attributesOf({ 'service.name': SERVICE, 'service.version': version });
  const scope = { name: SERVICE, version };
  const spans = traces.flatMap(encodeTrace);
  const resourceSpans = [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans }] }];
  return JSON.stringify({ resourceSpans });
}

function encodeTrace({ parent, spans, epochMs }: FinishedTrace): object[] {
  const traceId = parent?.traceId ?? randomBytes(TRACE_ID_BYTES).toString('hex');
  const ids = randomBytes(SPAN_ID_BYTES * spans.length).toString('hex');
  const idAt = (place: number): string =>
    ids.slice(2 * SPAN_ID_BYTES * place, 2 * SPAN_ID_BYTES * (place + 1));
  return spans.map((span, place) => {
    const isRoot = place === 0;
    const parentSpanId = isRoot ? parent?.spanId : idAt(span.parent);
    return {
      traceId,
      spanId: idAt(place),
      ...(parentSpanId && { parentSpanId }),
      name: span.name,
      kind: isRoot ? SERVER : INTERNAL,
      startTimeUnixNano: nanosText(epochMs + span.startMs),
      endTimeUnixNano: nanosText(epochMs + span.endMs),
      ...(span.attributes && { attributes: attributesOf(span.attributes) }),
      ...(isFailure(span.attributes) && { status: { code: ERROR } }),
    };
  });
}

/** A client's fault is no failure of a server's span. */
function isFailure(attributes: Attributes = {}): boolean {
  const status = attributes['http.response.status_code'];
  return typeof status === 'number'
    ? status >= FIRST_SERVER_ERROR
    : attributes['error.type'] !== undefined;
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** Milliseconds as nanoseconds. A double is exact to a microsecond here. */
function nanosText(epochMs: number): string {
  return `${Math.round(epochMs * 1_000)}000`;
}
