// A replay beside other accounts: what they take is placed again, and their orders meet the
// recorded market.
import t from 'tap';
import { sendTo, shareTestExchange } from '../../http/exchange-fixture.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { book, change, trade } from './recorded-messages.ts';
import { RecordedVenue } from './recorded-venue.ts';
import { entriesOf, replayCompared, replayLines, shownLevels } from './replay-fixture.ts';

const share = await shareTestExchange(t);

const FIRST = book([['0.48', '30']], [['0.52', '25']]);
const NOTHING_NEW = FIRST;

t.test('what a bot takes is there again after the next message', async (t) => {
  const exchange = share();
  const bot = await exchange.trader(1);
  const [yes] = exchange.plain.tokenIds;
  const shown: unknown[] = [];
  await replayLines(exchange, [FIRST, NOTHING_NEW], {
    onPlayed: async (line) => {
      shown.push(entriesOf((await shownLevels(exchange))[0]).asks);
      if (line > 1) return;
      const { body } = await bot.place({ tokenId: yes, priceTicks: 5_200, lots: 1_000 });
      t.match(body, { status: 'matched', takingAmount: '10' });
      shown.push(entriesOf((await shownLevels(exchange))[0]).asks);
    },
  });
  t.strictSame(shown, [[[5_200, 2_500]], [[5_200, 1_500]], [[5_200, 2_500]]]);
});

t.test(
  'orders of a bot stand beside the recorded ones, and are filled as the market moves',
  async (t) => {
    const exchange = share();
    const bot = await exchange.trader(1);
    const [yes] = exchange.plain.tokenIds;
    const shown: unknown[] = [];
    let orderId = '';
    const lines = [
      FIRST,
      change('BUY', '0.48', '40'),
      // The market comes down to the bot's bid.
      book([['0.46', '30']], [['0.49', '8']]),
      book([['0.46', '30']], [['0.51', '8']]),
    ];
    const { report } = await replayLines(exchange, lines, {
      onPlayed: async (line) => {
        if (line === 1) {
          const { body } = await bot.place({ tokenId: yes, priceTicks: 4_900, lots: 1_000 });
          orderId = body.orderID;
        }
        shown.push(entriesOf((await shownLevels(exchange))[0]));
      },
    });
    t.strictSame(report.skipped, {}, 'to meet an order of others is no fault');
    t.strictSame(shown, [
      {
        bids: [
          [4_800, 3_000],
          [4_900, 1_000],
        ],
        asks: [[5_200, 2_500]],
      },
      {
        bids: [
          [4_800, 4_000],
          [4_900, 1_000],
        ],
        asks: [[5_200, 2_500]],
      },
      {
        bids: [
          [4_600, 3_000],
          [4_900, 200],
        ],
        asks: [],
      },
      {
        bids: [
          [4_600, 3_000],
          [4_900, 200],
        ],
        asks: [[5_100, 800]],
      },
    ]);
    const { body } = await bot.signed('GET', `/data/order/${orderId}`);
    t.match(body, { size_matched: '8' });
  },
);

t.test('recorded trades are trades of the exchange, each once', async (t) => {
  const exchange = share();
  const [yes, no] = exchange.plain.tokenIds;
  const hash = { transaction_hash: '0xab' };
  const lines = [
    FIRST,
    trade('BUY', '0.52', '5.5', hash),
    // The same trade as the other token shows it.
    trade('SELL', '0.48', '5.5', { ...hash, asset_id: 'no' }),
    trade('SELL', '0.5', '3', { transaction_hash: '0xac' }),
    trade('SELL', '0.5', '3', { transaction_hash: '0xad' }),
  ];
  const { report } = await replayLines(exchange, lines);
  t.match(report, { skipped: {}, played: { trades: 3 } });
  const { conditionId } = exchange.plain;
  const { text } = await exchange.send('GET', `/trades?market=${conditionId}`);
  // Safe: the route's own tests check its answer.
  const fills = JSON.parse(text) as { asset: string; side: string; price: number; size: number }[];
  t.strictSame(
    fills.map(({ asset, side, price, size }) => [
      asset === yes ? 'yes' : asset === no,
      side,
      price,
      size,
    ]),
    [
      [true, 'BUY', 0.5, 3],
      [true, 'BUY', 0.5, 3],
      ['yes', 'BUY', 0.52, 5.5],
    ],
  );
});

// The trades of a sweep are told before the levels, so most of them were "not possible".
t.test("this exchange's own recording of a sweep is played whole", async (t) => {
  const [source, target] = [share(), share()];
  const [yes = '', no = ''] = source.plain.tokenIds;
  const recorder = await StreamClient.open(source.running.url);
  recorder.send({ assets_ids: [yes, no] });
  await recorder.settled();
  const [maker, taker] = [await source.trader(1), await source.trader(2)];
  const asks = [5_200, 5_300, 5_400];
  for (const ticks of asks)
    await maker.place({ tokenId: no, priceTicks: 10_000 - ticks, lots: 500 });
  await taker.place({ tokenId: yes, priceTicks: 5_400, lots: 1_500 });
  await recorder.settled();
  const lines = recorder.messages.map((message) => JSON.stringify(message));
  const { report, told } = await replayLines(target, lines);
  t.match(report, { skipped: {}, played: { trades: asks.length } }, told.join('\n'));
  const [shown] = await shownLevels(target);
  t.strictSame(entriesOf(shown), { bids: [], asks: [] });
});

