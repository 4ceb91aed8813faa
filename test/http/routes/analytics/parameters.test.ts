// Thresholds in whole units, and lists of markets.
import fc from 'fast-check';
import t from 'tap';
import { leastLots, leastMicros, marketsIn } from '../../../../http/routes/analytics/parameters.ts';

t.test('a threshold is the least whole number that is not below it', async (t) => {
  const rows: readonly (readonly [tokens: number, lots: number])[] = [
    [0, 0],
    [1, 100],
    // 100 x 0.07 is 7.000000000000001.
    [0.07, 7],
    [0.29, 29],
    [0.001, 1],
    [1.005, 101],
    [999_999_999_999_999, Number.MAX_SAFE_INTEGER],
  ];
  for (const [tokens, lots] of rows) t.equal(leastLots(tokens), lots, `${tokens}`);
  t.equal(leastMicros(0.3), 300_000);
  const check = fc.property(fc.integer({ min: 0, max: 1e12 }), (lots) => {
    const [below = 0, above = 0] = [lots - 0.5, lots + 0.5].map((part) => part / 100);
    return (
      leastLots(lots / 100) === lots &&
      leastLots(above) === lots + 1 &&
      (lots === 0 || leastLots(below) === lots)
    );
  });
  fc.assert(check, { numRuns: 500 });
});

t.test('markets are in lower case, each once; an empty list means all', async (t) => {
  const one = `0x${'aB'.repeat(32)}`;
  t.equal(marketsIn([]), undefined);
  t.equal(marketsIn(undefined), undefined);
  t.same(marketsIn([one, one.toLowerCase()]), [one.toLowerCase()]);
  t.throws(() => marketsIn([`${one}0`]), { code: 'invalid_parameter' });
});
