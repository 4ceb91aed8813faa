/**
 * Keeps finished traces and sends them to a collector, several in a message.
 *
 * Invariant: nothing waits for the collector. One message is under way at a time, and there is a
 * pause between two, so tracing costs a bounded share of the main thread however many requests are
 * sampled. A trace is sent whole or dropped whole, and every span is counted as sent or dropped.
 * Bound: `TRACING_BOUNDS.queuedSpans` that wait, besides the message that is under way.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Logger } from '../runtime/log.ts';
import type { CollectorHeaders } from '../settings/collector-headers.ts';
import { TRACING_BOUNDS, type TracingPace } from './bounds.ts';
import type { Attributes, FinishedTrace } from './trace.ts';

/**
 * What became of spans: `sent`, or dropped because of a full queue, because the collector refused
 * their message (`refused`) or them alone (`rejected`), or because the exchange stopped.
 */
export type SpanResult = 'sent' | 'queue_full' | 'refused' | 'rejected' | 'stopped';

export interface ExporterOptions {
  readonly endpoint: string;
  readonly headers: CollectorHeaders;
  readonly version: string;
  readonly pace: TracingPace;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

interface Batch {
  readonly body: string;
  readonly spanCount: number;
}

export class Exporter {
  readonly #options: ExporterOptions;
  #headers: CollectorHeaders;
  #queue: FinishedTrace[] = [];
  #queuedSpans = 0;
  readonly #spans = { sent: 0, queue_full: 0, refused: 0, rejected: 0, stopped: 0 };
  /** Resolves when the queue is empty or the exporter stops; undefined while it is empty. */
  #sending: Promise<void> | undefined;
  /** Ends the pauses of `#sending`. */
  readonly #closing = new AbortController();
  /** Ends a message that is under way. */
  readonly #ending = new AbortController();
  /** Why the last message was not taken; undefined if it was. */
  #fault: string | undefined;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#headers = options.headers;
  }

  get spans(): Readonly<Record<SpanResult, number>> {
    return this.#spans;
  }

  /** Spans that wait, without those of the message that is under way. */
  get waitingSpans(): number {
    return this.#queuedSpans;
  }

  /** Later messages have these headers. */
  replaceHeaders(headers: CollectorHeaders): void {
    this.#headers = headers;
  }

  offer(trace: FinishedTrace): void {
    const spanCount = trace.spans.length;
    if (this.#closing.signal.aborted) {
      this.#spans.stopped += spanCount;
      return;
    }
    if (this.#queuedSpans + spanCount > TRACING_BOUNDS.queuedSpans) {
      this.#spans.queue_full += spanCount;
      return;
    }
    this.#queue.push(trace);
    this.#queuedSpans += spanCount;
    this.#sending ??= this.#sendAll();
  }

