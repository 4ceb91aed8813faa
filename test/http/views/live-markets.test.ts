// The live fields of a market of the catalog, with views that the test feeds: they always show what
// books and registry say now.
import t from 'tap';
import { ticks } from '../../../engine/index.ts';
import { BookViews } from '../../../http/views/books.ts';
import { LiveMarkets } from '../../../http/views/live-markets.ts';
import { Registry } from '../../../http/views/registry.ts';
import type { DurableCommand, MarketSlot } from '../../../persistence/index.ts';
import {
  CONDITION,
  CREATED_MS,
  createMarket,
  fill,
  happened,
  level,
  marketCreated,
} from '../durable-commands.ts';

const place: MarketSlot = { conditionId: CONDITION, closed: false, acceptingOrders: true };

function world() {
  const [books, registry] = [new BookViews(), new Registry()];
  const live = new LiveMarkets({ books, registry });
  return {
    consume: (...commands: DurableCommand[]) => {
      registry.consume(commands);
      books.consume(commands);
    },
    /** The market as a client reads it after other members. */
    read: (changes: Partial<MarketSlot> = {}): unknown =>
      JSON.parse(`{"id":"1"${live.text({ ...place, ...changes })}}`),
  };
}

const base = { id: '1', closed: false, acceptingOrders: true, umaResolutionStatuses: '[]' };
const fees = { exponent: 0, rate: 0, takerOnly: true, rebateRate: 0 };
const steps = {
  orderPriceMinTickSize: 0.01,
  orderMinSize: 5,
  feesEnabled: false,
  makerBaseFee: 0,
  takerBaseFee: 0,
  feeSchedule: fees,
};

t.test('a market that is not traded here has no live fields', async (t) => {
  const live = new LiveMarkets({ books: new BookViews(), registry: new Registry() });
  t.equal(live.text(place), undefined);
});

t.test('live fields of a traded market come from its book alone', async (t) => {
  const { consume, read } = world();
  consume(marketCreated());
  const empty = { ...base, ...steps, outcomePrices: '["0.5", "0.5"]' };
  t.same(read(), empty);
  consume(happened(2, CREATED_MS + 1, [level('bid', 4_000, 700)]));
  t.same(read(), { ...empty, bestBid: 0.4 });
  consume(happened(3, CREATED_MS + 2, [level('ask', 4_300, 700)]));
  const both = { bestBid: 0.4, bestAsk: 0.43, spread: 0.03, outcomePrices: '["0.415", "0.585"]' };
  t.same(read(), { ...empty, ...both });
  consume(happened(4, CREATED_MS + 3, [fill({ makerPriceTicks: ticks(4_300) })]));
  t.match(read(), { ...both, lastTradePrice: Number });
  t.same(read(), read(), 'a second read is the same');
});

t.test('a change by the operator shows at once', async (t) => {
  const { consume, read } = world();
  consume(marketCreated(), happened(2, CREATED_MS, [level('bid', 4_000, 700)]));
  t.match(read(), { closed: false, acceptingOrders: true });
  const state = (conditionId: string, to: 'open' | 'cancel_only') =>
    ({ kind: 'trading_state_changed', conditionId, state: to }) as const;
  consume(happened(3, CREATED_MS, [state(CONDITION, 'cancel_only')]));
  t.match(read(), { closed: false, acceptingOrders: false }, 'paused');
  consume(happened(4, CREATED_MS, [state(CONDITION, 'open')]));
  t.match(read(), { acceptingOrders: true });
  consume(happened(5, CREATED_MS, [state('', 'cancel_only')]));
  t.match(read(), { acceptingOrders: false }, 'the whole exchange is paused');
  consume(happened(6, CREATED_MS, [state('', 'open')]));
  t.match(read({ acceptingOrders: false }), { acceptingOrders: false }, 'as its record says');
  consume(happened(7, CREATED_MS, [{ kind: 'market_closed', conditionId: CONDITION }]));
  t.match(read(), { closed: true, acceptingOrders: false });
});

for (const [payoutTicks, prices] of [
  [10_000, '["1", "0"]'],
  [0, '["0", "1"]'],
  [2_500, '["0.25", "0.75"]'],
] as const) {
  t.test(`a market that pays ${payoutTicks} ticks shows that price`, async (t) => {
    const { consume, read } = world();
    consume(marketCreated(createMarket()), happened(2, CREATED_MS, [level('bid', 4_000, 700)]));
    t.match(read(), { outcomePrices: '["0.5", "0.5"]' });
    const resolved = {
      kind: 'market_resolved',
      conditionId: CONDITION,
      payoutTicks: ticks(payoutTicks),
    } as const;
    consume(happened(3, CREATED_MS, [resolved]));
    t.match(read(), { closed: true, acceptingOrders: false, outcomePrices: prices });
    t.match(read(), { umaResolutionStatus: 'resolved', umaResolutionStatuses: '["resolved"]' });
  });
}
