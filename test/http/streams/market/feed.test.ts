// The messages that a market sends for its batches, and those it keeps for resumes.
import t from 'tap';
import { micros, ticks } from '../../../../engine/index.ts';
import {
  CONDITION,
  createMarket,
  fill,
  level,
  NO_TOKEN,
  YES_TOKEN,
} from '../../durable-commands.ts';
import type { StreamClient } from '../stream-client.ts';
import { kindsOf, STREAM_ID, type StreamBench, startStreams } from '../stream-fixture.ts';

const BOTH = { assets_ids: [YES_TOKEN, NO_TOKEN], initial_dump: false };
const NO_BOOKS = { bookIntervalMs: 1e9 };

function resume(sequence: number, changes: object = {}): object {
  return {
    operation: 'resume',
    stream_id: STREAM_ID,
    sequence,
    assets_ids: [YES_TOKEN, NO_TOKEN],
    ...changes,
  };
}

/** Kinds and sequences of all received messages. */
async function heard(client: StreamClient): Promise<unknown[]> {
  await client.settled();
  return client.messages.splice(0).map(({ event_type, sequence }) => [event_type, sequence]);
}

t.test('a level that is unchanged at the end of a batch is not published', async (t) => {
  const bench = await startStreams(t, NO_BOOKS);
  bench.commit(level('bid', 4_000, 100));
  const client = await bench.subscribed(BOTH);
  bench.commit(level('bid', 4_000, 250), level('bid', 4_000, 100));
  bench.commit(level('ask', 4_500, 100), level('ask', 4_500, 0));
  t.strictSame(kindsOf(client.messages), []);
  bench.commit(level('bid', 4_000, 250), level('bid', 3_900, 10), level('bid', 4_000, 300));
  await client.until(() => kindsOf(client.messages).includes('price_change'));
  const change = client.messages.find(({ event_type }) => event_type === 'price_change');
  t.match(change, {
    sequence: 2,
    price_changes: [
      { asset_id: YES_TOKEN, price: '0.4', size: '3', side: 'BUY', best_bid: '0.4' },
      { asset_id: NO_TOKEN, price: '0.6', size: '3', side: 'SELL', best_ask: '0.6' },
      { asset_id: YES_TOKEN, price: '0.39', size: '0.1', side: 'BUY', best_bid: '0.4' },
      { asset_id: NO_TOKEN, price: '0.61', size: '0.1', side: 'SELL', best_ask: '0.6' },
    ],
  });
});

t.test('a batch is published in order: trades, the step, levels, best prices, books', async (t) => {
  const bench = await startStreams(t);
  const client = await bench.subscribed({ ...BOTH, custom_feature_enabled: true });
  const {
    tokenIds: _,
    conditionId: __,
    kind: ___,
    negRisk: ____,
    eventId: _____,
    ...terms
  } = {
    ...createMarket(),
    ...{ takerFeeBps: 0, makerFeeBps: 0, feeExponent: 0 as const },
    ...{ delaySeconds: 0, takerDelayMs: 0, finerTickTicks: ticks(0) },
  };
  bench.commit(
    level('bid', 4_000, 100),
    fill({ lots: createMarket().minimumLots }),
    {
      kind: 'market_changed',
      conditionId: CONDITION,
      ...terms,
      tickTicks: ticks(10),
    },
    { kind: 'market_resolved', conditionId: CONDITION, payoutTicks: ticks(10_000) },
  );
  t.strictSame(await heard(client), [
    ['last_trade_price', 1],
    ['last_trade_price', 1],
    ['tick_size_change', 2],
    ['tick_size_change', 2],
    ['price_change', 3],
    ['best_bid_ask', 3],
    ['best_bid_ask', 3],
    ['book', 3],
    ['book', 3],
    ['market_resolved', 3],
  ]);
});

t.test('a market without listeners counts its steps', async (t) => {
  const bench = await startStreams(t, NO_BOOKS);
  bench.commit(level('bid', 4_000, 100));
  bench.commit(level('bid', 4_000, 200), fill({}));
  const client = await bench.subscribed({ assets_ids: [YES_TOKEN] });
  t.match(client.messages, [{ event_type: 'book', sequence: 3, bids: [{ size: '2' }] }]);
  t.equal(bench.streams.metrics.published, 0, 'no message was made');
});

/** A client that reads one step, leaves, and comes back with `message` after more steps. */
async function comeBack(bench: StreamBench, message: object): Promise<StreamClient> {
  const client = await bench.subscribed(BOTH);
  bench.commit(level('bid', 1_000, 100));
  await client.settled();
  client.close();
  await client.closed;
  bench.commit(level('bid', 2_000, 100));
  bench.commit(fill({ takerPriceTicks: ticks(2_000) }), level('bid', 2_000, 0));
  return bench.subscribed(message);
}

t.test('a resume gets missed messages, then live ones', async (t) => {
  const bench = await startStreams(t, NO_BOOKS);
  const client = await comeBack(bench, resume(1));
  t.match(client.messages[0], { event_type: 'resumed', market: CONDITION, replayed: 4 });
  bench.commit(level('bid', 3_000, 100));
  t.strictSame(await heard(client), [
    ['resumed', 1],
    ['price_change', 2],
    ['last_trade_price', 3],
    ['last_trade_price', 3],
    ['price_change', 4],
    ['price_change', 5],
  ]);
  t.equal(bench.count('resumes', 'replayed'), 1);
});

