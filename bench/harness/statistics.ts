/** Medians with their spread, and percentiles by HDR histogram. */
import { build, type Histogram } from 'hdr-histogram-js';

/** The median of several rounds, with the lowest and the highest value. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
  return { median, lowest: sorted[0] ?? Number.NaN, highest: sorted.at(-1) ?? Number.NaN };
}

/** The spread of one figure over rounds. */
export function spreadBy<Round>(
  rounds: readonly Round[],
  figure: (round: Round) => number,
): Spread {
  return spreadOf(rounds.map(figure));
}

export function sumOf<One>(list: readonly One[], value: (one: One) => number): number {
  return list.reduce((sum, one) => sum + value(one), 0);
}

/** Latencies in nanoseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
}

/** Records latencies with three significant digits. */
export class Latencies {
  readonly #histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    numberOfSignificantValueDigits: 3,
  });

  record(latencyMs: number): void {
    this.#histogram.recordValue(Math.round(latencyMs * 1e6));
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  get percentiles(): Percentiles {
    const histogram = this.#histogram;
    return {
      p50: histogram.getValueAtPercentile(50),
      p99: histogram.getValueAtPercentile(99),
      p999: histogram.getValueAtPercentile(99.9),
      longest: histogram.maxValue,
    };
  }
}

/** Percentiles of latencies given in milliseconds. */
export function percentilesOf(latenciesMs: readonly Iterable<number>[]): Percentiles {
  const latencies = new Latencies();
  for (const round of latenciesMs) for (const latency of round) latencies.record(latency);
  return latencies.percentiles;
}
