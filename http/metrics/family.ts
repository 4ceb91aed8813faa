/**
 * Metrics of `prom-client` whose numbers are read from the exchange when a scrape asks for them.
 *
 * Invariant: a scrape is the only time when these metrics do any work. Requests and commands count
 * in `Counts` and `Histogram` (http/codec), because prom-client's own counting takes 20 to 50 times
 * as long (docs/decisions/0031-metrics-and-traces.md).
 */
import { Counter, Gauge, type Metric, Histogram as PromHistogram } from 'prom-client';
import type { Counts, Histogram } from '../codec/index.ts';

/** The values of the labels, in the order of `labelNames`, and then the number. */
export type Sample = readonly [...labelValues: string[], value: number];
export type HistogramSample = readonly [labelValues: readonly string[], histogram: Histogram];

/** The name without the prefix, the help, and the names of the labels. */
export type Description = readonly [name: string, help: string, labelNames?: readonly string[]];

const PREFIX = 'outcome_exchange_';

function configurationOf([name, help, labelNames = []]: Description) {
  return { name: PREFIX + name, help, labelNames: [...labelNames], registers: [] };
}

function labelsOf(names: readonly string[], values: readonly (string | number)[]) {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** A gauge with a number for each combination of labels. Without samples it shows no line. */
export function gauges(description: Description, read: () => Iterable<Sample>): Metric {
  const [, , names = []] = description;
  return new Gauge({
    ...configurationOf(description),
    collect() {
      this.reset();
      if (names.length === 0) this.remove();
      for (const sample of read()) this.set(labelsOf(names, sample), Number(sample.at(-1)));
    },
  });
}

/** A counter with a number for each combination of labels. */
export function counters(description: Description, read: () => Iterable<Sample>): Metric {
  const [, , names = []] = description;
  return new Counter({
    ...configurationOf(description),
    collect() {
      this.reset();
      for (const sample of read()) this.inc(labelsOf(names, sample), Number(sample.at(-1)));
    },
  });
}

export function gauge(name: string, help: string, read: () => number): Metric {
  return gauges([name, help], () => [[read()]]);
}

export function counter(name: string, help: string, read: () => number): Metric {
  return counters([name, help], () => [[read()]]);
}

/** A counter for each name, or pair of names, of `counts`. */
export function countersOf(description: Description, counts: Counts): Metric {
  return counters(description, () => counts.all());
}

/** Shows histograms that are counted elsewhere. Their values times `unit` are the metric's. */
class CountedHistogram extends PromHistogram {
  readonly #description: Description;
  readonly #unit: number;
  readonly #read: () => Iterable<HistogramSample>;

  constructor(description: Description, unit: number, read: () => Iterable<HistogramSample>) {
    super(configurationOf(description));
    this.#description = description;
    this.#unit = unit;
    this.#read = read;
  }

  /** prom-client's registry prints this instead of `get`, which copies all labels to each line. */
  async getForPromString() {
    const { name, help, labelNames } = configurationOf(this.#description);
    const values = [...this.#read()].flatMap(([labelValues, histogram]) => {
      const sharedLabels = labelsOf(labelNames, labelValues);
      const buckets = [...histogram.cumulated()].map(([bound, count]) => ({
        metricName: `${name}_bucket`,
        labels: { le: bound === Number.POSITIVE_INFINITY ? '+Inf' : bound * this.#unit },
        sharedLabels,
        value: count,
      }));
      const sum = histogram.sum * this.#unit;
      return [
        ...buckets,
        { metricName: `${name}_sum`, sharedLabels, value: sum },
        { metricName: `${name}_count`, sharedLabels, value: buckets.at(-1)?.value ?? 0 },
      ];
    });
    return { name, help, type: 'histogram', values };
  }
}

export function histograms(
  description: Description,
  unit: number,
  read: () => Iterable<HistogramSample>,
): Metric {
  return new CountedHistogram(description, unit, read);
}
