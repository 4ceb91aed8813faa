import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { type Fill, lots, type MarketChanged, micros, ticks } from '../../../engine/index.ts';
import { BookViews } from '../../../http/views/books.ts';
import type { TokenBook } from '../../../http/views/token-book.ts';
import { times } from '../../long-set.ts';
import {
  CONDITION,
  CREATED_MS,
  createMarket,
  fill,
  happened,
  level,
  marketCreated,
  NO_TOKEN,
  YES_TOKEN,
} from '../durable-commands.ts';

interface ShownBook {
  readonly market: string;
  readonly asset_id: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly bids: readonly { readonly price: string; readonly size: string }[];
  readonly asks: readonly { readonly price: string; readonly size: string }[];
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly neg_risk: boolean;
  readonly last_trade_price: string;
}

function bookOf(views: BookViews, tokenId: string): TokenBook {
  const book = views.token(tokenId);
  if (book === undefined) throw new Error(`no book of token ${tokenId}`);
  return book;
}
function textOf(views: BookViews, tokenId: string): string {
  return bookOf(views, tokenId).bytes.toString();
}
function shown(views: BookViews, tokenId: string): ShownBook {
  return JSON.parse(textOf(views, tokenId));
}
function levelsOf(book: ShownBook): string {
  return [book.bids, book.asks]
    .map((side) => side.map(({ price, size }) => `${size}@${price}`).join(' '))
    .join(' | ');
}

function opened(): BookViews {
  const views = new BookViews();
  views.consume([marketCreated()]);
  return views;
}

t.test('an unknown token has no book', async (t) => {
  t.equal(new BookViews().token(YES_TOKEN), undefined);
  t.equal(opened().token('1'), undefined);
});

t.test('an empty book has the keys of the wire, in their order', async (t) => {
  const views = opened();
  t.equal(
    textOf(views, YES_TOKEN),
    `{"market":"${CONDITION}","asset_id":"${YES_TOKEN}","timestamp":"${CREATED_MS}",` +
      `"hash":"${bookOf(views, YES_TOKEN).hash}","bids":[],"asks":[],"min_order_size":"5",` +
      `"tick_size":"0.01","neg_risk":false,"last_trade_price":""}`,
  );
});

t.test('levels are shown worst first, and mirrored for the other token', async (t) => {
  const views = opened();
  views.consume([
    happened(2, CREATED_MS + 1, [level('bid', 4_000, 10_000), level('bid', 3_000, 1_250)]),
    happened(3, CREATED_MS + 2, [level('ask', 6_000, 1), level('ask', 7_500, 20)]),
  ]);
  t.equal(levelsOf(shown(views, YES_TOKEN)), '12.5@0.3 100@0.4 | 0.2@0.75 0.01@0.6');
  t.equal(levelsOf(shown(views, NO_TOKEN)), '0.2@0.25 0.01@0.4 | 12.5@0.7 100@0.6');
});

t.test('a removed level is not shown, and the next one is the best', async (t) => {
  const views = opened();
  views.consume([
    happened(2, 2, [level('bid', 4_000, 5), level('bid', 4_100, 5), level('bid', 3_900, 5)]),
  ]);
  t.equal(bookOf(views, YES_TOKEN).bidTicks, 4_100);
  views.consume([happened(3, 3, [level('bid', 4_100, 0), level('bid', 4_000, 7)])]);
  t.equal(bookOf(views, YES_TOKEN).bidTicks, 4_000);
  t.equal(bookOf(views, NO_TOKEN).askTicks, 6_000);
  t.equal(levelsOf(shown(views, YES_TOKEN)), '0.05@0.39 0.07@0.4 | ');
});

t.test("a durable batch makes one version of a market's book", async (t) => {
  const views = opened();
  const other = createMarket({ conditionId: `0x${'cd'.repeat(32)}`, tokenIds: ['1', '2'] });
  views.consume([marketCreated(other, 2)]);
  const { book } = bookOf(views, YES_TOKEN);
  const before = book.version;
  views.consume([
    happened(3, 3, [level('bid', 4_000, 5), level('bid', 4_000, 6)]),
    happened(4, 4, [level('ask', 4_500, 5)]),
  ]);
  t.equal(book.version, before + 1, 'a batch of three changes is one version');
  t.equal(bookOf(views, '1').book.version, 0, 'and none of another market');
  views.consume([happened(5, 5, [level('bid', 4_000, 0)])]);
  t.equal(book.version, before + 2);
  views.consume([happened(6, 6, [])]);
  t.equal(book.version, before + 2, 'a batch without a change of the book is none');
});

t.test('the bytes are made once for each version', async (t) => {
  const views = opened();
  const yes = bookOf(views, YES_TOKEN);
  const first = yes.bytes;
  t.equal(yes.bytes, first, 'the same bytes, not just equal ones');
  views.consume([happened(2, 2, [level('bid', 4_000, 5)])]);
  t.not(yes.bytes, first);
  t.equal(levelsOf(JSON.parse(first.toString())), ' | ', 'earlier bytes do not change');
});

