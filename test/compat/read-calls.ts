/** Calls of the published client that read markets, books and prices, without a key. */
import { OrderType, PriceHistoryInterval, Side } from '@polymarket/clob-client-v2';
import type { Call } from './stage.ts';

const HEX_32 = /^0x[0-9a-f]{64}$/;
function both(yes: string, no: string) {
  return [yes, no].map((token_id) => ({ token_id, side: Side.BUY }));
}

const health: readonly Call[] = [
  {
    method: 'getOk',
    routes: ['GET /ok'],
    run: async (t, { clientOf, alice }) => t.equal(await clientOf(alice).getOk(), 'OK'),
  },
  {
    method: 'getVersion',
    routes: ['GET /version'],
    run: async (t, { clientOf, alice }) => t.equal(await clientOf(alice).getVersion(), 2),
  },
  {
    method: 'getServerTime',
    routes: ['GET /time'],
    run: async (t, { clientOf, alice }) => {
      const seconds = await clientOf(alice).getServerTime();
      t.ok(Number.isInteger(seconds) && Math.abs(seconds - Date.now() / 1000) < 60);
    },
  },
];

const markets: readonly Call[] = [
  {
    method: 'getMarkets',
    routes: ['GET /markets'],
    run: async (t, { clientOf, alice, conditionId, yes }) => {
      const page = await clientOf(alice).getMarkets();
      t.match(page, { next_cursor: 'LTE=', count: page.data.length });
      const market = page.data.find(({ condition_id }) => condition_id === conditionId);
      t.match(market, {
        minimum_tick_size: 0.01,
        minimum_order_size: 5,
        neg_risk: false,
        rewards: { min_size: 0 },
        tokens: [{ token_id: yes, outcome: 'Yes', price: 0.5, winner: false }, {}],
      });
    },
  },
  {
    method: 'getSimplifiedMarkets',
    routes: ['GET /simplified-markets'],
    run: async (t, { clientOf, alice, conditionId }) => {
      const { data, next_cursor } = await clientOf(alice).getSimplifiedMarkets();
      t.equal(next_cursor, 'LTE=');
      const market = data.find(({ condition_id }) => condition_id === conditionId);
      t.match(market, { accepting_orders: true, tokens: [{ price: 0.5 }, { price: 0.5 }] });
    },
  },
  {
    method: 'getSamplingMarkets',
    routes: ['GET /sampling-markets'],
    run: async (t, { clientOf, alice, conditionId }) => {
      const { data, next_cursor } = await clientOf(alice).getSamplingMarkets();
      t.equal(next_cursor, 'LTE=');
      const market = data.find(({ condition_id }) => condition_id === conditionId);
      t.match(market, { enable_order_book: true, rewards: { min_size: 0, max_spread: 0 } });
    },
  },
  {
    method: 'getSamplingSimplifiedMarkets',
    routes: ['GET /sampling-simplified-markets'],
    run: async (t, { clientOf, alice, conditionId }) => {
      const { data, next_cursor } = await clientOf(alice).getSamplingSimplifiedMarkets();
      t.equal(next_cursor, 'LTE=');
      t.ok(data.some(({ condition_id }) => condition_id === conditionId));
    },
  },
  {
    method: 'getMarket',
    routes: ['GET /markets/{id}'],
    run: async (t, { clientOf, alice, conditionId, yes, no }) => {
      t.match(await clientOf(alice).getMarket(conditionId), {
        condition_id: conditionId,
        minimum_tick_size: 0.01,
        tokens: [{ token_id: yes }, { token_id: no }],
      });
      const unknown = await clientOf(alice).getMarket(`0x${'0'.repeat(64)}`);
      t.match(unknown, { error: 'market not found', status: 404 });
    },
  },
  {
    method: 'getClobMarketInfo',
    routes: ['GET /clob-markets/{condition_id}'],
    run: async (t, { clientOf, alice, conditionId, yes, no }) => {
      const client = clientOf(alice);
      const info = await client.getClobMarketInfo(conditionId);
      t.match(info, {
        c: conditionId,
        t: [
          { t: yes, o: 'Yes' },
          { t: no, o: 'No' },
        ],
        mts: 0.01,
      });
      t.equal(client.tickSizes[yes], '0.01', 'the client stored it');
      t.strictSame(client.feeInfos[no], { rate: 0, exponent: 0 });
    },
  },
  {
    method: 'getTickSize',
    routes: ['GET /tick-size'],
    run: async (t, { clientOf, alice, yes }) =>
      t.equal(await clientOf(alice).getTickSize(yes), '0.01'),
  },
  {
    method: 'getNegRisk',
    routes: ['GET /neg-risk'],
    run: async (t, { clientOf, alice, exchange, yes }) => {
      t.equal(await clientOf(alice).getNegRisk(yes), false);
      t.equal(await clientOf(alice).getNegRisk(exchange.negRisk.tokenIds[0]), true);
    },
  },
  {
    method: 'getFeeRateBps',
    routes: ['GET /fee-rate'],
    run: async (t, { clientOf, alice, yes }) =>
      t.equal(await clientOf(alice).getFeeRateBps(yes), 0),
  },
  {
    method: 'getFeeExponent',
    routes: ['GET /markets-by-token/{token_id}', 'GET /clob-markets/{condition_id}'],
    run: async (t, { clientOf, alice, no }) => t.equal(await clientOf(alice).getFeeExponent(no), 0),
  },
];