t.test('a resume of one token, or of a market, gets its messages', async (t) => {
  const bench = await startStreams(t, NO_BOOKS);
  const client = await comeBack(bench, resume(2, { assets_ids: [NO_TOKEN] }));
  t.match(client.messages, [
    { event_type: 'resumed', replayed: 2 },
    { event_type: 'last_trade_price', asset_id: NO_TOKEN, sequence: 3 },
    { event_type: 'price_change', sequence: 4 },
  ]);
  const other = await bench.subscribed(
    resume(3, { assets_ids: [], sequence: undefined, sequences: { [CONDITION]: 3 } }),
  );
  t.match(other.messages, [
    { event_type: 'resumed', replayed: 2 },
    { event_type: 'last_trade_price', asset_id: NO_TOKEN, sequence: 3 },
    { event_type: 'price_change', sequence: 4 },
  ]);
});

t.test('a resume token by token replays the second copy of the last step', async (t) => {
  const bench = await startStreams(t, NO_BOOKS);
  const client = await comeBack(bench, resume(3, { assets_ids: [YES_TOKEN] }));
  client.send(resume(3, { assets_ids: [NO_TOKEN] }));
  await client.settled();
  t.match(client.messages.slice(2), [
    { event_type: 'resumed', replayed: 2 },
    { event_type: 'last_trade_price', asset_id: NO_TOKEN, sequence: 3 },
    { event_type: 'price_change', sequence: 4 },
  ]);
});

/** Requests while the market waits to be opened, and the kinds of messages that follow. */
const WHILE_WAITING: readonly (readonly [messages: readonly object[], kinds: readonly string[]])[] =
  [
    [
      [{ assets_ids: [NO_TOKEN] }, resume(3, { assets_ids: [YES_TOKEN] })],
      ['resumed', 'price_change', 'book'],
    ],
    [
      [resume(3, { assets_ids: [YES_TOKEN] }), { assets_ids: [NO_TOKEN], initial_dump: false }],
      ['resumed', 'price_change'],
    ],
    [
      [resume(3, { assets_ids: [YES_TOKEN] }), resume(4, { assets_ids: [NO_TOKEN] })],
      ['resumed', 'last_trade_price', 'price_change'],
    ],
    [
      [resume(3), resume(3, { stream_id: 'another' })],
      ['snapshot_required', 'book', 'book'],
    ],
    [[resume(3), { ...BOTH, operation: 'unsubscribe' }], []],
    [
      [resume(3), { operation: 'unsubscribe', assets_ids: [NO_TOKEN] }],
      ['resumed', 'price_change'],
    ],
  ];

t.test('a later request for a waiting market adds to the first one', async (t) => {
  for (const [messages, kinds] of WHILE_WAITING) {
    const bench = await startStreams(t, { ...NO_BOOKS, bytesPerTurn: 1 });
    const others = Array.from({ length: 99 }, (_, index) => `0x${`${index}`.padStart(64, '0')}`);
    others.forEach((conditionId, index) => {
      bench.create({ conditionId, tokenIds: [`${9_000 + index}`, `${8_000 + index}`] });
    });
    const client = await comeBack(bench, { markets: others });
    t.ok(client.messages.length < 2 * others.length, 'others come before it');
    for (const message of messages) client.send(message);
    await client.until(() => client.messages.length >= 2 * others.length + kinds.length);
    await client.settled();
    t.strictSame(kindsOf(client.messages.slice(2 * others.length)), kinds);
  }
});

/** What the message says, and why there is a fresh book instead. */
const SNAPSHOTS: readonly (readonly [message: object, reason: string])[] = [
  [resume(1, { stream_id: 'stream 0' }), 'stream_changed'],
  [resume(5), 'out_of_reach'],
  [resume(1), 'out_of_reach'],
];

t.test('a resume that is out of reach gets fresh books', async (t) => {
  for (const [message, reason] of SNAPSHOTS) {
    const bench = await startStreams(t, { ...NO_BOOKS, ringBytesPerMarket: 10 });
    const client = await comeBack(bench, message);
    t.match(client.messages, [
      { event_type: 'snapshot_required', market: CONDITION, reason, sequence: 4 },
      { event_type: 'book', asset_id: YES_TOKEN, sequence: 4, last_trade_price: '0.2' },
      { event_type: 'book', asset_id: NO_TOKEN, sequence: 4, last_trade_price: '0.8' },
    ]);
    t.equal(client.messages.length, 3);
    t.equal(bench.count('resumes', 'snapshot'), 1);
  }
});

t.test('messages are kept for a while after the last listener left', async (t) => {
  const bench = await startStreams(t, { ringKeepMs: 60_000, ...NO_BOOKS });
  const first = await comeBack(bench, BOTH);
  first.close();
  await first.closed;
  const keptAfter = (durationMs: number): number => {
    bench.clock.ms += durationMs;
    bench.streams.sweep();
    return bench.streams.totals.ringBytes;
  };
  t.ok(keptAfter(2_000) > 0);
  t.ok(keptAfter(59_000) > 0);
  t.equal(keptAfter(1_000), 0);
  bench.commit(level('bid', 5_000, 100));
  const late = await bench.subscribed(resume(4));
  t.match(late.messages, [{ event_type: 'snapshot_required', sequence: 5 }, {}, {}]);
});

t.test("a trade says the rate of its taker's fee", async (t) => {
  const bench = await startStreams(t, NO_BOOKS);
  const client = await bench.subscribed(BOTH);
  const none = micros(0);
  const fees = { takerMicros: micros(10), makerMicros: none, takerBuilderMicros: none };
  const rates = { makerBuilderMicros: none, takerFeeBps: 250, makerFeeBps: 100 };
  bench.commit(fill({ takerOutcome: 1, takerSide: 'SELL', fees: { ...fees, ...rates } }));
  t.match(await client.take(2), [
    { asset_id: YES_TOKEN, side: 'BUY', fee_rate_bps: '250' },
    { asset_id: NO_TOKEN, side: 'SELL', fee_rate_bps: '250' },
  ]);
});
