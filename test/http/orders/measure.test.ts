import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { type OrderType, type Ticks, ticks } from '../../../engine/index.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { measure } from '../../../http/orders/measure.ts';
import { DEFAULT_PROFILE } from '../../../http/profiles/profiles.ts';
import type { SignedOrder } from '../../../http/signing/order-struct.ts';
import { OPEN } from '../../default-settings.ts';
import { times } from '../../long-set.ts';

type Side = 'BUY' | 'SELL';

/** An order. The tests use only its side and amounts. */
function orderOf(side: Side, makerAmount: string, takerAmount: string): SignedOrder {
  return {
    struct: 'order11',
    salt: '1',
    maker: `0x${'a'.repeat(40)}`,
    signer: `0x${'a'.repeat(40)}`,
    tokenId: '1',
    makerAmount,
    takerAmount,
    side: side === 'BUY' ? 0 : 1,
    signatureType: 0,
    timestamp: '1',
    metadata: '0x',
    builder: '0x',
    signature: '0x',
  };
}

function measured(order: SignedOrder, type: OrderType, tick: Ticks, profile = OPEN): unknown {
  try {
    return measure(order, type, tick, profile);
  } catch (error) {
    return error instanceof ApiError ? { code: error.code, ...error.details } : error;
  }
}

interface AmountVector {
  readonly side: Side;
  readonly price: number;
  readonly size?: number;
  readonly amount?: number;
  readonly tick: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
}
const vectorFile = new URL('../../vectors.json', import.meta.url);
// Safe: the file is part of the repository; another shape fails every test here.
const { amounts } = JSON.parse(readFileSync(vectorFile, 'utf8')) as {
  amounts: { limit: readonly AmountVector[]; market: readonly AmountVector[] };
};
function ticksOf(price: number | string): Ticks {
  return ticks(Math.round(Number(price) * 10_000));
}

t.test("clients' limit orders convert exactly to ticks and lots", async (t) => {
  for (const { side, price, size = 0, tick, makerAmount, takerAmount } of amounts.limit) {
    const order = orderOf(side, makerAmount, takerAmount);
    // Sizes are rounded down to 0.01 by the client.
    const lots = Math.floor(size * 100 + 1e-9);
    const expected = { priceTicks: ticksOf(price), lots, budgetMicros: 0 };
    t.strictSame(measured(order, 'GTC', ticksOf(tick)), expected, `${side} ${size} @ ${price}`);
  }
});

t.test("clients' market orders get their price although clients round the amounts", async (t) => {
  for (const { side, price, amount = 0, tick, makerAmount, takerAmount } of amounts.market) {
    const order = orderOf(side, makerAmount, takerAmount);
    const isBuy = side === 'BUY';
    const expected = {
      priceTicks: ticksOf(price),
      lots: isBuy ? 0 : Math.floor(amount * 100),
      budgetMicros: isBuy ? amount * 1_000_000 : 0,
    };
    for (const type of ['FOK', 'FAK'] as const) {
      t.strictSame(measured(order, type, ticksOf(tick)), expected, `${side} ${amount} @ ${price}`);
    }
  }
});

t.test('amounts off the grid are refused, and the error names the grid', async (t) => {
  const cent = ticks(100);
  const size = { code: 'size_off_grid', limit: '0.01' };
  const price = { code: 'price_off_tick', field: 'price', limit: '0.01' };
  const maker = 'order.makerAmount';
  const taker = 'order.takerAmount';
  const huge = '9'.repeat(78);
  const rows: [
    side: Side,
    makerAmount: string,
    takerAmount: string,
    type: OrderType,
    fault: object,
  ][] = [
    ['BUY', '0', '10000000', 'GTC', { code: 'amount_not_positive', field: maker }],
    ['SELL', '10000000', '0', 'FOK', { code: 'amount_not_positive', field: taker }],
    ['BUY', '5000000', '10005000', 'GTC', { ...size, field: taker, actual: '10.005' }],
    ['SELL', '10005000', '5000000', 'GTC', { ...size, field: maker, actual: '10.005' }],
    ['SELL', '10000001', '5000000', 'FOK', { ...size, field: maker, actual: '10.000001' }],
    ['BUY', '5000003', '10000000', 'GTC', { ...price, actual: '0.5000003' }],
    ['BUY', '1000000', '3000000', 'GTC', { ...price, actual: '0.333333333333' }],
    ['SELL', '10000000', '4999997', 'GTD', { ...price, actual: '0.4999997' }],
    ['BUY', '55998999', '100000000', 'FOK', { ...price, actual: '0.55998999' }],
    ['BUY', '101200000', '178571400', 'FOK', { ...price, actual: '0.566720090675' }],
    ['SELL', '100000000', '56002000', 'FAK', { ...price, actual: '0.56002' }],
    ['BUY', huge, '10000000', 'GTC', { code: 'amount_out_of_bounds', field: maker }],
    ['BUY', '5000000', huge, 'GTC', { code: 'size_out_of_bounds', field: taker }],
    ['BUY', '9007199254740993', '1', 'FOK', { limit: '0.000001..1000000000' }],
    ['SELL', '9007199254740993', '1', 'FOK', { actual: '9007199254.740993' }],
  ];
  for (const [side, makerAmount, takerAmount, type, fault] of rows) {
    const order = orderOf(side, makerAmount, takerAmount);
    t.match(measured(order, type, cent), fault, `${side} ${makerAmount} ${takerAmount} ${type}`);
  }
});

