import t from 'tap';
import { pricesOf } from '../../../../console/browser/markets/live-prices.ts';

// A market with a lone bid of 94 cents had a chance of 50%, the value before the first trade.
t.test('a chance is never outside of the book', async (t) => {
  for (const [chance, bid, ask, shown] of [
    [0.5, 0.94, undefined, 0.94],
    [0.5, undefined, 0.1, 0.1],
    [0.5, 0.4, 0.6, 0.5],
    [0.5, undefined, undefined, 0.5],
    [undefined, 0.94, undefined, undefined],
  ] as const) {
    const market = { ...{ chance, bid, ask }, conditionId: '0x1', tokenIds: ['1', '2'] };
    // Safe: it reads no other fields.
    const prices = pricesOf(market as unknown as Parameters<typeof pricesOf>[0], undefined);
    t.equal(prices.chance, shown, `${chance} ${bid} ${ask}`);
  }
});
