/**
 * Keeps finished traces and sends them to a collector, several in a message.
 *
 * Invariant: nothing waits for the collector. One message is under way at a time, and there is a
 * pause between two, so tracing costs a bounded share of the main thread however many requests are
 * sampled. A trace is sent whole or dropped whole, and every span is counted as sent or dropped.
 * Bound: `TRACING_BOUNDS.queuedSpans` that wait, besides the message that is under way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../runtime/log.ts';
import type { CollectorHeaders } from '../settings/collector-headers.ts';
import { TRACING_BOUNDS, type TracingPace } from './bounds.ts';
import { type SendOutcome, sendMessage } from './collector.ts';
import { encodeTraces } from './otlp.ts';
import type { FinishedTrace } from './trace.ts';

/**
 * What became of spans: `sent`, or dropped because of a full queue, because the collector refused
 * their message (`refused`) or them alone (`rejected`), or because the exchange stopped.
 */
export type SpanResult = 'sent' | 'queue_full' | 'refused' | 'rejected' | 'stopped';

export interface ExporterOptions {
  readonly endpoint: string;
  readonly headers: CollectorHeaders;
  /** The version of the program, for the collector. */
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