t.test('the timestamp is the time of the last change of this book alone', async (t) => {
  const views = opened();
  const other = createMarket({ conditionId: `0x${'cd'.repeat(32)}`, tokenIds: ['1', '2'] });
  views.consume([marketCreated(other, 2)]);
  views.consume([happened(3, CREATED_MS + 9, [level('bid', 4_000, 5)])]);
  t.equal(shown(views, YES_TOKEN).timestamp, `${CREATED_MS + 9}`);
  t.equal(shown(views, NO_TOKEN).timestamp, `${CREATED_MS + 9}`);
  t.equal(shown(views, '1').timestamp, `${CREATED_MS}`);
});

const trades: readonly (readonly [string, Partial<Fill>, string, string])[] = [
  ['BUY YES at 0.55', { takerPriceTicks: ticks(5_500) }, '0.55', '0.45'],
  ['BUY NO at 0.45', { takerOutcome: 1, takerPriceTicks: ticks(4_500) }, '0.55', '0.45'],
  [
    'SELL NO at 0.3',
    { takerOutcome: 1, takerSide: 'SELL', takerPriceTicks: ticks(3_000) },
    '0.7',
    '0.3',
  ],
];
t.test('the last trade is shown to each token at its own price', async (t) => {
  for (const [name, changes, yes, no] of trades) {
    const views = opened();
    views.consume([happened(2, 2, [fill({ takerPriceTicks: ticks(9_000) }), fill(changes)])]);
    t.equal(shown(views, YES_TOKEN).last_trade_price, yes, `${name}, YES`);
    t.equal(shown(views, NO_TOKEN).last_trade_price, no, `${name}, NO`);
    t.match(bookOf(views, NO_TOKEN).book.lastTrade, {
      timeMs: 2,
      takerOutcome: changes.takerOutcome ?? 0,
      takerSide: changes.takerSide ?? 'BUY',
    });
  }
});

/** Bid, ask and last trade in ticks of YES, 0 for none; the midpoint and value of YES. */
const midpoints: readonly (readonly [
  string,
  ...ticks: [number, number, number, number, number],
])[] = [
  ['nothing at all', 0, 0, 0, 10_000, 10_000],
  ['a last trade alone', 0, 0, 3_000, 10_000, 6_000],
  ['a bid alone', 4_000, 0, 3_000, 14_000, 6_000],
  ['an ask alone', 0, 7_000, 3_000, 7_000, 6_000],
  ['an ask alone without a trade', 0, 10, 0, 10, 10_000],
  ['both sides', 4_000, 4_100, 3_000, 8_100, 8_100],
];
t.test('a missing bid is 0 and a missing ask 1; a one-sided book has its last value', async (t) => {
  for (const [name, bid, ask, last, midpoint, value] of midpoints) {
    const views = opened();
    if (bid > 0) views.consume([happened(2, 2, [level('bid', bid, 1)])]);
    if (ask > 0) views.consume([happened(2, 2, [level('ask', ask, 1)])]);
    if (last > 0) views.consume([happened(2, 2, [fill({ takerPriceTicks: ticks(last) })])]);
    t.match(bookOf(views, YES_TOKEN), { midpoint, value }, `${name}, YES`);
    const mirrored = { midpoint: 20_000 - midpoint, value: 20_000 - value };
    t.match(bookOf(views, NO_TOKEN), mirrored, `${name}, NO`);
  }
});

t.test("a book shows its market's minimum size, tick and kind", async (t) => {
  const views = new BookViews();
  const command = createMarket({ tickTicks: ticks(1), negRisk: true });
  views.consume([marketCreated(command)]);
  t.match(shown(views, NO_TOKEN), { tick_size: '0.0001', neg_risk: true, min_order_size: '5' });
});

t.test('a change of an unknown market fails an assertion', async (t) => {
  t.throws(() => new BookViews().consume([happened(1, 1, [level('bid', 1, 1)])]));
});

// A naive reference: keeps every event, and makes each book from scratch with objects and JSON.

const change = fc.record({
  side: fc.constantFrom('bid' as const, 'ask' as const),
  price: fc.integer({ min: 1, max: 9_999 }).map((price) => (price % 12) * 800 + 100),
  size: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1e12 })),
});
const trade = fc.record({
  outcome: fc.constantFrom(0 as const, 1 as const),
  price: fc.integer({ min: 1, max: 9_999 }),
});
const batch = fc.record({
  changes: fc.array(change, { maxLength: 8 }),
  trades: fc.array(trade, { maxLength: 2 }),
});
type Batch = typeof batch extends fc.Arbitrary<infer T> ? T : never;

