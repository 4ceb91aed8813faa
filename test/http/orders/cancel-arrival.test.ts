import { Chain, OrderType, Side } from '@polymarket/clob-client-v2';
import t from 'tap';
import { newTrader } from '../../published-client.ts';
import { shareTestExchange } from '../exchange-fixture.ts';

const ROUNDS = 10;
const PER_BATCH = 15;

/** The exchange uses this machine's clock, like the published client; arrival.test.ts shares it. */
const share = await shareTestExchange(t, { verifierThreads: 2, now: Date.now });

t.test('a cancel of many never overtakes an order, over HTTP', async (t) => {
  const { running, trader, plain } = share();
  const { intake } = running.services;
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const { conditionId: market } = plain;
  const arrived = t.capture(intake, 'place', intake.place);
  for (let round = 0; round < ROUNDS; round++) {
    const orders = Array.from({ length: PER_BATCH }, () =>
      alice.order({ tokenId, priceTicks: 3000, lots: 500 }),
    );
    const ids = orders.map((order) => alice.idOf(order));
    const placed = alice.signed('POST', '/orders', orders);
    while (arrived().length === 0) await new Promise((resolve) => setImmediate(resolve));
    // The orders are queued, and most of their signatures are still to be checked.
    const rows: readonly [path: string, body: unknown][] = [
      ['/orders', ids],
      ['/cancel-market-orders', { market, asset_id: tokenId }],
      ['/cancel-all', undefined],
    ];
    const [path, body] = rows[round % rows.length]!;
    const canceled = await alice.signed('DELETE', path, body);
    t.strictSame(canceled.body, { canceled: ids, not_canceled: {} }, path);
    t.equal((await placed).body.length, PER_BATCH);
  }
});

t.test('a cancel of many never overtakes orders that arrive with it', async (t) => {
  const { running, trader, plain } = share();
  const { intake } = running.services;
  const alice = await trader(1);
  const [tokenId] = plain.tokenIds;
  const filters = [
    { conditionId: '', tokenId: '' },
    { conditionId: plain.conditionId, tokenId: '' },
    { conditionId: '', tokenId },
  ];
  for (const filter of [...filters, ...filters]) {
    const early = alice.order({ tokenId });
    const late = alice.order({ tokenId });
    const placed = intake.place(alice.caller, [early]);
    const canceled = intake.cancelAll(alice.caller, filter);
    const after = intake.place(alice.caller, [late]);
    t.match(await placed, [{ success: true }]);
    t.match(await canceled, { canceled: [alice.idOf(early)] });
    t.match(await after, [{ success: true }]);
    t.match(await intake.cancelAll(alice.caller, filter), { canceled: [alice.idOf(late)] });
  }
});

t.test('the published client cancels several, in a market, of a token, and all', async (t) => {
  const { running, plain } = share();
  const { client } = await newTrader('Alice', running.url, Chain.POLYGON);
  const [yes, no] = plain.tokenIds;
  const place = async (tokenID: string): Promise<string> => {
    const order = { tokenID, side: Side.BUY, price: 0.3, size: 10 };
    const { orderID } = await client.createAndPostOrder(order, {}, OrderType.GTC);
    return orderID;
  };
  const ids = [await place(yes), await place(yes), await place(no), await place(yes)];
  const [first, second, third, fourth] = ids;
  const unknown = `0x${'33'.repeat(32)}`;
  const several = await client.cancelOrders([second!, unknown]);
  t.strictSame(several.canceled, [second]);
  t.strictSame(Object.keys(several.not_canceled), [unknown]);
  const ofToken = await client.cancelMarketOrders({ asset_id: no });
  t.strictSame(ofToken, { canceled: [third], not_canceled: {} });
  const inMarket = await client.cancelMarketOrders({ market: plain.conditionId });
  t.strictSame(inMarket, { canceled: [first, fourth], not_canceled: {} });
  const last = await place(no);
  t.strictSame(await client.cancelAll(), { canceled: [last], not_canceled: {} });
  t.strictSame(await client.getOpenOrders(), []);
  t.match(await client.cancelMarketOrders({}), { error: 'Invalid payload' });
});
