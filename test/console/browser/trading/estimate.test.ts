/** What a page expects of an order, from the book that it shows. */
import fc from 'fast-check';
import t from 'tap';
import {
  type Order,
  type OrderDraft,
  readDraft,
} from '../../../../console/browser/trading/draft.ts';
import { estimate, worstPrice } from '../../../../console/browser/trading/estimate.ts';
import { highestFee } from '../../../../console/browser/trading/fees.ts';
import { type Means, partOf } from '../../../../console/browser/trading/shares.ts';
import type { FeeRates } from '../../../../engine/fees/formulas.ts';
import { RULES } from './rules.ts';

const FREE = RULES.fees;
const ASKS = [
  { priceTicks: 5_000, lots: 1_000 },
  { priceTicks: 5_100, lots: 2_000 },
  { priceTicks: 5_500, lots: 5_000 },
];

function orderOf(changes: Partial<OrderDraft>): Order {
  const draft: OrderDraft = {
    outcome: 0,
    side: 'BUY',
    type: 'GTC',
    price: '51',
    quantity: '40',
    postOnly: false,
    expiration: '',
    ...changes,
  };
  const { order } = readDraft(draft, RULES);
  if (order === undefined) throw new Error('the draft is not complete');
  return order;
}

t.test('a limit order fills up to its price and rests with what is left', async (t) => {
  t.strictSame(estimate(orderOf({}), FREE, ASKS), {
    filledLots: 3_000,
    cashMicros: 1_000 * 5_000 + 2_000 * 5_100,
    feeMicros: 0,
    restingLots: 1_000,
    worstTicks: 5_100,
  });
});

t.test('a post-only order rests, or is refused', async (t) => {
  const only = estimate(orderOf({ postOnly: true, price: '49' }), FREE, ASKS);
  t.match(only, { filledLots: 0, cashMicros: 0, restingLots: 4_000, worstTicks: undefined });
  const crossing = estimate(orderOf({ postOnly: true }), FREE, ASKS);
  t.match(crossing, { filledLots: 0, restingLots: 0 });
});

t.test('an order that is all or nothing fills wholly or not at all', async (t) => {
  for (const [quantity, cashMicros] of [
    // What is left over is less than a lot costs.
    ['6.01', 1_000 * 5_000 + 198 * 5_100],
    ['15.2', 1_000 * 5_000 + 2_000 * 5_100],
    ['15.21', 0],
  ] as const) {
    const { filledLots, ...rest } = estimate(orderOf({ type: 'FOK', quantity }), FREE, ASKS);
    t.match(rest, { cashMicros, restingLots: 0 }, quantity);
    t.equal(filledLots > 0, cashMicros > 0);
  }
  const bids = [{ priceTicks: 5_100, lots: 1_000 }];
  const sell = (quantity: string) =>
    estimate(orderOf({ type: 'FOK', side: 'SELL', quantity }), FREE, bids).filledLots;
  t.strictSame([sell('10'), sell('10.01')], [1_000, 0]);
});

t.test('a SELL fills down to its price', async (t) => {
  const bids = [
    { priceTicks: 4_900, lots: 1_000 },
    { priceTicks: 4_800, lots: 1_000 },
  ];
  const sell = estimate(orderOf({ side: 'SELL', price: '49', type: 'FAK' }), FREE, bids);
  t.match(sell, { filledLots: 1_000, cashMicros: 4_900_000, restingLots: 0 });
});

t.test('a budget buys whole lots of each level until it is spent', async (t) => {
  // 5 dollars are the first level; of the other dollar, 0.51 is left over each lot.
  const budget = estimate(orderOf({ type: 'FAK', quantity: '6.01' }), FREE, ASKS);
  const second = Math.floor(1_010_000 / 5_100);
  t.match(budget, { filledLots: 1_000 + second, cashMicros: 5_000_000 + second * 5_100 });
  t.equal(budget.restingLots, 0);
});

t.test('the fee is that of all fills together', async (t) => {
  const fees: FeeRates = { ...FREE, takerFeeBps: 441, feeExponent: 1 };
  // 0.0441 x (10 x 0.5 x 0.5 + 20 x 0.51 x 0.49), rounded to 5 decimals.
  t.equal(estimate(orderOf({}), fees, ASKS).feeMicros, 330_660);
});

t.test('the worst price of a market order fills it now, and is a little worse', async (t) => {
  const wish = { side: 'BUY', type: 'FAK', tickTicks: 100 } as const;
  t.equal(worstPrice({ ...wish, amount: 0 }, ASKS), 5_100, 'of nothing: the best price');
  t.equal(worstPrice({ ...wish, amount: 5_000_000 }, ASKS), 5_100);
  t.equal(worstPrice({ ...wish, amount: 5_000_001 }, ASKS), 5_300, 'a fiftieth, in whole ticks');
  t.equal(worstPrice({ ...wish, amount: 10 ** 12 }, ASKS), 5_700, 'more than the book has');
  t.equal(worstPrice({ ...wish, amount: 1 }, []), undefined);
  const bids = [{ priceTicks: 100, lots: 10 }];
  t.equal(worstPrice({ ...wish, side: 'SELL', amount: 5 }, bids), 100, 'not below the grid');
});

t.test('a part of the means never costs more than there is', async (t) => {
  const wish = fc.record({
    side: fc.constant('BUY' as const),
    type: fc.constantFrom('GTC' as const, 'FAK' as const),
    priceTicks: fc.integer({ min: 1, max: 9_999 }),
    fees: fc.record({
      ...{ makerFeeBps: fc.constant(0), shareBps: fc.constant(0) },
      ...{ takerRateBps: fc.constant(0), makerRateBps: fc.constant(0) },
      takerFeeBps: fc.integer({ min: 0, max: 1_000 }),
      feeExponent: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    }),
  });
  const cash = fc.integer({ min: 0, max: 10 ** 13 });
  fc.assert(
    fc.property(wish, cash, fc.constantFrom(25, 100), (wish, cashMicros, percent) => {
      const part = partOf(wish, { cashMicros, lots: 0 }, percent);
      const lots = wish.type === 'GTC' ? part : Math.floor((part * 10_000) / wish.priceTicks);
      const cost = wish.type === 'GTC' ? part * wish.priceTicks : part * 10_000;
      return cost + highestFee(wish.fees, { priceTicks: wish.priceTicks, lots }) <= cashMicros;
    }),
  );
  const means: Means = { cashMicros: 100_000_000, lots: 1_234 };
  const free = { type: 'GTC', priceTicks: 5_000, fees: FREE } as const;
  t.equal(partOf({ ...free, side: 'BUY' }, means, 100), 20_000);
  t.equal(partOf({ ...free, side: 'SELL' }, means, 50), 617);
  t.equal(partOf({ ...free, side: 'BUY', type: 'FOK' }, means, 100), 10_000);
});