const books: readonly Call[] = [
  {
    method: 'getOrderBook',
    routes: ['GET /book'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const client = clientOf(alice);
      const book = await client.getOrderBook(yes);
      t.match(book, {
        asset_id: yes,
        bids: [{ price: '0.45', size: '50' }],
        asks: [{ price: '0.55', size: '50' }],
        last_trade_price: '0.55',
      });
      const { hash } = book;
      t.equal(await client.getOrderBookHash(structuredClone(book)), hash, 'as the client does');
      const mirror = await client.getOrderBook(no);
      t.match(mirror, { bids: book.bids, asks: book.asks, last_trade_price: '0.45' });
    },
  },
  {
    method: 'getOrderBooks',
    routes: ['POST /books'],
    besides: ['GET /book'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const client = clientOf(alice);
      const books = await client.getOrderBooks(both(yes, no));
      t.strictSame(books, [await client.getOrderBook(yes), await client.getOrderBook(no)]);
    },
  },
  {
    method: 'getMidpoint',
    routes: ['GET /midpoint'],
    run: async (t, { clientOf, alice, yes }) =>
      t.strictSame(await clientOf(alice).getMidpoint(yes), { mid: '0.5' }),
  },
  {
    method: 'getMidpoints',
    routes: ['POST /midpoints'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const midpoints = await clientOf(alice).getMidpoints(both(yes, no));
      t.strictSame(midpoints, { [yes]: '0.5', [no]: '0.5' });
    },
  },
  {
    method: 'getPrice',
    routes: ['GET /price'],
    run: async (t, { clientOf, alice, yes }) => {
      t.strictSame(await clientOf(alice).getPrice(yes, 'BUY'), { price: '0.45' });
      t.strictSame(await clientOf(alice).getPrice(yes, 'SELL'), { price: '0.55' });
    },
  },
  {
    method: 'getPrices',
    routes: ['POST /prices'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const prices = await clientOf(alice).getPrices(both(yes, no));
      t.strictSame(prices, { [yes]: { BUY: '0.45' }, [no]: { BUY: '0.45' } });
    },
  },
  {
    method: 'getSpread',
    routes: ['GET /spread'],
    run: async (t, { clientOf, alice, yes }) =>
      t.strictSame(await clientOf(alice).getSpread(yes), { spread: '0.1' }),
  },
  {
    method: 'getSpreads',
    routes: ['POST /spreads'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const spreads = await clientOf(alice).getSpreads(both(yes, no));
      t.strictSame(spreads, { [yes]: '0.1', [no]: '0.1' });
    },
  },
  {
    method: 'getLastTradePrice',
    routes: ['GET /last-trade-price'],
    run: async (t, { clientOf, alice, yes }) => {
      const last = await clientOf(alice).getLastTradePrice(yes);
      t.strictSame(last, { price: '0.55', side: 'BUY' });
    },
  },
  {
    method: 'getLastTradesPrices',
    routes: ['POST /last-trades-prices'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const last = await clientOf(alice).getLastTradesPrices(both(yes, no));
      t.strictSame(last, [
        { token_id: yes, price: '0.55', side: 'BUY' },
        { token_id: no, price: '0.45', side: 'SELL' },
      ]);
    },
  },
  {
    method: 'calculateMarketPrice',
    routes: ['GET /book'],
    run: async (t, { clientOf, alice, yes }) => {
      const client = clientOf(alice);
      t.equal(await client.calculateMarketPrice(yes, Side.BUY, 5, OrderType.FOK), 0.55);
      t.equal(await client.calculateMarketPrice(yes, Side.SELL, 5, OrderType.FOK), 0.45);
      await t.rejects(client.calculateMarketPrice(yes, Side.BUY, 9_999, OrderType.FOK));
    },
  },
];

const history: readonly Call[] = [
  {
    method: 'getPricesHistory',
    routes: ['GET /prices-history'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const client = clientOf(alice);
      const interval = PriceHistoryInterval.ONE_DAY;
      t.match(await client.getPricesHistory({ market: yes, interval }), { history: Array });
      const endTs = Math.floor(Date.now() / 1000) + 60;
      const given = await client.getPricesHistory({ market: no, startTs: endTs - 3600, endTs });
      // Safe: the client's type leaves out the object around the points.
      const { history } = given as unknown as { history: { t: number; p: number }[] };
      t.ok(history.length > 0, 'the book had a midpoint');
      t.equal(history.at(-1)?.p, 0.5);
    },
  },
  {
    method: 'getMarketTradesEvents',
    routes: ['GET /markets/live-activity/{condition_id}'],
    run: async (t, { clientOf, alice, conditionId }) => {
      const events = await clientOf(alice).getMarketTradesEvents(conditionId);
      t.match(events[0], {
        event_type: 'trade',
        market: { condition_id: conditionId },
        side: 'BUY',
        price: '0.55',
        size: '10',
        transaction_hash: HEX_32,
      });
    },
  },
];

const rewards: readonly Call[] = [
  {
    method: 'getCurrentRewards',
    routes: ['GET /rewards/markets/current'],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).getCurrentRewards(), []),
  },
  {
    method: 'getRawRewardsForMarket',
    routes: ['GET /rewards/markets/{condition_id}'],
    run: async (t, { clientOf, alice, conditionId }) =>
      t.strictSame(await clientOf(alice).getRawRewardsForMarket(conditionId), []),
  },
];

export const READ_CALLS: readonly Call[] = [
  ...health,
  ...markets,
  ...books,
  ...history,
  ...rewards,
];