  /** Sends what waits, once and for at most `closeMs`, and drops the rest. */
  async close(): Promise<void> {
    const { pace, log } = this.#options;
    this.#closing.abort();
    const timer = setTimeout(() => this.#ending.abort(), pace.closeMs);
    await this.#sending;
    clearTimeout(timer);
    this.#spans.stopped += this.#queuedSpans;
    if (this.#queuedSpans > 0) {
      log.warn({ spans: this.#queuedSpans }, 'spans that could not be sent are dropped');
    }
    this.#queue = [];
    this.#queuedSpans = 0;
  }

  async #sendAll(): Promise<void> {
    const { pauseMs } = this.#options.pace;
    await this.#pause(pauseMs);
    while (this.#queue.length > 0 && !this.#ending.signal.aborted) {
      const batch = this.#takeBatch();
      if (!(await this.#deliver(batch))) {
        this.#spans.stopped += batch.spanCount;
        break;
      }
      await this.#pause(pauseMs);
    }
    // In the same turn as the last look at the queue, so that no trace is left there.
    this.#sending = undefined;
  }

  #takeBatch(): Batch {
    let [count, spanCount] = [0, 0];
    for (const { spans } of this.#queue) {
      if (spanCount >= TRACING_BOUNDS.spansPerMessage) break;
      spanCount += spans.length;
      count += 1;
    }
    this.#queuedSpans -= spanCount;
    const body = encodeTraces(this.#queue.splice(0, count), this.#options.version);
    return { body, spanCount };
  }

  /** Sends until the collector has answered for good. Returns false if the exporter stops first. */
  async #deliver({ body, spanCount }: Batch): Promise<boolean> {
    const { endpoint, pace } = this.#options;
    for (
      let backoffMs = pace.backoffMs;
      ;
      backoffMs = Math.min(2 * backoffMs, pace.backoffMostMs)
    ) {
      const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(pace.answerMs)]);
      const outcome = await sendMessage({ endpoint, headers: this.#headers, body, signal });
      this.#report(outcome);
      if (outcome.kind === 'taken') {
        const rejected = Math.min(outcome.rejectedSpans, spanCount);
        this.#spans.sent += spanCount - rejected;
        this.#spans.rejected += rejected;
        return true;
      }
      if (outcome.kind === 'refused') {
        this.#spans.refused += spanCount;
        return true;
      }
      if (this.#closing.signal.aborted) return false;
      const { afterMs = backoffMs } = outcome;
      await this.#pause(Math.min(afterMs, pace.retryAfterMostMs));
    }
  }

  /** Logs a fault when it begins or changes, and its end. */
  #report(outcome: SendOutcome): void {
    const fault = outcome.kind === 'taken' ? undefined : outcome.reason;
    if (fault === this.#fault) return;
    this.#fault = fault;
    const { log, endpoint } = this.#options;
    if (fault === undefined) log.info({ endpoint }, 'the collector takes traces again');
    else log.warn({ endpoint, reason: fault }, 'the collector of traces does not take them');
  }

  /** Ends early when the exporter is closed. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    await sleep(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

// Traces in the JSON encoding of OTLP, the protocol of OpenTelemetry: trace and span ids in hex,
// 64-bit numbers as text, enumerations as numbers.
// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding

const SERVICE = 'outcome-exchange';
/** Of `SpanKind` and `StatusCode`. */
const SERVER = 2;
const INTERNAL = 1;
const ERROR = 2;

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const FIRST_SERVER_ERROR = 500;

function encodeTraces(traces: readonly FinishedTrace[], version: string): string {
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

// Sends one message to a collector by OTLP/HTTP, and says what became of it.
//
// Invariant: it ends within the time of its signal and reads at most `answerBytes` of the answer.
// Redirects are not followed, so that the headers go to the collector alone.

type SendOutcome =
  /** Taken, except for a number of spans that the collector refused. */
  | { readonly kind: 'taken'; readonly rejectedSpans: number }
  | { readonly kind: 'refused'; readonly reason: string }
  /** To be sent again, after the time that the collector asks for, if it does. */
  | { readonly kind: 'again'; readonly reason: string; readonly afterMs?: number };

interface Message {
  readonly endpoint: string;
  readonly headers: CollectorHeaders;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

async function sendMessage({ endpoint, headers, body, signal }: Message): Promise<SendOutcome> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal,
      redirect: 'manual',
    });
    const text = await textOf(response);
    if (response.ok) return { kind: 'taken', rejectedSpans: rejectedIn(text) };
    const reason = `status ${response.status}`;
    if (!RETRYABLE.includes(response.status)) return { kind: 'refused', reason };
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return seconds > 0
      ? { kind: 'again', reason, afterMs: seconds * SECOND_MS }
      : { kind: 'again', reason };
  } catch (error) {
    return { kind: 'again', reason: reasonOf(error) };
  }
}

/** The text of the answer; '' for one that is too long. */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > TRACING_BOUNDS.answerBytes) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The number of spans that the collector refused; 0 if its answer does not say so. */
function rejectedIn(text: string): number {
  if (!text.includes('rejectedSpans')) return 0;
  try {
    const rejected = Number(JSON.parse(text).partialSuccess?.rejectedSpans);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    // The message was taken; what is wrong with this answer is the collector's own affair.
    return 0;
  }
}

/** `fetch` names the cause of a failure only in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || String(Reflect.get(cause, 'code'))
    : error.message;
}
