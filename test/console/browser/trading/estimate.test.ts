/** What a page expects of an order, from the book that it shows. */
import fc from 'fast-check';
import t from 'tap';
import {
  estimate,
  feeMicros,
  highestFee,
  type Means,
  type Order,
  type OrderDraft,
  partOf,
  readDraft,
  worstPrice,
} from '../../../../console/browser/trading/index.ts';
import { feesDue, maximumFees } from '../../../../engine/fees/index.ts';
import { lots, ticks } from '../../../../engine/model/index.ts';
import { RULES } from './rules.ts';

const FREE = RULES.fees;
const EXPONENT = fc.constantFrom<0 | 1 | 2>(0, 1, 2);
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

t.test('a post-only order only rests', async (t) => {
  const only = estimate(orderOf({ postOnly: true }), FREE, ASKS);
  t.match(only, { filledLots: 0, cashMicros: 0, restingLots: 4_000, worstTicks: undefined });
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

t.test('fees are those of the engine', async () => {
  const price = fc.integer({ min: 1, max: 9_999 });
  const size = fc.integer({ min: 1, max: 100_000_000 });
  const bps = fc.integer({ min: 0, max: 1_000 });
  const fills = fc.array(fc.record({ priceTicks: price, lots: size }), { maxLength: 5 });
  fc.assert(
    fc.property(fills, bps, bps, EXPONENT, (fills, taker, maker, exponent) => {
      const builder = { shareBps: 0, takerRateBps: 0, makerRateBps: 0 };
      const market = { takerFeeBps: taker, makerFeeBps: maker, feeExponent: exponent };
      const rates = { ...market, ...builder };
      const base = fills.reduce(
        (sum, fill) =>
          sum +
          BigInt(fill.lots) *
            BigInt(taker) *
            BigInt((fill.priceTicks * (10_000 - fill.priceTicks)) ** exponent),
        0n,
      );
      const due = feesDue(rates, { base, flat: 0n }).totalMicros;
      if (feeMicros(taker, exponent, fills) !== due) return false;
      return fills.every((fill) => {
        const order = {
          lots: lots(fill.lots),
          priceTicks: ticks(fill.priceTicks),
          postOnly: false,
        };
        const terms = { takerBps: taker, makerBps: maker, exponent };
        return highestFee(terms, fill) === maximumFees(rates, order);
      });
    }),
  );
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
      takerBps: fc.integer({ min: 0, max: 1_000 }),
      makerBps: fc.constant(0),
      exponent: EXPONENT,
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
