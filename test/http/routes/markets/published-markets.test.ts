// The published client, unchanged, reads the markets of an exchange on which it traded.
import { Chain, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import t from 'tap';
import { newTrader } from '../../../published-client.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

/** The exchange uses this machine's clock, like the published client. */
const share = await shareTestExchange(t, { now: Date.now });

t.test('the published client walks every list of markets to its end', async (t) => {
  const { running } = share();
  for (const host of [running.url, `${running.url}/clob`]) {
    const client = new ClobClient({ host, chain: Chain.POLYGON });
    const lists = [
      (cursor?: string) => client.getMarkets(cursor),
      (cursor?: string) => client.getSamplingMarkets(cursor),
      (cursor?: string) => client.getSimplifiedMarkets(cursor),
      (cursor?: string) => client.getSamplingSimplifiedMarkets(cursor),
    ];
    for (const read of lists) {
      const page = await read();
      t.match(page, { next_cursor: 'LTE=', limit: 500, count: 50 });
      t.equal(page.data.length, 50);
      t.same(await read('MA=='), page);
      t.same((await read('NDg=')).data, page.data.slice(48));
      t.match(await read('LTE='), { status: 400, code: 'invalid_cursor' });
    }
  }
});

t.test('the published client reads one market and trades with its terms', async (t) => {
  const { running, plain } = share();
  const { client } = await newTrader('Alice', running.url, Chain.POLYGON);
  const market = await client.getMarket(plain.conditionId);
  t.match(market, {
    condition_id: plain.conditionId,
    accepting_orders: true,
    minimum_tick_size: 0.01,
    minimum_order_size: 5,
    neg_risk: false,
    tokens: [
      { token_id: plain.tokenIds[0], price: 0.5 },
      { token_id: plain.tokenIds[1], price: 0.5 },
    ],
    conditionId: plain.conditionId,
  });
  const [{ token_id: tokenID }] = market.tokens;
  const size = market.minimum_order_size;
  const order = { tokenID, side: Side.BUY, size, price: 30 * market.minimum_tick_size };
  t.match(await client.createAndPostOrder(order, {}, OrderType.GTC), { status: 'live' });
  const after = await client.getMarket(plain.conditionId);
  t.match(after, { bestBid: 0.3, tokens: [{ price: 0.5 }, { price: 0.5 }] });
  const unknown = await client.getMarket(`0x${'0'.repeat(64)}`);
  t.match(unknown, { error: 'market not found', status: 404 });
  t.match(await client.getClobMarketInfo(plain.conditionId), { mts: 0.01, mos: 5, ao: true });
});
