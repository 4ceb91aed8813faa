/**
 * Tracing as the exchange uses it: it begins the traces of sampled requests, hears of commands and
 * commits, and sends finished traces to the operator's collector.
 */

import type { Metric } from 'prom-client';
import type { StoreObserver } from '../../persistence/index.ts';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import type { RequestTrace, Tracer } from '../api/index.ts';
import { counters, gauges } from '../metrics/family.ts';
import type { PlotBase, PlotPart, PlotProcess } from '../services/index.ts';
import { TRACING_PACE } from './bounds.ts';
import { Exporter, type ExporterOptions } from './exporter.ts';
import { CommandTimes, type FinishedTrace, parseTraceparent, Trace } from './trace.ts';

/**
 * Which requests are traced. Invariant: the request's id alone decides, so that every part of a
 * system that has the same share traces the same requests, and a retry with the same id is traced
 * like the first attempt.
 */
const RANGE = 2 ** 32;

/** Whether a request is in the share (0 to 1) of those that are traced. */
export function isSampled(requestId: string, share: number): boolean {
  return hashOf(requestId) < share * RANGE;
}

/**
 * FNV-1a, then the last steps of MurmurHash3: without them, ids that differ in their last character
 * alone would have hashes near each other.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface TracingOptions extends ExporterOptions {
  /** The share of requests that are traced, 0 to 1. */
  readonly share: number;
}

export class Tracing implements Tracer {
  readonly exporter: Exporter;
  readonly #share: number;
  readonly #commands = new CommandTimes();
  readonly #onEnd = (trace: FinishedTrace): void => this.exporter.offer(trace);

  constructor(options: TracingOptions) {
    this.#share = options.share;
    this.exporter = new Exporter(options);
  }

  begin(requestId: string, arrivedMs: number, parent: () => string): RequestTrace | undefined {
    if (!isSampled(requestId, this.#share)) return undefined;
    return new Trace({
      requestId,
      arrivedMs,
      parent: parseTraceparent(parent()),
      commands: this.#commands,
      onEnd: this.#onEnd,
    });
  }

  /** Is told of commands and commits. */
  get storeObserver(): StoreObserver {
    return this.#commands;
  }
}

// Tracing as a plot: it sees requests, commands and commits, if the settings name a collector.

export const TRACING: PlotPart = { begin };

function begin({ settings: { tracing: chosen }, log }: PlotBase): PlotProcess {
  if (chosen === undefined) return { families: () => familiesOf(undefined) };
  const tracing = new Tracing({ ...chosen, version: PROGRAM_VERSION, pace: TRACING_PACE, log });
  const { exporter, storeObserver } = tracing;
  return {
    tracer: tracing,
    storeObserver,
    families: () => familiesOf(exporter),
    renew: ({ tracing: changed }) => {
      if (changed !== undefined) exporter.replaceHeaders(changed.headers);
    },
    close: () => exporter.close(),
  };
}

function familiesOf(exporter: Exporter | undefined): readonly Metric[] {
  return [
    counters(
      [
        'trace_spans_total',
        'Spans of traces, by what became of them; none without --trace-endpoint',
        ['result'],
      ],
      () => (exporter === undefined ? [] : Object.entries(exporter.spans)),
    ),
    gauges(
      ['trace_spans_waiting', 'Spans that wait to be sent; absent without --trace-endpoint'],
      () => (exporter === undefined ? [] : [[exporter.waitingSpans]]),
    ),
  ];
}
