/**
 * Tracing as the exchange uses it: it begins the traces of sampled requests, hears of commands and
 * commits, and sends finished traces to the operator's collector.
 */
import type { StoreObserver } from '../../persistence/index.ts';
import type { RequestTrace, Tracer } from '../api/index.ts';
import { CommandTimes } from './command-times.ts';
import { Exporter, type ExporterOptions } from './exporter.ts';
import { isSampled } from './sampling.ts';
import { type FinishedTrace, Trace } from './trace.ts';
import { parseTraceparent } from './trace-context.ts';

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
