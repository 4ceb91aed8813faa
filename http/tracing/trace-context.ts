/** The header `traceparent` of W3C Trace Context, level 1: https://www.w3.org/TR/trace-context/ */

/** A span of the caller, whose child the request is. */
export interface TraceContext {
  /** 32 digits of lower-case hex. */
  readonly traceId: string;
  /** 16 digits of lower-case hex. */
  readonly spanId: string;
}

/** A version later than 00 may add further parts. */
const FORM =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * undefined for a text that the standard does not allow: a trace then begins with the request. The
 * flags count for nothing, because the operator decides which requests are traced, not the client.
 */
export function parseTraceparent(text: string): TraceContext | undefined {
  const [, version, traceId, spanId, further] = FORM.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && further !== undefined ? undefined : { traceId, spanId };
}