t.test('a ratio that misses a tick by a rounding, on either side, is that tick', async (t) => {
  const market: [side: Side, makerAmount: string, takerAmount: string, priceTicks: number][] = [
    ['BUY', '55999998', '100000000', 5600],
    ['BUY', '56000900', '100000000', 5600],
    ['BUY', '55999500', '100000000', 5600],
    ['SELL', '100000000', '55999100', 5600],
    ['SELL', '100000000', '56000900', 5600],
    ['BUY', '5500999', '10000000', 5500],
    // A client that protects its price signed 7 cash for 11.6667 tokens, at most 0.60 each.
    ['BUY', '7000000', '11666700', 6000],
  ];
  for (const [side, makerAmount, takerAmount, priceTicks] of market) {
    const order = orderOf(side, makerAmount, takerAmount);
    for (const type of ['FOK', 'FAK'] as const) {
      t.match(measured(order, type, ticks(100)), { priceTicks }, `${side} ${makerAmount} ${type}`);
    }
  }
  for (const cash of ['4999998', '5000002']) {
    for (const type of ['GTC', 'GTD'] as const) {
      const expected = { priceTicks: 5000, lots: 1000, budgetMicros: 0 };
      const buy = orderOf('BUY', cash, '10000000');
      t.strictSame(measured(buy, type, ticks(100)), expected, `BUY ${cash} ${type}`);
      const sell = orderOf('SELL', '10000000', cash);
      t.strictSame(measured(sell, type, ticks(100)), expected, `SELL ${cash} ${type}`);
    }
  }
});

t.test('the price of a client is measured whichever way it rounds the amount', async () => {
  const decimals = { 1000: 3, 100: 4, 50: 5, 25: 6, 10: 5, 1: 6 };
  const grid = fc.constantFrom(...Object.entries(decimals));
  const step = fc.integer({ min: 1, max: 9_999 });
  const cents = fc.integer({ min: 100, max: 50_000_000 });
  const isMeasured = ([tick, places]: [string, number], step: number, amount: number) => {
    const tickTicks = ticks(Number(tick));
    const price = Math.max(1, step % Math.floor(10_000 / tickTicks)) * tickTicks;
    const quantum = 10n ** BigInt(6 - places);
    const cash = BigInt(amount) * 10_000n;
    const down = (cash * 10_000n) / (BigInt(price) * quantum);
    return [down, down + 1n].every((tokens) => {
      const order = orderOf('BUY', String(cash), String(tokens * quantum));
      return measure(order, 'FAK', tickTicks, OPEN).priceTicks === price;
    });
  };
  fc.assert(fc.property(grid, step, cents, isMeasured), { numRuns: times(300, 2_000) });
});

t.test('every order on the grid is measured exactly', async () => {
  const tick = fc.constantFrom(1000, 100, 50, 25, 10, 1);
  const lots = fc.integer({ min: 1, max: 100_000_000_000 });
  const steps = fc.integer({ min: 1, max: 9_999 });
  const isExact = (tickTicks: number, step: number, size: number, isBuy: boolean): boolean => {
    const priceTicks = Math.max(1, step % Math.floor(10_000 / tickTicks)) * tickTicks;
    const cash = String(BigInt(size) * BigInt(priceTicks));
    const tokens = String(BigInt(size) * 10_000n);
    const order = isBuy ? orderOf('BUY', cash, tokens) : orderOf('SELL', tokens, cash);
    const limit = measure(order, 'GTC', ticks(tickTicks), OPEN);
    const market = measure(order, 'FOK', ticks(tickTicks), OPEN);
    return (
      limit.lots === size &&
      limit.priceTicks === priceTicks &&
      (isBuy ? market.budgetMicros === size * priceTicks : market.lots === size) &&
      market.priceTicks === priceTicks
    );
  };
  fc.assert(fc.property(tick, steps, lots, fc.boolean(), isExact), { numRuns: times(300, 2_000) });
});

// [orders, side, type, tick, makerAmount, takerAmount, the refused field or none]. The first of the
// refused ones are those of public reports.
const DECIMALS = [
  ['market buy', 'BUY', 'FAK', '0.01', '1999422', '2019600', 'makerAmount'],
  ['market buy', 'BUY', 'FAK', '0.001', '9980000', '10131970', 'takerAmount'],
  ['market buy', 'BUY', 'FOK', '0.01', '9980000', '10183600', ''],
  ['market sell', 'SELL', 'FOK', '0.01', '10005000', '5002500', 'makerAmount'],
  ['market sell', 'SELL', 'FAK', '0.001', '10000000', '9851230', 'takerAmount'],
  ['market sell', 'SELL', 'FAK', '0.001', '10000000', '9850000', ''],
  ['buy', 'BUY', 'GTC', '0.01', '4000000', '6666660', 'takerAmount'],
  ['buy', 'BUY', 'GTC', '0.01', '5600001', '10000000', 'makerAmount'],
  ['buy', 'BUY', 'GTD', '0.001', '33831650', '100990000', ''],
  ['sell', 'SELL', 'GTC', '0.0001', '10010000', '5640635', ''],
  ['sell', 'SELL', 'GTC', '0.01', '10010000', '5605602', 'takerAmount'],
] as const;

t.test('amounts have the decimals that the venue of the profile takes', async (t) => {
  for (const [orders, side, type, tick, maker, taker, refused] of DECIMALS) {
    const order = orderOf(side, maker, taker);
    const found = measured(order, type, ticks(Number(tick) * 10_000), DEFAULT_PROFILE);
    const label = `${side} ${type} ${maker}/${taker} at ${tick}`;
    if (refused === '') t.match(found, { priceTicks: Number }, label);
    else {
      const code = 'amounts_too_precise';
      t.match(found, { code, field: `order.${refused}`, orders: `${orders} orders` }, label);
    }
  }
});
