// The messages of the market channel, field for field, from a real server with real orders.
import { pino } from 'pino';
import t from 'tap';
import { createCatalogMarkets } from '../../../../catalog/routes/market-commands.ts';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { EARLIER } from '../../../default-settings.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { type Message, StreamClient } from '../stream-client.ts';

/** The `book` message of a token, made from the answer of GET /book. */
async function bookMessage({ send }: TestExchange, tokenId: string, sequence: number) {
  const { text } = await send('GET', `/book?token_id=${tokenId}`);
  return { event_type: 'book', ...JSON.parse(text), sequence };
}

/** Checks and removes the fields that differ in each run. */
function unstamped(exchange: TestExchange, messages: readonly Message[]): unknown[] {
  return messages.map(({ stream_id, server_ts_ms, ...rest }) => {
    if (stream_id !== exchange.running.services.exchange.streamId) throw new Error('stream_id');
    if (server_ts_ms !== exchange.clock.ms) throw new Error('server_ts_ms');
    return rest;
  });
}

/** A subscribed client that has received its first books. */
async function subscribed(
  exchange: TestExchange,
  { tokenIds }: MarketEntry,
  wishes: object = {},
): Promise<StreamClient> {
  const client = await StreamClient.open(exchange.running.url);
  client.send({ type: 'market', assets_ids: tokenIds, initial_dump: false, ...wishes });
  await client.settled();
  return client;
}

// Its answers have the hashes of trades.
const share = await shareTestExchange(t, { profile: EARLIER });
/** The clock for periodic messages, which the tests set. */
const monotonic = { ms: 0 };
const shareTimed = await shareTestExchange(t, { monotonicMs: () => monotonic.ms });

t.test('a subscriber gets the book of each token, equal to that of REST', async (t) => {
  const exchange = share();
  const { plain, trader, running } = exchange;
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  await alice.place({ tokenId: yes, priceTicks: 4000 });
  await alice.place({ tokenId: no, priceTicks: 3000, lots: 1250 });
  const client = await StreamClient.open(running.url);
  client.send({ type: 'MARKET', assets_ids: [yes, no, 'nobody'], markets: [], level: 2 });
  const messages = await client.take(2);
  t.strictSame(unstamped(exchange, messages), [
    await bookMessage(exchange, yes, 2),
    await bookMessage(exchange, no, 2),
  ]);
  t.match(messages[0], { bids: [{ price: '0.4', size: '10' }], asks: [{ price: '0.7' }] });
  await client.settled();
  t.strictSame(client.messages, [], 'unknown tokens are ignored');
});

t.test('an order changes a level of both tokens', async (t) => {
  const exchange = share();
  const { plain, trader, clock } = exchange;
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  const client = await subscribed(exchange, plain);
  clock.ms += 1_000;
  const { body } = await alice.place({ tokenId: no, priceTicks: 3000, lots: 1250 });
  await client.settled();
  const [yesBook, noBook] = [
    await bookMessage(exchange, yes, 1),
    await bookMessage(exchange, no, 1),
  ];
  t.strictSame(unstamped(exchange, await client.take(3)), [
    {
      event_type: 'price_change',
      market: plain.conditionId,
      timestamp: `${clock.ms}`,
      price_changes: [
        {
          asset_id: yes,
          price: '0.7',
          size: '12.5',
          side: 'SELL',
          hash: yesBook.hash,
          best_bid: '0',
          best_ask: '0.7',
        },
        {
          asset_id: no,
          price: '0.3',
          size: '12.5',
          side: 'BUY',
          hash: noBook.hash,
          best_bid: '0.3',
          best_ask: '1',
        },
      ],
      sequence: 1,
    },
    yesBook,
    noBook,
  ]);
  await alice.cancel(body.orderID);
  await client.settled();
  const [change] = await client.take(1);
  t.match(change, { price_changes: [{ size: '0', best_ask: '1' }, { size: '0' }], sequence: 2 });
});

t.test("a trade is published for both tokens, the taker's and the other one", async (t) => {
  const exchange = share();
  const { plain, trader } = exchange;
  const [yes, no] = plain.tokenIds;
  const [alice, bob] = [await trader(1), await trader(2)];
  await alice.place({ tokenId: yes, priceTicks: 4000 });
  const client = await subscribed(exchange, plain);
  const { body } = await bob.place({ tokenId: no, priceTicks: 6500, lots: 700 });
  await client.settled();
  const trade = {
    event_type: 'last_trade_price',
    market: plain.conditionId,
    size: '7',
    fee_rate_bps: '0',
    timestamp: `${exchange.clock.ms}`,
    transaction_hash: body.transactionsHashes[0],
    taker_asset_id: no,
    sequence: 2,
  };
  t.strictSame(unstamped(exchange, client.messages.slice(0, 2)), [
    { ...trade, asset_id: yes, price: '0.4', side: 'SELL' },
    { ...trade, asset_id: no, price: '0.6', side: 'BUY' },
  ]);
  t.match(client.messages.slice(2), [
    { event_type: 'price_change', sequence: 3 },
    { event_type: 'book', asset_id: yes, last_trade_price: '0.4', sequence: 3 },
    { event_type: 'book', asset_id: no, last_trade_price: '0.6', sequence: 3 },
  ]);
});

