/** The bounds of tracing, and its pace: together they bound what tracing may cost the exchange. */
import { strict as assert } from 'node:assert';

export const TRACING_BOUNDS = {
  /** Spans of one trace: an order has 17, a batch of 15 orders some 130. More are counted. */
  spansPerTrace: 256,
  /** Spans that wait to be sent. Traces that find no room are dropped, and counted. */
  queuedSpans: 8_192,
  /** A message takes traces until it has this many spans: some 200 KB. */
  spansPerMessage: 512,
  /** Bytes of a collector's answer that are read. What it says of rejected spans is in there. */
  answerBytes: 65_536,
} as const;

assert(TRACING_BOUNDS.spansPerTrace <= TRACING_BOUNDS.queuedSpans);

/** Milliseconds. Tests use shorter ones. */
export interface TracingPace {
  /** From the first trace in an empty queue, or from the end of a message, to the next message. */
  readonly pauseMs: number;
  /** The longest wait for a collector's whole answer. */
  readonly answerMs: number;
  /** The wait before a message is sent again. It doubles each time, up to `backoffMostMs`. */
  readonly backoffMs: number;
  readonly backoffMostMs: number;
  /** The longest wait that a collector may ask for. */
  readonly retryAfterMostMs: number;
  /** How long a stop of the exchange waits for the last traces to be sent. */
  readonly closeMs: number;
}

/** At most ten messages a second. */
export const TRACING_PACE: TracingPace = {
  pauseMs: 100,
  answerMs: 10_000,
  backoffMs: 1_000,
  backoffMostMs: 30_000,
  retryAfterMostMs: 300_000,
  closeMs: 1_000,
};
