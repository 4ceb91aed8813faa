/** Fair values: what always holds of a group, and how they begin. */
import fc from 'fast-check';
import t from 'tap';
import { Random } from '../../../http/codec/index.ts';
import { FairValues, normalBelow } from '../../../sandbox/crowd/fair-values.ts';

/** Chances to begin with, the likeliest first. */
const chances = fc
  .array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 1, maxLength: 12 })
  .map((list) => list.toSorted((one, other) => other - one));
const shares = fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 50 });
const seeds = fc.nat();

t.test('the normal distribution is that of the tables', async (t) => {
  for (const [z, expected] of [
    [0, 0.5],
    [1, 0.841_344_7],
    [-1.96, 0.024_997_9],
    [3, 0.998_650_1],
  ]) {
    t.ok(Math.abs(normalBelow(z ?? 0) - (expected ?? 0)) < 1e-6, `${z}`);
  }
});

t.test('a ladder stays in order and within 0 and 1, whatever comes to light', async () => {
  fc.assert(
    fc.property(chances, shares, seeds, (first, revealed, seed) => {
      const group = new FairValues(first, false, new Random(seed));
      for (const share of revealed) group.reveal(share);
      const { values } = group;
      return values.every(
        (value, rung) => value > 0 && value < 1 && value <= (values[rung - 1] ?? 1),
      );
    }),
  );
});

t.test('the outcomes of a neg-risk event add up to 1', async () => {
  fc.assert(
    fc.property(chances, shares, seeds, (weights, revealed, seed) => {
      const sum = weights.reduce((all, weight) => all + weight, 0);
      const first = weights.map((weight) => weight / sum);
      const group = new FairValues(first, first.length > 1, new Random(seed));
      for (const share of revealed) group.reveal(share);
      if (first.length === 1) return true;
      const total = group.values.reduce((all, value) => all + value, 0);
      return Math.abs(total - 1) < 1e-9 && group.values.every((value) => value >= 0);
    }),
  );
});

t.test('they begin as they are told, and move only by what comes to light', async (t) => {
  for (const [first, isNegRisk] of [
    [[0.8, 0.5, 0.1], false],
    [[0.2, 0.5, 0.3], true],
  ] as const) {
    const group = new FairValues(first, isNegRisk, new Random(1));
    for (const [place, value] of group.values.entries()) {
      t.ok(Math.abs(value - (first[place] ?? 0)) < 1e-5, `${value}`);
    }
    const before = group.values;
    group.reveal(0);
    t.ok(group.values.every((value, place) => Math.abs(value - (before[place] ?? 0)) < 1e-12));
    group.reveal(0.1);
    t.notSame(group.values, before);
  }
});