function naiveBook(batches: readonly Batch[], token: 0 | 1): Omit<ShownBook, 'hash'> {
  const sides = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  let changedMs = CREATED_MS;
  let last: number | undefined;
  batches.forEach(({ changes, trades }, index) => {
    if (changes.length + trades.length > 0) changedMs = CREATED_MS + index;
    for (const { side, price, size } of changes) sides[side].set(price, size);
    for (const { outcome, price } of trades) last = outcome === 0 ? price : 10_000 - price;
  });
  const own = (price: number): number => (token === 0 ? price : 10_000 - price);
  const list = (side: 'bid' | 'ask') =>
    [...sides[side]]
      .filter(([, size]) => size > 0)
      .map(([price, size]) => ({ price: own(price), size: size / 100 }));
  const print = ({ price, size }: { price: number; size: number }) => ({
    price: `${price / 10_000}`,
    size: `${size}`,
  });
  const [bids, asks] = token === 0 ? [list('bid'), list('ask')] : [list('ask'), list('bid')];
  return {
    market: CONDITION,
    asset_id: token === 0 ? YES_TOKEN : NO_TOKEN,
    timestamp: `${changedMs}`,
    bids: bids.sort((a, b) => a.price - b.price).map(print),
    asks: asks.sort((a, b) => b.price - a.price).map(print),
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price: last === undefined ? '' : `${own(last) / 10_000}`,
  };
}

t.test('views fed by random changes equal a rebuild from scratch', async (t) => {
  const history = fc.array(fc.tuple(batch, fc.boolean()), { maxLength: 25 });
  const property = fc.property(history, (steps) => {
    const views = opened();
    const batches: Batch[] = [];
    steps.forEach(([step, isRead], index) => {
      batches.push(step);
      const levels = step.changes.map(({ side, price, size }) => level(side, price, size));
      const fills = step.trades.map(({ outcome, price }) =>
        fill({ takerOutcome: outcome, takerPriceTicks: ticks(price) }),
      );
      views.consume([happened(index + 2, CREATED_MS + index, [...fills, ...levels])]);
      // Only some steps are read, so that others find caches of older versions.
      if (!isRead && index < steps.length - 1) return;
      for (const token of [0, 1] as const) compare(views, batches, token);
    });
  });
  fc.assert(property, { numRuns: times(100, 2_000) });
  t.pass('no counterexample');
});

function compare(views: BookViews, batches: readonly Batch[], token: 0 | 1): void {
  const book = bookOf(views, token === 0 ? YES_TOKEN : NO_TOKEN);
  const text = book.bytes.toString();
  const { hash, ...fields } = JSON.parse(text);
  const expected = naiveBook(batches, token);
  if (JSON.stringify(fields) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(fields)}\nbut rebuilt it is\n${JSON.stringify(expected)}`);
  }
  const blank = text.replace(`"hash":"${hash}"`, '"hash":""');
  const sha1 = createHash('sha1').update(blank).digest('hex');
  if (hash !== sha1 || book.hash !== sha1) throw new Error('the hash is of another text');
  const best = (levels: readonly { price: string }[], none: number): number =>
    Math.round(Number(levels.at(-1)?.price ?? none) * 10_000);
  if (book.bidTicks !== best(expected.bids, 0)) throw new Error('another best bid');
  if (book.askTicks !== best(expected.asks, 1)) throw new Error('another best ask');
}

function changed(changes: Partial<MarketChanged>): MarketChanged {
  return {
    kind: 'market_changed',
    conditionId: CONDITION,
    tickTicks: ticks(100),
    minimumLots: lots(500),
    minimumBudgetMicros: micros(1_000_000),
    selfTrade: 'cancel_maker',
    takerFeeBps: 0,
    makerFeeBps: 0,
    feeExponent: 0,
    delaySeconds: 0,
    takerDelayMs: 0,
    finerTickTicks: 0,
    ...changes,
  };
}

t.test('changed terms make a new version of the book for both tokens', async (t) => {
  const views = opened();
  views.consume([happened(2, 2, [level('bid', 4_010, 5)])]);
  const before = [YES_TOKEN, NO_TOKEN].map((tokenId) => shown(views, tokenId));
  views.consume([happened(3, 3, [changed({ tickTicks: ticks(1_000), minimumLots: lots(1_550) })])]);
  t.equal(bookOf(views, YES_TOKEN).book.version, 2);
  for (const [index, tokenId] of [YES_TOKEN, NO_TOKEN].entries()) {
    const after = shown(views, tokenId);
    t.match(after, { tick_size: '0.1', min_order_size: '15.5', timestamp: '3' });
    t.not(after.hash, before[index]?.hash);
    t.equal(levelsOf(after), index === 0 ? '0.05@0.401 | ' : ' | 0.05@0.599', 'off the new grid');
  }
});

t.test('terms that books do not show make no new version', async (t) => {
  const views = opened();
  const text = textOf(views, YES_TOKEN);
  const hidden = { minimumBudgetMicros: micros(1), selfTrade: 'cancel_both' } as const;
  views.consume([happened(2, 2, [changed(hidden)])]);
  t.equal(textOf(views, YES_TOKEN), text);
  t.match(bookOf(views, YES_TOKEN).book, { version: 0, market: hidden });
});
