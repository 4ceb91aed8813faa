/** The shape of a maker's quotes. */
import fc from 'fast-check';
import t from 'tap';
import { lots, ONE_TICKS, ticks } from '../../../engine/model/index.ts';
import { Random } from '../../../http/codec/index.ts';
import {
  bestQuote,
  distanceOf,
  drawLots,
  drawPrice,
  QUOTE_SIDES,
  type QuoteTerms,
  unitTicks,
} from '../../../sandbox/crowd/quotes.ts';

const HALF: QuoteTerms = { fair: 0.503, tickTicks: ticks(100), halfSpread: 0.6 };

/** Best bid and ask by terms; undefined where every price is worse than the fair value. */
const BESTS: readonly (readonly [
  Partial<QuoteTerms>,
  bid: number | undefined,
  ask: number | undefined,
])[] = [
  [{}, 4_900, 5_100],
  [{ tickTicks: ticks(10) }, 5_000, 5_060],
  [{ halfSpread: 1.6 }, 4_800, 5_200],
  [{ fair: 0.004 }, undefined, 100],
  [{ fair: 0.012 }, 100, 200],
  [{ fair: 0.995 }, 9_800, undefined],
];

t.test('the best quotes are half a spread from the fair value, on the grid', async (t) => {
  for (const [changes, bid, ask] of BESTS) {
    const terms = { ...HALF, ...changes };
    const found = QUOTE_SIDES.map((side) => bestQuote(side, terms));
    t.strictSame(found, [bid, ask], JSON.stringify(changes));
  }
});

const termsOf = fc.record({
  fair: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  tickTicks: fc.constantFrom(1, 10, 25, 50, 100, 1_000).map(ticks),
  halfSpread: fc.double({ min: 0, max: 3, noNaN: true }),
});

t.test('whatever the terms, quotes are on the grid, and none is worse than fair', async () => {
  fc.assert(
    fc.property(termsOf, fc.boolean(), fc.nat(), (terms, isFilling, seed) => {
      const random = new Random(seed);
      const fair = ONE_TICKS * terms.fair;
      return QUOTE_SIDES.every((side) => {
        const price = drawPrice(random, side, terms, isFilling);
        if (price === undefined) return bestQuote(side, terms) === undefined;
        const isGood = side === 'bid' ? price <= fair : price >= fair;
        const distance = distanceOf({ side, priceTicks: price }, terms);
        const isNear = distance >= 0 && distance <= 40 + terms.tickTicks / unitTicks(terms);
        const isOnGrid = price % terms.tickTicks === 0 && price > 0 && price < ONE_TICKS;
        return isGood && isNear && isOnGrid;
      });
    }),
  );
});

t.test('sizes are at least the minimum, of hundredths of a token', async () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 10_000 }), (seed, least) => {
      const drawn = drawLots(new Random(seed), 60, lots(least));
      return Number.isInteger(drawn) && drawn >= least;
    }),
  );
});
