/**
 * One metric with all its labels, as lines of the text format of Prometheus (0.0.4), which are made
 * when somebody asks. Written by hand: `prom-client` takes many times as long for as many lines,
 * and all else on this thread would wait for it.
 *
 * Invariant: what stands in a label or help is escaped as the format wants it.
 */
import type { Counts, Histogram } from '../codec/index.ts';

type Labels = Readonly<Record<string, string>>;

export interface Family {
  /** Ends in its unit, and for a counter in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** `name{label="text"} value` each. */
  lines(): Iterable<string>;
}

const PREFIX = 'outcome_exchange_';
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function escaped(text: string, what: RegExp): string {
  return text.replace(what, (character) => ESCAPES[character] ?? character);
}

function textOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, text]) => `${label}="${escaped(text, /[\\"\n]/g)}"`)
    .join(',');
}

function lineOf(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

/** All lines of a family, with its head. */
export function familyText({ name, help, type, lines }: Family): string {
  return [
    `# HELP ${name} ${escaped(help, /[\\\n]/g)}`,
    `# TYPE ${name} ${type}`,
    ...lines(),
    '',
  ].join('\n');
}

/** A number for each of some labels. */
export function labelled(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => Iterable<readonly [labels: Labels, value: number]>,
): Family {
  return {
    name: PREFIX + name,
    help,
    type,
    lines: () => [...read()].map(([labels, value]) => lineOf(PREFIX + name, textOf(labels), value)),
  };
}

/** One number without labels. */
export function single(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  read: () => number,
): Family {
  return labelled(type, name, help, () => [[{}, read()]]);
}

/** Counts, by the names of their words. */
export function counted(
  name: string,
  help: string,
  counts: Counts,
  [firstLabel, secondLabel]: readonly [first: string, second?: string],
): Family {
  return labelled('counter', name, help, () =>
    [...counts.all()].map(([first, second, count]) => [
      { [firstLabel]: first, ...(secondLabel === undefined ? {} : { [secondLabel]: second }) },
      count,
    ]),
  );
}

/** Gives histograms; one of their units is so many of those in the name of their family. */
export interface HistogramSource {
  readonly unit: number;
  read(): Iterable<readonly [labels: Labels, histogram: Histogram]>;
}

/** A histogram for each of some labels. */
export function distributed(name: string, help: string, { unit, read }: HistogramSource): Family {
  return {
    name: PREFIX + name,
    help,
    type: 'histogram',
    lines: () =>
      [...read()].flatMap(([labels, histogram]) =>
        histogramLines(PREFIX + name, { unit, labels: textOf(labels), histogram }),
      ),
  };
}

function histogramLines(
  name: string,
  terms: { readonly unit: number; readonly labels: string; readonly histogram: Histogram },
): string[] {
  const { unit, labels, histogram } = terms;
  const before = labels === '' ? '' : `${labels},`;
  const buckets = [...histogram.cumulated()];
  const [, total] = buckets.at(-1) ?? [0, 0];
  return [
    ...buckets.map(([bound, count]) => {
      const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : bound * unit;
      return `${name}_bucket{${before}le="${le}"} ${count}`;
    }),
    lineOf(`${name}_sum`, labels, histogram.sum * unit),
    lineOf(`${name}_count`, labels, total),
  ];
}