t.test('an account that runs out of money gets more', async (t) => {
  const exchange = share();
  const rich = book([['0.5', '900000000']], [['0.6', '900000000']]);
  const { report } = await replayLines(exchange, [rich]);
  t.strictSame(report.skipped, {}, JSON.stringify(report.faults));
  const [yes] = await shownLevels(exchange);
  t.strictSame(entriesOf(yes), {
    bids: [[5_000, 90_000_000_000]],
    asks: [[6_000, 90_000_000_000]],
  });
});

t.test(
  'an order that the exchange refuses is told once, and tried again when it changes',
  async (t) => {
    const exchange = share();
    const { conditionId } = exchange.plain;
    const setMinimum = (tokens: string) =>
      exchange.operator('POST', `/markets/${conditionId}/terms`, { minimum_order_size: tokens });
    const lines = [
      FIRST,
      change('BUY', '0.4', '7'),
      FIRST,
      change('BUY', '0.4', '7'),
      change('BUY', '0.4', '70'),
    ];
    const { report, told } = await replayLines(exchange, lines, {
      onPlayed: async (line) => {
        if (line === 1) await setMinimum('50');
      },
    });
    t.strictSame(report.skipped, { order_refused: 2 });
    t.match(told, [
      /^line 2: bid of 7 at 0.4 stays at 0: .* \(size_below_minimum\)$/,
      /^line 4: bid of 7 at 0.4 stays at 0/,
    ]);
    const [yes] = await shownLevels(exchange);
    t.strictSame(entriesOf(yes).bids, [
      [4_000, 7_000],
      [4_800, 3_000],
    ]);
  },
);

t.test('orders that a halted market keeps are told, until it is open again', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const setState = (state: string) =>
    exchange.operator('POST', `/markets/${conditionId}/state`, { state });
  const lines = [FIRST, change('BUY', '0.48', '0'), FIRST, change('BUY', '0.48', '0')];
  const { told } = await replayLines(exchange, lines, {
    onPlayed: async (line) => {
      if (line === 1) await setState('halted');
      if (line === 3) await setState('open');
    },
  });
  t.strictSame(told, ['line 2: 1 orders to cancel stay in the book']);
  const [yes] = await shownLevels(exchange);
  t.strictSame(entriesOf(yes), { bids: [], asks: [[5_200, 2_500]] });
});

t.test('a replay that begins again removes its earlier orders', async (t) => {
  const exchange = share();
  await replayLines(exchange, [book([['0.3', '9']], [])]);
  await replayLines(exchange, [FIRST]);
  const [yes] = await shownLevels(exchange);
  t.strictSame(entriesOf(yes), { bids: [[4_800, 3_000]], asks: [[5_200, 2_500]] });
});

t.test('the crowd leaves the market', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const modeOf = async (): Promise<string | undefined> => {
    const { text } = await exchange.operator('GET', '/crowd');
    // Safe: the route's own tests check its answer.
    const { markets } = JSON.parse(text) as { markets: { market: string; mode: string }[] };
    return markets.find(({ market }) => market === conditionId)?.mode;
  };
  const { adminPort, adminToken } = exchange.running;
  await sendTo(`http://127.0.0.1:${adminPort}`, 'POST', '/crowd', {
    body: JSON.stringify({ mode: 'still', market: conditionId }),
    headers: { authorization: `Bearer ${adminToken}` },
  });
  t.equal(await modeOf(), 'still');
  await replayLines(exchange, [FIRST]);
  t.equal(await modeOf(), 'off');
  const [yes] = await shownLevels(exchange);
  t.strictSame(entriesOf(yes), { bids: [[4_800, 3_000]], asks: [[5_200, 2_500]] });
});

t.test('lost answers and refusals for a while change nothing', async (t) => {
  const exchange = share();
  const { adminPort, adminToken } = exchange.running;
  const ask = (method: string, path: string, body?: object) =>
    sendTo(`http://127.0.0.1:${adminPort}`, method, path, {
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { authorization: `Bearer ${adminToken}` },
    });
  t.teardown(() => ask('DELETE', '/faults'));
  const match = { path: '/orders' };
  const venue = new RecordedVenue();
  const kinds = [
    { kind: 'lost_acknowledgement' },
    { kind: 'lost_acknowledgement', answer: '502' },
    { kind: 'unavailable' },
    { kind: 'rate_limited' },
  ];
  t.equal((await ask('DELETE', '/faults')).status, 200);
  for (const [index, kind] of kinds.entries()) {
    const fault = { ...kind, probability: 0.2, seed: index + 1, count: 50, match };
    const { status, text } = await ask('POST', '/faults', fault);
    t.equal(status, 200, text);
  }
  const wish = { isNo: false, isOldShape: false, wrap: 'none', pauseMs: 1 } as const;
  for (let step = 0; step < 30; step += 1) {
    const side = step % 2 === 0 ? 'bid' : 'ask';
    const kind = step % 3 === 0 ? 'cancel' : 'place';
    venue.take({ ...wish, kind, side, distance: step, size: 7_000_000 * (1 + (step % 5)) });
  }
  const { report } = await replayCompared(t, exchange, venue.lines);
  t.strictSame(report.skipped, {}, JSON.stringify(report.faults));
  const { text } = await ask('GET', '/faults');
  // Safe: the route's own tests check its answer.
  const { data } = JSON.parse(text) as { data: { fired: number }[] };
  t.ok(data.length === 4 && data.every(({ fired }) => fired > 2), text.slice(0, 500));
});
