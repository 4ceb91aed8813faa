// The engine's fees compared with an exact calculation from the text of wire 9.9; the limits of
// charges; and the amounts that the published client computes.
import { strict as assert } from 'node:assert';
import { adjustBuyAmountForFees } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import t from 'tap';
import { mostFees } from '../../../engine/fees/formulas.ts';
import { OrderFees } from '../../../engine/fees/order-fees.ts';
import { cashFor, lots, micros, ticks } from '../../../engine/index.ts';
import { times } from '../../long-set.ts';
import {
  costsMore,
  dueOf,
  exactMicros,
  lotCost,
  type OracleFill,
  type OracleRates,
} from './oracle.ts';

const RUNS = { numRuns: times(1_000, 3_000) };
const MANY_RUNS = { numRuns: times(4_000, 20_000) };
const FREE: OracleRates = {
  takerFeeBps: 0,
  makerFeeBps: 0,
  feeExponent: 1,
  shareBps: 0,
  takerRateBps: 0,
  makerRateBps: 0,
};

const anyExponent = fc.constantFrom(0 as const, 1 as const, 2 as const);
const anyRates: fc.Arbitrary<OracleRates> = fc.record({
  takerFeeBps: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 1, 5_000)),
  makerFeeBps: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 1, 5_000)),
  feeExponent: anyExponent,
  shareBps: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(0, 3_000, 5_000)),
  takerRateBps: fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.constant(0)),
  makerRateBps: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(0)),
});
const anyLots = fc.oneof(
  fc.integer({ min: 1, max: 30 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 10_000_000_000 }),
);
const anyPrice = fc.oneof(
  fc.integer({ min: 1, max: 9_999 }),
  fc.constantFrom(1, 2, 100, 5_000, 9_998, 9_999),
);

const anyImprovement = fc.integer({ min: 0, max: 9_999 });

const anyOrder = fc.record({
  rates: anyRates,
  isSell: fc.boolean(),
  limitTicks: anyPrice,
  postOnly: fc.boolean(),
  takes: fc.array(fc.tuple(anyLots, anyImprovement), { maxLength: 4 }),
  makes: fc.array(anyLots, { maxLength: 4 }),
});
/** An order so small and so near its limit that rounding exceeds what a better price saves. */
const anyTrifle = fc.record({
  rates: fc.oneof(
    anyRates,
    // With equal taker and maker rates, the fees at the limit leave no slack for rounding.
    anyRates.map((rates) => {
      const { takerFeeBps: makerFeeBps, makerRateBps: takerRateBps } = rates;
      return { ...rates, makerFeeBps, takerRateBps };
    }),
  ),
  isSell: fc.constant(false),
  limitTicks: anyPrice,
  postOnly: fc.constant(false),
  takes: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 3 }))),
  makes: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 1 }),
});

/** An order with its fills: first as a taker, then at its limit as a maker. */
function lifeOf(order: typeof anyOrder) {
  return order
    .map(({ takes, makes, ...order }) => {
      const { isSell, limitTicks } = order;
      const better = (by: number): number =>
        isSell ? Math.min(limitTicks + by, 9_999) : Math.max(limitTicks - by, 1);
      const fills: OracleFill[] = [
        ...(order.postOnly ? [] : takes).map(([size, by]) => {
          return { isTaker: true, lots: size, priceTicks: better(by) };
        }),
        ...makes.map((size) => ({ isTaker: false, lots: size, priceTicks: limitTicks })),
      ];
      return { ...order, fills, totalLots: fills.reduce((sum, fill) => sum + fill.lots, 0) };
    })
    .filter(({ fills }) => fills.length > 0);
}
const anyLife = lifeOf(anyOrder);
type Life = typeof anyLife extends fc.Arbitrary<infer T> ? T : never;

function feesFor(life: Life): OrderFees {
  return new OrderFees(
    { ...life.rates, builderAccount: 0 },
    {
      isSell: life.isSell,
      postOnly: life.postOnly,
      priceTicks: ticks(life.limitTicks),
      lots: lots(life.totalLots),
      budgetMicros: micros(0),
    },
  );
}

/** The higher of the taker's and the maker's rates. */
function highest({ rates, postOnly }: Life): OracleRates {
  if (postOnly) return rates;
  const feeBps = Math.max(rates.takerFeeBps, rates.makerFeeBps);
  const rateBps = Math.max(rates.takerRateBps, rates.makerRateBps);
  return { ...rates, makerFeeBps: feeBps, makerRateBps: rateBps };
}

