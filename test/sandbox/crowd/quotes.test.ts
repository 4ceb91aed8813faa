/** What a market maker quotes. */
import fc from 'fast-check';
import t from 'tap';
import { lots, ticks } from '../../../engine/model/index.ts';
import { CROWD_MODEL_LIMITS, DEFAULT_CROWD_MODEL } from '../../../http/settings/crowd.ts';
import { CHARACTERS, logOddsOf, traitsOfCharacter } from '../../../sandbox/crowd/characters.ts';
import { type QuoteTerms, quotesFor, stepFor } from '../../../sandbox/crowd/quotes.ts';

const STEADY: QuoteTerms = {
  model: DEFAULT_CROWD_MODEL,
  traits: traitsOfCharacter('steady'),
  belief: 0,
  inventory: 0,
  tickTicks: ticks(1),
  stepTicks: ticks(1),
  lots: lots(10_000),
};

function bestOf(terms: QuoteTerms) {
  const quotes = quotesFor(terms);
  const pricesOf = (side: 'bid' | 'ask') =>
    quotes.filter((quote) => quote.side === side).map(({ priceTicks }) => priceTicks);
  return { bid: Math.max(...pricesOf('bid')), ask: Math.min(...pricesOf('ask')) };
}

t.test('the best quotes are those of the formula, rounded away from its middle', async (t) => {
  // gamma 0.5, k 30, sigma^2 T = 0.07^2 * 10 = 0.049: the half spread is
  // (0.5 * 0.049 + 4 * ln(1 + 0.5/30)) / 2 = 0.0453 in log-odds, and 0.0453/4 = 0.0113 at 0.5.
  t.same(bestOf(STEADY), { bid: 4_886, ask: 5_114 });
  // Three sizes of YES: 3 * 0.5 * 0.049 = 0.0735 lower.
  t.same(bestOf({ ...STEADY, inventory: 3 }), { bid: 4_703, ask: 4_930 });
  t.same(bestOf({ ...STEADY, inventory: -3 }), { bid: 5_070, ask: 5_297 });
});

t.test('further levels follow in steps, and are larger', async (t) => {
  const model = { ...DEFAULT_CROWD_MODEL, levels: 3 };
  const quotes = quotesFor({ ...STEADY, model, tickTicks: ticks(100), stepTicks: ticks(100) });
  t.same(quotes, [
    { side: 'bid', priceTicks: 4_800, lots: 10_000 },
    { side: 'bid', priceTicks: 4_700, lots: 15_000 },
    { side: 'bid', priceTicks: 4_600, lots: 20_000 },
    { side: 'ask', priceTicks: 5_200, lots: 10_000 },
    { side: 'ask', priceTicks: 5_300, lots: 15_000 },
    { side: 'ask', priceTicks: 5_400, lots: 20_000 },
  ]);
});

t.test('a market with one side is quoted on that side', async (t) => {
  const quotes = quotesFor({ ...STEADY, traits: traitsOfCharacter('one_sided') });
  t.ok(quotes.length > 0);
  t.ok(quotes.every(({ side }) => side === 'bid'));
});

const [leastRisk, mostRisk] = CROWD_MODEL_LIMITS.riskAversion;
const [leastDecay, mostDecay] = CROWD_MODEL_LIMITS.orderDecay;
const [, mostMinutes] = CROWD_MODEL_LIMITS.horizonMinutes;
const [, mostVolatility] = CROWD_MODEL_LIMITS.volatility;
function double(min: number, max: number) {
  return fc.double({ min, max, noNaN: true });
}

const termsOf = fc
  .record({
    riskAversion: double(leastRisk, mostRisk),
    orderDecay: double(leastDecay, mostDecay),
    horizonMinutes: double(0.1, mostMinutes),
    volatility: double(0, mostVolatility),
    levels: fc.integer({ min: 1, max: 20 }),
    character: fc.constantFrom(...CHARACTERS),
    probability: double(0.001, 0.999),
    inventory: double(-1_000, 1_000),
    tick: fc.constantFrom(1, 10, 25, 50, 100, 1_000),
  })
  .map(({ character, probability, inventory, tick, ...model }): QuoteTerms => {
    const tickTicks = ticks(tick);
    return {
      model: { ...DEFAULT_CROWD_MODEL, ...model },
      traits: traitsOfCharacter(character),
      belief: logOddsOf(probability),
      inventory,
      tickTicks,
      stepTicks: stepFor(tickTicks, probability),
      lots: lots(500),
    };
  });

t.test('whatever the terms, quotes are on the grid, inside 0 and 1, and do not cross', async () => {
  fc.assert(
    fc.property(termsOf, (terms) => {
      const quotes = quotesFor(terms);
      const keys = new Set(quotes.map(({ side, priceTicks }) => `${side} ${priceTicks}`));
      const { bid, ask } = bestOf(terms);
      return (
        quotes.length > 0 &&
        keys.size === quotes.length &&
        bid < ask &&
        quotes.every(
          ({ priceTicks, lots: size }) =>
            priceTicks % terms.tickTicks === 0 &&
            priceTicks > 0 &&
            priceTicks < 10_000 &&
            size >= terms.lots &&
            size % 100 === 0,
        )
      );
    }),
  );
});
