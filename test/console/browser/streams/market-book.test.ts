// The book of a market beside a slow, obvious one; decimals of the wire.

import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { lotsOf, ticksOf } from '../../../../console/browser/decimal/index.ts';
import { MarketBook } from '../../../../console/browser/streams/market-book.ts';
import { lots, ticks } from '../../../../engine/model/index.ts';
import { lotsText, ticksText } from '../../../../http/codec/decimal.ts';
import { times } from '../../../long-set.ts';

const change = fc.record({
  side: fc.constantFrom('bid' as const, 'ask' as const),
  priceTicks: fc.integer({ min: 1, max: 40 }).map((cents) => cents * 200),
  lots: fc.integer({ min: 0, max: 3 }),
});

t.test('levels are ordered from either outcome, like those of a slow book', async () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const book = new MarketBook();
      const slow = { bid: new Map<number, number>(), ask: new Map<number, number>() };
      for (const { side, priceTicks, lots } of changes) {
        book.set(side, priceTicks, lots);
        if (lots > 0) slow[side].set(priceTicks, lots);
        else slow[side].delete(priceTicks);
      }
      for (const outcome of [0, 1] as const) {
        for (const side of ['bid', 'ask'] as const) {
          const kept = outcome === 0 ? side : side === 'bid' ? 'ask' : 'bid';
          const expected = [...slow[kept]]
            .map(([price, lots]) => ({
              priceTicks: outcome === 0 ? price : 10_000 - price,
              lots,
            }))
            .sort((one, other) => (one.priceTicks - other.priceTicks) * (side === 'bid' ? -1 : 1));
          assert.deepEqual(book.levels(outcome, side), expected);
          assert.deepEqual(book.levels(outcome, side, 2), expected.slice(0, 2));
          assert.equal(book.best(outcome, side), expected[0]?.priceTicks);
          assert.equal(book.depth(outcome, side), expected.length);
          for (const { priceTicks, lots } of expected) {
            assert.equal(book.lotsAt(outcome, side, priceTicks), lots);
          }
        }
      }
      assert.equal(book.lotsAt(0, 'bid', 9_999), 0);
    }),
    { numRuns: times(30, 1_000) },
  );
});

t.test('a book that takes the levels of another one says whether they differ', async (t) => {
  const bookOf = (...levels: readonly (readonly ['bid' | 'ask', number, number])[]) => {
    const book = new MarketBook();
    for (const level of levels) book.set(...level);
    return book;
  };
  const book = bookOf(['bid', 100, 5], ['ask', 300, 5]);
  t.equal(book.replace(bookOf(['ask', 300, 5], ['bid', 100, 5])), false);
  t.equal(book.replace(bookOf(['bid', 100, 6], ['ask', 300, 5])), true, 'another size');
  t.equal(book.replace(bookOf(['bid', 100, 6], ['ask', 400, 5])), true, 'another price');
  t.equal(book.replace(bookOf(['bid', 100, 6])), true, 'a level less');
  t.equal(book.best(0, 'ask'), undefined);
});

t.test('decimals of the exchange are read exactly, and nothing else is', async (t) => {
  for (let price = 0; price <= 10_000; price += 1) {
    const text = ticksText(ticks(price));
    if (ticksOf(text) !== price) t.fail(text);
  }
  for (const size of [0, 1, 10, 100, 101, 1_250, 123_456_789, 9_007_199_254_740_991]) {
    const text = lotsText(lots(size));
    t.equal(lotsOf(text), size, text);
  }
  t.equal(ticksOf('0.5000'), 5_000);
  for (const text of ['', '-1', '.5', '1e3', '0.00001', '1.2.3', ' 1', '90071992547409.92']) {
    t.throws(() => lotsOf(text), RangeError, text);
  }
});
