/**
 * Reads `/metrics`, the text format of Prometheus, and computes rates and percentiles between two
 * scrapes.
 *
 * Invariant: a figure that can't be known yet is undefined, never 0.
 * Source of the format: prometheus.io/docs/instrumenting/exposition_formats.
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly atMs: number;
  readonly samples: readonly Sample[];
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
/** All metrics of the exchange itself have this prefix. */
const PREFIX = 'outcome_exchange_';

function numberOf(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    ]),
  );
}

/** The samples of a scrape, without the exchange's prefix. */
export function parseMetrics(text: string, atMs: number): Scrape {
  const samples = text.split('\n').flatMap((line): Sample[] => {
    const match = LINE.exec(line);
    if (match === null) return [];
    const [, name = '', labels = '', value = ''] = match;
    const shortName = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
    return [{ name: shortName, labels: labelsOf(labels), value: numberOf(value) }];
  });
  return { atMs, samples };
}

/** Which samples of a metric are meant: those with these labels. */
export type Labels = Readonly<Record<string, string | RegExp>>;

function isMeant({ labels }: Sample, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const actual = labels[name] ?? '';
    return typeof value === 'string' ? actual === value : value.test(actual);
  });
}

export function samplesOf(scrape: Scrape, name: string, wanted: Labels = {}): readonly Sample[] {
  return scrape.samples.filter((sample) => sample.name === name && isMeant(sample, wanted));
}

/** The sum of all samples of a metric with these labels; undefined if there is none. */
export function sumOf(scrape: Scrape, name: string, wanted: Labels = {}): number | undefined {
  const samples = samplesOf(scrape, name, wanted);
  return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);
}

/** How fast a counter grew between two scrapes, in units a second. */
export function rateOf(
  before: Scrape | undefined,
  now: Scrape,
  name: string,
  wanted: Labels = {},
): number | undefined {
  if (before === undefined) return undefined;
  const seconds = (now.atMs - before.atMs) / 1000;
  const grown = (sumOf(now, name, wanted) ?? 0) - (sumOf(before, name, wanted) ?? 0);
  // A counter that fell begins anew: the exchange was restarted.
  return seconds > 0 && grown >= 0 ? grown / seconds : undefined;
}

/**
 * A percentile of a histogram between two scrapes, interpolated within its bucket as Prometheus's
 * `histogram_quantile` does. Undefined where nothing was measured.
 */
export function percentileOf(
  before: Scrape | undefined,
  now: Scrape,
  name: string,
  share: number,
  wanted: Labels = {},
): number | undefined {
  const bucketName = `${name}_bucket`;
  const buckets = new Map<number, number>();
  const add = (scrape: Scrape, sign: 1 | -1): void => {
    for (const { labels, value } of samplesOf(scrape, bucketName, wanted)) {
      const limit = numberOf(labels.le ?? '');
      buckets.set(limit, (buckets.get(limit) ?? 0) + sign * value);
    }
  };
  add(now, 1);
  if (before !== undefined) add(before, -1);
  const sorted = [...buckets].toSorted(([one], [other]) => one - other);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  const rank = share * total;
  let [lowerLimit, lowerCount] = [0, 0];
  for (const [limit, count] of sorted) {
    if (count >= rank) {
      if (limit === Number.POSITIVE_INFINITY) return lowerLimit;
      return lowerLimit + ((limit - lowerLimit) * (rank - lowerCount)) / (count - lowerCount);
    }
    [lowerLimit, lowerCount] = [limit, count];
  }
  return undefined;
}
