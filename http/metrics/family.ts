/**
 * The forms of what is shown: a family is one metric with all its labels, read when somebody asks.
 */
import type { Counts } from './counts.ts';
import type { Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Where it is not that of its family: the parts of a histogram have endings. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

export interface Family {
  /** Ends in its unit, and for a counter in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): Iterable<Sample>;
}

export const PREFIX = 'outcome_exchange_';

/** One number without labels. */
export const single = (
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => number,
): Family => ({
  name: PREFIX + name,
  help,
  type,
  samples: () => [{ labels: {}, value: read() }],
});

/** A number for each of some labels. */
export const labelled = (
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => Iterable<readonly [labels: Labels, value: number]>,
): Family => ({
  name: PREFIX + name,
  help,
  type,
  samples: () => [...read()].map(([labels, value]) => ({ labels, value })),
});

/** Counts, by the names of their words. */
export const counted = (
  name: string,
  help: string,
  counts: Counts,
  [firstLabel, secondLabel]: readonly [first: string, second?: string],
): Family =>
  labelled('counter', name, help, () =>
    [...counts.all()].map(([first, second, count]) => [
      { [firstLabel]: first, ...(secondLabel === undefined ? {} : { [secondLabel]: second }) },
      count,
    ]),
  );

export interface HistogramTerms {
  /** What one of the histogram's units is in that of its name: 1e-6 for seconds. */
  readonly unit: number;
  read(): Iterable<readonly [labels: Labels, histogram: Histogram]>;
}

/** A histogram for each of some labels. */
export const distributed = (
  name: string,
  help: string,
  { unit, read }: HistogramTerms,
): Family => ({
  name: PREFIX + name,
  help,
  type: 'histogram',
  samples: () =>
    [...read()].flatMap(([labels, histogram]) => [
      ...partsOf(PREFIX + name, unit, labels, histogram),
    ]),
});

function* partsOf(
  name: string,
  unit: number,
  labels: Labels,
  histogram: Histogram,
): Iterable<Sample> {
  let total = 0;
  for (const [bound, count] of histogram.cumulated()) {
    const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound * unit);
    yield { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    total = count;
  }
  yield { metricName: `${name}_sum`, labels, value: histogram.sum * unit };
  yield { metricName: `${name}_count`, labels, value: total };
}
