/** Tracing as a plot: it sees requests, commands and commits, if the settings name a collector. */
import type { Metric } from 'prom-client';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import { counters, gauges } from '../metrics/family.ts';
import type { PlotBase, PlotPart, PlotProcess } from '../services/index.ts';
import { TRACING_PACE } from './bounds.ts';
import type { Exporter } from './exporter.ts';
import { Tracing } from './tracing.ts';

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