function cashOf({ lots: size, priceTicks }: OracleFill): bigint {
  return BigInt(size) * BigInt(priceTicks);
}

t.test('each fill is charged exactly what its order owes by then, less earlier charges', (t) => {
  let cuts = 0;
  const property = fc.property(anyLife, (life) => {
    const fees = feesFor(life);
    const all = { isTaker: false, lots: life.totalLots, priceTicks: life.limitTicks };
    let most = life.isSell ? 0n : dueOf(highest(life), [all]).totalMicros;
    if (!life.isSell) assert.equal(BigInt(fees.requiredMicros), most, 'the fees of a BUY');
    let charged = 0n;
    let [toBuilder, toExchange] = [0n, 0n];
    life.fills.forEach((fill, index) => {
      fees.charge(fill.isTaker, lots(fill.lots), ticks(fill.priceTicks));
      const due = dueOf(life.rates, life.fills.slice(0, index + 1));
      if (life.isSell) most = charged + cashOf(fill);
      else most += BigInt(fill.lots) * BigInt(life.limitTicks) - cashOf(fill);
      const charge = (due.totalMicros < most ? due.totalMicros : most) - charged;
      if (due.totalMicros > most) cuts += 1;
      const exchangeDue = due.totalMicros - due.builderMicros - toExchange;
      const exchange = charge < exchangeDue ? charge : exchangeDue;
      assert.equal(BigInt(fees.fillMicros), charge, 'the charge');
      assert.equal(BigInt(fees.fillBuilderMicros), charge - exchange, "the builder's part");
      charged += charge;
      toExchange += exchange;
      toBuilder += charge - exchange;
    });
    assert.deepEqual([fees.chargedMicros, fees.builderMicros].map(BigInt), [charged, toBuilder]);
  });
  fc.assert(property, RUNS);
  t.ok(cuts > 30, 'some charges are limited');
  t.end();
});

t.test('with any rates, a lot with its fees costs more at a higher price', (t) => {
  const worst = { ...FREE, takerFeeBps: 5_000, shareBps: 5_000 };
  const tables = ([0, 1, 2] as const).map((feeExponent) => ({ ...worst, feeExponent }));
  for (const rates of [...tables, FREE, ...fc.sample(anyRates, { numRuns: 6, seed: 1 })]) {
    const costs = Array.from({ length: 9_999 }, (_, index) => lotCost(rates, index + 1));
    const wrong = costs.findIndex((cost, at) => at > 0 && !costsMore(cost, costs[at - 1]!));
    t.equal(wrong, -1, JSON.stringify(rates));
  }
  t.end();
});

t.test('cash and fees at the limit price are the most that a BUY of lots can owe', (t) => {
  let cuts = 0;
  const isEnough = (life: Life): void => {
    if (life.isSell) return;
    const fees = feesFor(life);
    let cash = 0n;
    for (const fill of life.fills) {
      cash += cashOf(fill);
      fees.charge(fill.isTaker, lots(fill.lots), ticks(fill.priceTicks));
    }
    const all = BigInt(life.totalLots) * BigInt(life.limitTicks);
    const required = all + BigInt(fees.requiredMicros);
    assert(cash + BigInt(fees.chargedMicros) <= required);
    const cut = dueOf(life.rates, life.fills).totalMicros - BigInt(fees.chargedMicros);
    // In micros: rounding may add up to 25 here and subtract up to 30 at the limit price.
    assert(cut >= 0n && cut <= 55n, 'nothing but rounding is cut');
    if (cut > 0n) cuts += 1;
  };
  fc.assert(fc.property(anyLife, isEnough), RUNS);
  fc.assert(fc.property(lifeOf(anyTrifle), isEnough), MANY_RUNS);
  t.ok(cuts > 0, 'some charges are cut by rounding');
  t.end();
});

t.test('a resting BUY holds exactly the fees of its later fills', (t) => {
  let kept = 0;
  const keepsEnough = (life: Life, cut: number): void => {
    if (life.isSell) return;
    const fees = feesFor(life);
    let left = life.totalLots;
    for (const fill of life.fills.filter(({ isTaker }) => isTaker)) {
      fees.charge(true, lots(fill.lots), ticks(fill.priceTicks));
      left -= fill.lots;
    }
    let held: number = fees.restMicros(lots(left));
    if (held > 0) kept += 1;
    while (left > 0) {
      const size = Math.min(left, 1 + (cut % left));
      fees.charge(false, lots(size), ticks(life.limitTicks));
      left -= size;
      held -= fees.fillMicros;
      assert.equal(fees.restMicros(lots(left)), held);
      if (left > 1_000 && size < left / 100) return;
    }
    assert.equal(held, 0, 'nothing is left over');
  };
  fc.assert(fc.property(anyLife, fc.nat(), keepsEnough), RUNS);
  fc.assert(fc.property(lifeOf(anyTrifle), fc.nat(), keepsEnough), MANY_RUNS);
  t.ok(kept > 200, 'many orders hold fees');
  t.end();
});