t.test('best prices come with custom features, when they change', async (t) => {
  const exchange = share();
  const { plain, trader } = exchange;
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  const client = await subscribed(exchange, plain, { custom_feature_enabled: true });
  const simple = await subscribed(exchange, plain);
  await alice.place({ tokenId: yes, priceTicks: 7300 });
  await alice.place({ tokenId: yes, priceTicks: 7200 });
  await client.settled();
  const best = client.messages.filter((message) => message.event_type === 'best_bid_ask');
  const shared = { event_type: 'best_bid_ask', market: plain.conditionId, sequence: 1 };
  const timestamp = `${exchange.clock.ms}`;
  t.strictSame(unstamped(exchange, best), [
    { ...shared, asset_id: yes, best_bid: '0.73', best_ask: '1', spread: '0.27', timestamp },
    { ...shared, asset_id: no, best_bid: '0', best_ask: '0.27', spread: '0.27', timestamp },
  ]);
  await simple.settled();
  t.notOk(simple.messages.some((message) => message.event_type === 'best_bid_ask'));
  client.send({ operation: 'subscribe', custom_feature_enabled: false });
  await client.settled();
  client.messages.length = 0;
  await alice.place({ tokenId: yes, priceTicks: 7400 });
  await client.settled();
  t.notOk(client.messages.some((message) => message.event_type === 'best_bid_ask'));
});

t.test('a new tick is published for both tokens, and a new book follows', async (t) => {
  const exchange = share();
  const { plain, operator } = exchange;
  const [yes, no] = plain.tokenIds;
  const client = await subscribed(exchange, plain);
  const path = `/markets/${plain.conditionId}/terms`;
  const { status, text } = await operator('POST', path, { tick_size: '0.1' });
  t.equal(status, 200, text);
  await client.settled();
  const change = {
    event_type: 'tick_size_change',
    market: plain.conditionId,
    old_tick_size: '0.01',
    new_tick_size: '0.1',
    side: 'BUY',
    timestamp: `${exchange.clock.ms}`,
    sequence: 1,
  };
  t.strictSame(unstamped(exchange, await client.take(4)), [
    { ...change, asset_id: yes },
    { ...change, asset_id: no },
    await bookMessage(exchange, yes, 1),
    await bookMessage(exchange, no, 1),
  ]);
});

/** One market in an event, as a catalog has it. */
const EVENT = {
  id: '990001',
  slug: 'rain',
  title: 'Rain',
  ticker: 'RAIN',
  description: 'Of rain',
  tags: [{ id: '990002', slug: 'rainfall', label: 'Rainfall' }],
  markets: [
    {
      id: '990003',
      question: 'Will "it" rain?',
      conditionId: `0x${'cd'.repeat(32)}`,
      slug: 'will-it-rain',
      description: 'Said by the weather station',
      outcomes: '["Wet","Dry"]',
      clobTokenIds: '["880001","880002"]',
      orderPriceMinTickSize: 0.01,
      orderMinSize: 5,
      active: true,
      closed: false,
      enableOrderBook: true,
      acceptingOrders: true,
    },
  ],
};
const EVENT_WORDS = {
  id: '990001',
  ticker: 'RAIN',
  slug: 'rain',
  title: 'Rain',
  description: 'Of rain',
};

t.test('a new market is published to all clients with custom features', async (t) => {
  const exchange = share();
  const { running, plain } = exchange;
  const { registry, exchange: store } = running.services;
  const client = await subscribed(exchange, plain, { custom_feature_enabled: true });
  const simple = await subscribed(exchange, plain);
  await store.catalog.write.importEvents([EVENT]);
  await createCatalogMarkets({ exchange: store, registry, log: pino({ level: 'silent' }) });
  t.strictSame(unstamped(exchange, await client.take(1)), [
    {
      event_type: 'new_market',
      id: '990003',
      question: 'Will "it" rain?',
      market: `0x${'cd'.repeat(32)}`,
      slug: 'will-it-rain',
      description: 'Said by the weather station',
      assets_ids: ['880001', '880002'],
      outcomes: ['Wet', 'Dry'],
      event_message: EVENT_WORDS,
      tags: ['rainfall'],
      condition_id: `0x${'cd'.repeat(32)}`,
      active: true,
      clob_token_ids: ['880001', '880002'],
      order_price_min_tick_size: '0.01',
      group_item_title: '',
      taker_base_fee: '0',
      fees_enabled: false,
      fee_schedule: { exponent: '0', rate: '0', taker_only: true, rebate_rate: '0' },
      timestamp: `${exchange.clock.ms}`,
      sequence: 0,
    },
  ]);
  await simple.settled();
  t.strictSame(simple.messages, []);
});

