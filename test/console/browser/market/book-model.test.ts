/** The rows of a book for either outcome, with the own orders among them. */
import t from 'tap';
import { bookRows, ownLots } from '../../../../console/browser/market/book-model.ts';
import { MarketBook } from '../../../../console/browser/streams/market-book.ts';
import type { OwnOrder } from '../../../../console/browser/streams/messages.ts';

const TOKENS: readonly [string, string] = ['111', '222'];

function orderOf(changes: Partial<OwnOrder>): OwnOrder {
  // Safe: only these fields are read.
  return {
    asset_id: '111',
    side: 'BUY',
    price: '0.4',
    original_size: '10',
    size_matched: '2.5',
    status: 'LIVE',
    ...changes,
  } as OwnOrder;
}

function book(): MarketBook {
  const made = new MarketBook();
  made.set('bid', 4_000, 1_000);
  made.set('bid', 3_900, 500);
  made.set('ask', 4_200, 300);
  return made;
}

t.test('rows have sums, the best first, and NO sees the mirror image', async (t) => {
  const own = ownLots([], TOKENS);
  const yes = bookRows(book(), own, { outcome: 0, side: 'bid', limit: 10, groupTicks: 1 });
  t.strictSame(yes, [
    { priceTicks: 4_000, lots: 1_000, totalLots: 1_000, ownLots: 0 },
    { priceTicks: 3_900, lots: 500, totalLots: 1_500, ownLots: 0 },
  ]);
  t.equal(bookRows(book(), own, { outcome: 0, side: 'bid', limit: 1, groupTicks: 1 }).length, 1);
  t.strictSame(bookRows(book(), own, { outcome: 1, side: 'bid', limit: 10, groupTicks: 1 }), [
    { priceTicks: 5_800, lots: 300, totalLots: 300, ownLots: 0 },
  ]);
});

t.test('levels are grouped at the price that takes all of them', async (t) => {
  const made = book();
  made.set('ask', 4_900, 200);
  made.set('ask', 9_900, 100);
  const rows = (outcome: 0 | 1, side: 'ask' | 'bid', limit = 10) =>
    bookRows(made, ownLots([orderOf({})], TOKENS), { outcome, side, limit, groupTicks: 500 }).map(
      ({ priceTicks, lots, totalLots, ownLots }) => [priceTicks, lots, totalLots, ownLots],
    );
  t.strictSame(rows(0, 'bid'), [
    [4_000, 1_000, 1_000, 750],
    [3_500, 500, 1_500, 0],
  ]);
  t.strictSame(rows(0, 'ask'), [
    [4_500, 300, 300, 0],
    [5_000, 200, 500, 0],
    [9_900, 100, 600, 0],
  ]);
  t.strictSame(rows(0, 'ask', 1), [[4_500, 300, 300, 0]]);
  t.strictSame(rows(1, 'bid'), [
    [5_500, 300, 300, 0],
    [5_000, 200, 500, 0],
    [100, 100, 600, 0],
  ]);
});

t.test('own orders of both outcomes are marked where they are in the book', async (t) => {
  const own = ownLots(
    [
      orderOf({}),
      orderOf({ size_matched: '0' }),
      // A bid for NO at 0.58 is an ask for YES at 0.42.
      orderOf({ asset_id: '222', price: '0.58', size_matched: '9' }),
      orderOf({ side: 'SELL', price: '0.42', status: 'DELAYED' }),
      orderOf({ asset_id: 'of another market' }),
    ],
    TOKENS,
  );
  const owned = (outcome: 0 | 1, side: 'bid' | 'ask') =>
    bookRows(book(), own, { outcome, side, limit: 10, groupTicks: 1 }).map(
      ({ ownLots }) => ownLots,
    );
  t.strictSame(owned(0, 'bid'), [1_750, 0]);
  t.strictSame(owned(0, 'ask'), [100]);
  t.strictSame(owned(1, 'ask'), [1_750, 0]);
  t.strictSame(owned(1, 'bid'), [100]);
});
