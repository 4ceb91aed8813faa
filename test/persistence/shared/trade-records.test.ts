import t from 'tap';
import type { Fill } from '../../../engine/index.ts';
import { lots, ticks } from '../../../engine/index.ts';
import { tradesOf } from '../../../persistence/index.ts';
import { ALICE, BOB, CONDITION, orderIdOf } from '../store-fixture.ts';

function fill(changes: Partial<Fill>): Fill {
  return {
    kind: 'fill',
    conditionId: CONDITION,
    match: 'transfer',
    takerOrderId: orderIdOf(9),
    makerOrderId: orderIdOf(1),
    takerAccount: ALICE,
    makerAccount: BOB,
    takerOutcome: 0,
    takerSide: 'BUY',
    makerOutcome: 0,
    makerSide: 'SELL',
    takerPriceTicks: ticks(5_000),
    makerPriceTicks: ticks(5_000),
    lots: lots(10),
    bucket: 0,
    ...changes,
  };
}

const APPLIED = {
  seq: 42,
  timeMs: 1_780_449_126_930,
  events: [
    { kind: 'order_accepted', orderId: orderIdOf(9), account: ALICE, conditionId: CONDITION },
    fill({}),
    fill({ makerOrderId: orderIdOf(2), lots: lots(5) }),
    fill({ makerOrderId: orderIdOf(3), takerPriceTicks: ticks(5_100), bucket: 1 }),
  ],
} as const;

t.test('the fills of a bucket are one trade with their total', (t) => {
  const trades = tradesOf(APPLIED).map(({ bucket, priceTicks, lots, fills }) => [
    bucket,
    priceTicks,
    lots,
    fills.length,
  ]);
  t.same(trades, [
    [0, 5_000, 15, 2],
    [1, 5_100, 10, 1],
  ]);
  t.end();
});

t.test('fills of different taker orders are different trades', (t) => {
  const events = [fill({}), fill({ takerOrderId: orderIdOf(8) })];
  const trades = tradesOf({ ...APPLIED, events });
  t.same(
    trades.map(({ takerOrderId }) => takerOrderId),
    [orderIdOf(9), orderIdOf(8)],
  );
  t.not(trades[0]?.tradeId, trades[1]?.tradeId);
  t.end();
});

t.test('a command without fills makes no trade', (t) => {
  t.same(tradesOf({ ...APPLIED, events: [] }), []);
  t.end();
});

// Fixed values: a change of the derivation would rename trades that clients have stored.
t.test('the ids of a trade never change', (t) => {
  const names = tradesOf(APPLIED).map(({ tradeId, transactionHash }) => [tradeId, transactionHash]);
  t.same(names, [
    [
      'ef11c124-d63c-8156-ad77-6f76324364e8',
      '0x5b4cd6804e6818c7a3862d7f7197e7f28b4addef24b5e439f0545a08505d8312',
    ],
    [
      '4166ae6a-b2b8-82c0-ace3-4cef0231907b',
      '0x3217a7124500ac5109c275fc36399dc99f5a5a0cacc507bb12b01b4854c85f2f',
    ],
  ]);
  t.end();
});

t.test('the ids of a trade depend on the seq, the time and every fill', (t) => {
  const changed = [
    { ...APPLIED, seq: 43 },
    { ...APPLIED, timeMs: APPLIED.timeMs + 1 },
    { ...APPLIED, events: [fill({ lots: lots(11) })] },
    { ...APPLIED, events: [fill({ makerOrderId: orderIdOf(4) })] },
    { ...APPLIED, events: [fill({ takerOrderId: orderIdOf(8) })] },
    { ...APPLIED, events: [fill({ bucket: 1 })] },
    { ...APPLIED, events: [fill({})] },
  ];
  const heads = changed.map((applied) => tradesOf(applied)[0]);
  t.equal(new Set(heads.map((head) => head?.tradeId)).size, changed.length);
  t.equal(new Set(heads.map((head) => head?.transactionHash)).size, changed.length);
  t.end();
});