t.test('a dry run does not affect later charges', (t) => {
  const property = fc.property(fc.oneof(anyLife, lifeOf(anyTrifle)), fc.boolean(), (life, all) => {
    const [walked, fresh] = [feesFor(life), feesFor(life)];
    const charge = (fees: OrderFees, { isTaker, lots: size, priceTicks }: OracleFill): void =>
      fees.charge(isTaker, lots(size), ticks(priceTicks));
    for (const fill of all ? life.fills : life.fills.slice(0, 1)) charge(walked, fill);
    walked.reset();
    for (const fill of life.fills) {
      for (const fees of [walked, fresh]) charge(fees, fill);
      assert.equal(walked.fillMicros, fresh.fillMicros);
      assert.equal(walked.fillBuilderMicros, fresh.fillBuilderMicros);
    }
    assert.deepEqual(walked.sums, fresh.sums);
    assert.equal(walked.restMicros(lots(1)), fresh.restMicros(lots(1)));
  });
  fc.assert(property, MANY_RUNS);
  t.end();
});

/** Fills are [role, lots, price in ticks]; charges are in micros. */
type Row = readonly [
  what: string,
  rates: Partial<OracleRates>,
  side: 'BUY' | 'SELL',
  fills: readonly (readonly ['take' | 'make', number, number])[],
  charges: readonly (readonly [total: number, builder: number])[],
];

const CRYPTO = { takerFeeBps: 441 };
const ROWS: readonly Row[] = [
  ['100 tokens at 0.5', CRYPTO, 'BUY', [['take', 10_000, 5_000]], [[1_102_500, 0]]],
  ['100 tokens at 0.9', CRYPTO, 'SELL', [['take', 10_000, 9_000]], [[396_900, 0]]],
  ['the same at 0.1', CRYPTO, 'SELL', [['take', 10_000, 1_000]], [[396_900, 0]]],
  ['half-up to 5 decimals: 0.011025', CRYPTO, 'BUY', [['take', 100, 5_000]], [[11_030, 0]]],
  ['and down below the half: 0.0110141', CRYPTO, 'BUY', [['take', 100, 4_842]], [[11_010, 0]]],
  [
    'a builder with 30%: 1.1025 / 0.7, and 30% of that',
    { ...CRYPTO, shareBps: 3_000 },
    'BUY',
    [['take', 10_000, 5_000]],
    [[1_575_000, 472_500]],
  ],
  [
    'rounded up to 5 decimals: 0.01103 / 0.7 is 0.015757, and 30% is 0.004728',
    { ...CRYPTO, shareBps: 3_000 },
    'BUY',
    [['take', 100, 5_000]],
    [[15_760, 4_728]],
  ],
  ['below 0.00001', { takerFeeBps: 1 }, 'BUY', [['take', 39, 5_000]], [[0, 0]]],
  ['0.00001', { takerFeeBps: 1 }, 'BUY', [['take', 40, 5_000]], [[10, 0]]],
  [
    'fees below 0.00001 add up over the fills of an order',
    { takerFeeBps: 1, makerFeeBps: 1 },
    'BUY',
    [
      ['take', 20, 5_000],
      ['make', 19, 5_000],
      ['make', 1, 5_000],
      ['make', 20, 5_000],
    ],
    [
      [0, 0],
      [0, 0],
      [10, 0],
      [10, 0],
    ],
  ],
  [
    'exponent 0: the price does not matter',
    { takerFeeBps: 200, feeExponent: 0 },
    'BUY',
    [['take', 10_000, 100]],
    [[2_000_000, 0]],
  ],
  [
    'exponent 2: 100 x 0.0441 x 0.0625 is 0.275625',
    { ...CRYPTO, feeExponent: 2 },
    'BUY',
    [['take', 10_000, 5_000]],
    [[275_630, 0]],
  ],
  [
    "a builder's flat rates: 0.25% of 50 taken, 0.07% of 50 made",
    { takerRateBps: 25, makerRateBps: 7 },
    'BUY',
    [
      ['take', 10_000, 5_000],
      ['make', 10_000, 5_000],
    ],
    [
      [125_000, 125_000],
      [35_000, 35_000],
    ],
  ],
  [
    'a flat rate beside a share: 1.575 and 0.125',
    { ...CRYPTO, shareBps: 3_000, takerRateBps: 25 },
    'SELL',
    [['take', 10_000, 5_000]],
    [[1_700_000, 597_500]],
  ],
  [
    "a maker's rate",
    { ...CRYPTO, makerFeeBps: 100 },
    'SELL',
    [['make', 10_000, 5_000]],
    [[250_000, 0]],
  ],
  [
    'at most the proceeds, first for the exchange: 0.05 and 0.05 for the builder are due',
    { takerFeeBps: 500, feeExponent: 0, shareBps: 5_000 },
    'SELL',
    [
      ['take', 100, 700],
      ['take', 100, 100],
    ],
    [
      [70_000, 20_000],
      [10_000, 0],
    ],
  ],
];