t.test('a resolution is published with its winner, also to later subscribers', async (t) => {
  const exchange = share();
  const { running, plain, operator, clock } = exchange;
  const startMs = clock.ms;
  const { catalog } = running.services.exchange;
  const client = await subscribed(exchange, plain, { custom_feature_enabled: true });
  const simple = await subscribed(exchange, plain);
  await operator('POST', `/markets/${plain.conditionId}/resolve`, { payout: '0' });
  const words = catalog.lookup.marketByCondition(plain.conditionId);
  const resolved = {
    event_type: 'market_resolved',
    id: words?.id,
    question: words?.question,
    market: plain.conditionId,
    slug: words?.slug,
    description: words?.description,
    assets_ids: plain.tokenIds,
    outcomes: words?.outcomes,
    winning_asset_id: plain.tokenIds[1],
    winning_outcome: words?.outcomes[1],
    event_message: {
      id: words?.eventId,
      ticker: words?.eventTicker,
      slug: words?.eventSlug,
      title: words?.eventTitle,
      description: words?.eventDescription,
    },
    tags: words?.tags,
    timestamp: `${startMs}`,
  };
  await client.until(() => client.messages.some((one) => one.event_type === 'market_resolved'));
  t.match(unstamped(exchange, client.messages).at(-1), resolved);
  await simple.settled();
  t.notOk(simple.messages.some((message) => message.event_type === 'market_resolved'));
  clock.ms += 60_000;
  const late = await subscribed(exchange, plain, { custom_feature_enabled: true });
  t.match(unstamped(exchange, late.messages), [resolved]);
});

t.test('a resolution is published to all clients with custom features', async (t) => {
  const { running, plain, operator } = share();
  const clients = [{ custom_feature_enabled: true }, {}].map(async (wishes) => {
    const client = await StreamClient.open(running.url);
    client.send({ type: 'market', assets_ids: [], ...wishes });
    await client.settled();
    return client;
  });
  const [featured, simple] = await Promise.all(clients);
  await operator('POST', `/markets/${plain.conditionId}/resolve`, { payout: '1' });
  const resolved = { event_type: 'market_resolved', market: plain.conditionId };
  t.match(
    await featured?.take(1),
    [resolved],
    'without a subscription, in a market that no one watches',
  );
  await simple?.settled();
  t.strictSame(simple?.messages, []);
});

t.test('a resolution that pays both tokens has no winner', async (t) => {
  const exchange = share();
  const { plain, operator } = exchange;
  const client = await subscribed(exchange, plain, { custom_feature_enabled: true });
  await operator('POST', `/markets/${plain.conditionId}/resolve`, { payout: '0.5' });
  await client.until(() => client.messages.some((one) => one.event_type === 'market_resolved'));
  t.match(client.messages.at(-1), { winning_asset_id: '', winning_outcome: '' });
});

t.test('a quiet market sends heartbeats with its last sequence', async (t) => {
  const exchange = shareTimed();
  const { plain, trader } = exchange;
  const alice = await trader(1);
  const client = await subscribed(exchange, plain);
  monotonic.ms += 9_000;
  await alice.place({ tokenId: plain.tokenIds[0] });
  await client.settled();
  await client.take(3);
  monotonic.ms += 9_000;
  await client.settled();
  t.strictSame(client.messages, [], 'its last message is nine seconds old');
  monotonic.ms += 1_000;
  t.strictSame(unstamped(exchange, await client.take(1)), [
    {
      event_type: 'heartbeat',
      market: plain.conditionId,
      timestamp: `${exchange.clock.ms}`,
      sequence: 1,
    },
  ]);
  monotonic.ms += 10_000;
  t.match(await client.take(1), [{ event_type: 'heartbeat', sequence: 1 }]);
});

t.test('books come at most four times a second, and the last state always comes', async (t) => {
  const exchange = shareTimed();
  const { plain, trader } = exchange;
  const [yes, no] = plain.tokenIds;
  const alice = await trader(1);
  const client = await subscribed(exchange, plain);
  for (const priceTicks of [1_000, 2_000, 3_000]) await alice.place({ tokenId: yes, priceTicks });
  await client.settled();
  const kinds = client.messages.splice(0).map((message) => message.event_type);
  t.strictSame(kinds, ['price_change', 'book', 'book', 'price_change', 'price_change']);
  monotonic.ms += 250;
  t.strictSame(unstamped(exchange, await client.take(2)), [
    await bookMessage(exchange, yes, 3),
    await bookMessage(exchange, no, 3),
  ]);
});
