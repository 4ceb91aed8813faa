/**
 * A histogram whose buckets double in width. One observation takes 10 to 25 ns; prom-client's takes
 * 480 to 990 ns, too much for seven observations an order
 * (docs/decisions/0031-metrics-and-traces.md).
 *
 * Invariant: a value is counted in the first bucket whose bound it does not exceed, or in the last
 * one, which has no bound. Bound: one number for each bucket.
 */
import { strict as assert } from 'node:assert';

const MAX_BITS = 31;

/** Buckets up to `2^fromBits`, `2^(fromBits + 1)`, ... `2^toBits`, and one for larger values. */
export interface HistogramRange {
  readonly fromBits: number;
  readonly toBits: number;
}

/** For a stage of a request or command, in microseconds: 1 us to 4 s. */
export const STAGE_RANGE: HistogramRange = { fromBits: 0, toBits: 22 };

export class Histogram {
  readonly #fromBits: number;
  readonly #counts: Float64Array;
  #sum = 0;

  constructor({ fromBits, toBits }: HistogramRange) {
    assert(fromBits >= 0 && fromBits <= toBits && toBits < MAX_BITS, 'bounds fit 31 bits');
    this.#fromBits = fromBits;
    this.#counts = new Float64Array(toBits - fromBits + 2);
  }

  /** Counts a value of at least 0, in the unit of the bounds. */
  observe(value: number): void {
    const last = this.#counts.length - 1;
    const bits = value > 2 ** MAX_BITS ? MAX_BITS + 1 : 32 - Math.clz32(Math.ceil(value) - 1);
    const bucket = Math.min(Math.max((value <= 1 ? 0 : bits) - this.#fromBits, 0), last);
    // Safe: the bucket is within the counts.
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** The sum of all values. */
  get sum(): number {
    return this.#sum;
  }

  /** For each bound, the number of values that do not exceed it; the last bound is Infinity. */
  *cumulated(): Iterable<readonly [bound: number, count: number]> {
    let count = 0;
    for (const [index, inBucket] of this.#counts.entries()) {
      count += inBucket;
      const isLast = index === this.#counts.length - 1;
      yield [isLast ? Number.POSITIVE_INFINITY : 2 ** (this.#fromBits + index), count];
    }
  }
}