t.test('worked examples', (t) => {
  for (const [what, rates, side, fills, charges] of ROWS) {
    const totalLots = fills.reduce((sum, [, size]) => sum + size, 0);
    const price = Math.max(...fills.map(([, , priceTicks]) => priceTicks));
    const life = { isSell: side === 'SELL', limitTicks: price, postOnly: false, fills: [] };
    const fees = feesFor({ ...life, rates: { ...FREE, ...rates }, totalLots });
    const charged = fills.map(([how, size, priceTicks]) => {
      fees.charge(how === 'take', lots(size), ticks(priceTicks));
      return [fees.fillMicros, fees.fillBuilderMicros];
    });
    t.strictSame(charged, charges, what);
  }
  t.end();
});

/** Rounds down to whole cents, as the published client does. */
function toCents(amount: number): number {
  return Math.floor(amount * 100 + 1e-9) * 10_000;
}

t.test('a budget and its fees never exceed what the published client reserves', (t) => {
  let adjusted = 0;
  const property = fc.property(
    fc.record({ rates: anyRates, limitTicks: anyPrice }),
    fc.integer({ min: 1, max: 100_000_000_000 }),
    fc.integer({ min: 80, max: 130 }),
    ({ rates: { shareBps: _, ...rates }, limitTicks }, balance, percent) => {
      const bps = rates.takerFeeBps / 10_000;
      const wanted = (balance * percent) / 100 / 1e6;
      const flat = rates.takerRateBps / 10_000;
      const [price, cash, exponent] = [limitTicks / 10_000, balance / 1e6, rates.feeExponent];
      const amount = adjustBuyAmountForFees(wanted, price, cash, bps, exponent, flat);
      const budget = toCents(amount);
      if (budget < 10_000) return;
      const shared = { ...rates, shareBps: 0 };
      const fees = new OrderFees(
        { ...shared, builderAccount: 0 },
        {
          isSell: false,
          postOnly: false,
          priceTicks: ticks(limitTicks),
          lots: lots(0),
          budgetMicros: micros(budget),
        },
      );
      const bought = {
        isTaker: true,
        lots: Math.floor(budget / limitTicks),
        priceTicks: limitTicks,
      };
      assert.equal(BigInt(fees.requiredMicros), exactMicros(shared, [bought]));
      assert(budget + fees.requiredMicros <= balance, `${budget} of ${balance}`);
      if (amount < wanted) adjusted += 1;
    },
  );
  fc.assert(property, RUNS);
  t.ok(adjusted > 30, 'the client lowers many budgets');
  t.end();
});

t.test('no rates charge a budget more for its next fill than the most', (t) => {
  const anyFills = fc.array(fc.tuple(anyLots, anyPrice), { minLength: 1, maxLength: 4 });
  let nearest = Number.POSITIVE_INFINITY;
  const property = fc.property(anyRates, anyFills, (rates, fills) => {
    const budget = { isSell: false, postOnly: false, lots: lots(0), budgetMicros: micros(1) };
    const terms = { ...budget, priceTicks: ticks(9_999) };
    const fees = new OrderFees({ ...rates, builderAccount: 0 }, terms);
    for (const [size, price] of fills) {
      const [filled, priceTicks] = [lots(size), ticks(price)];
      const most = mostFees(filled, cashFor(filled, priceTicks));
      const next = fees.previewFill(true, filled, priceTicks);
      assert(next <= most, `${next} is above ${most}`);
      nearest = Math.min(nearest, most / Math.max(next, 1));
      fees.charge(true, filled, priceTicks);
    }
  });
  fc.assert(property, MANY_RUNS);
  t.ok(nearest < 2, `the highest fee is 1/${nearest} of it`);
  t.end();
});
