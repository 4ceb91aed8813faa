import fc from 'fast-check';
import t from 'tap';
import { Histogram } from '../../../http/codec/histogram.ts';

t.test('a value counts for the bounds that it does not exceed', async (t) => {
  /** Values, and how many of them are at most 2, 4, 8 and Infinity. */
  const rows: readonly (readonly [values: readonly number[], counts: readonly number[]])[] = [
    [[], [0, 0, 0, 0]],
    [[0], [1, 1, 1, 1]],
    [[0.25], [1, 1, 1, 1]],
    [[1], [1, 1, 1, 1]],
    [[2], [1, 1, 1, 1]],
    [[2.001], [0, 1, 1, 1]],
    [[4], [0, 1, 1, 1]],
    [[4.001], [0, 0, 1, 1]],
    [[8], [0, 0, 1, 1]],
    [[8.001], [0, 0, 0, 1]],
    [[2 ** 31], [0, 0, 0, 1]],
    [[2 ** 40], [0, 0, 0, 1]],
    [
      [1, 3, 3, 9],
      [1, 3, 3, 4],
    ],
  ];
  for (const [values, counts] of rows) {
    const histogram = new Histogram({ fromBits: 1, toBits: 3 });
    for (const value of values) histogram.observe(value);
    const expected = [2, 4, 8, Number.POSITIVE_INFINITY].map((bound, at) => [bound, counts[at]]);
    t.strictSame([...histogram.cumulated()], expected, values.join(' '));
    t.equal(
      histogram.sum,
      values.reduce((sum, value) => sum + value, 0),
    );
  }
});

t.test('it agrees with plain comparisons for any values', async (t) => {
  const value = fc.oneof(
    fc.double({ min: 0, max: 2 ** 24, noNaN: true }),
    fc.nat(100),
    fc.nat(31).map((bits) => 2 ** bits),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const histogram = new Histogram({ fromBits: 0, toBits: 22 });
      for (const one of values) histogram.observe(one);
      for (const [bound, count] of histogram.cumulated()) {
        if (values.filter((one) => one <= bound).length !== count) return false;
      }
      return true;
    }),
  );
  t.pass();
});
