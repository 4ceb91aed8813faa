/**
 * Tracing as the exchange uses it: it begins the traces of sampled requests, hears of commands and
 * commits, and sends finished traces to the operator's collector.
 */
import type { Command } from '../../engine/model/index.ts';
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

  /** An observer that tells both `other` and the traces. */
  besides(other: StoreObserver): StoreObserver {
    const commands = this.#commands;
    return {
      applied: (command: Command, outcome: string, durationMs: number): void => {
        commands.applied(command, outcome, durationMs);
        other.applied(command, outcome, durationMs);
      },
      committed: (count: number, durationMs: number): void => {
        commands.committed(count, durationMs);
        other.committed(count, durationMs);
      },
      answered: (queuedMs: number): void => other.answered?.(queuedMs),
    };
  }
}
