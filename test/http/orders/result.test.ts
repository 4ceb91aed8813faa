// Results of orders, made from the events of their commands and from their records.
import t from 'tap';
import { type EngineEvent, type Fill, lots, micros, ticks } from '../../../engine/index.ts';
import { resultOfEvents, resultOfRecord, resultOfSteps } from '../../../http/orders/result.ts';
import type { OrderRecord } from '../../../persistence/index.ts';
import { CONDITION, CREATED_MS } from '../durable-commands.ts';
import { MAKER, orderRecord, TAKER } from '../format/records.ts';

const [OWN, OTHER, MADE] = ['4c', '5d', '6e'].map((byte) => `0x${byte.repeat(32)}`) as [
  string,
  string,
  string, // three are mapped to three
];
const RELEASE_MS = CREATED_MS + 250;
const RELEASE_TEXT = new Date(RELEASE_MS).toISOString();

function fill(changes: Partial<Fill>): Fill {
  return {
    kind: 'fill',
    conditionId: CONDITION,
    match: 'transfer',
    takerOrderId: OWN,
    makerOrderId: MADE,
    takerAccount: TAKER,
    makerAccount: MAKER,
    takerOutcome: 0,
    takerSide: 'BUY',
    makerOutcome: 0,
    makerSide: 'SELL',
    takerPriceTicks: ticks(5_000),
    makerPriceTicks: ticks(5_000),
    lots: lots(100),
    bucket: 0,
    ...changes,
  };
}

const ofOrder = { account: TAKER, conditionId: CONDITION };
const accepted: EngineEvent = { kind: 'order_accepted', orderId: OWN, ...ofOrder };
function delayed(orderId: string): EngineEvent {
  return {
    kind: 'order_delayed',
    orderId,
    ...ofOrder,
    releaseMs: RELEASE_MS,
  };
}
function closed(orderId: string, reason: 'matched' | 'expired' | 'unmatched'): EngineEvent {
  return {
    kind: 'order_closed',
    orderId,
    ...ofOrder,
    owner: TAKER,
    reason,
    filledLots: lots(0),
    filledMicros: micros(0),
  };
}

/** What was due before the order's own command: another order is released, trades and ends. */
const DUE: readonly EngineEvent[] = [
  { kind: 'order_released', orderId: OTHER, ...ofOrder },
  fill({ takerOrderId: OTHER, lots: lots(700), takerPriceTicks: ticks(4_000) }),
  closed(OTHER, 'matched'),
  closed(MADE, 'expired'),
];

const NOTHING = { takingAmount: '', makingAmount: '', tradeIDs: [], transactionsHashes: [] };
const ROWS: readonly [what: string, events: readonly EngineEvent[], told: object][] = [
  ['it rests', [accepted], { status: 'live', ...NOTHING }],
  [
    'it waits',
    [accepted, delayed(OWN)],
    { status: 'delayed', ...NOTHING, releaseAt: RELEASE_TEXT },
  ],
  [
    'it is matched',
    [accepted, fill({}), closed(OWN, 'matched')],
    { status: 'matched', takingAmount: '1', makingAmount: '0.5' },
  ],
];

t.test('a result describes only its own order', async (t) => {
  for (const [what, events, told] of ROWS) {
    const [alone, after] = [events, [...DUE, ...events]].map((list) =>
      resultOfEvents(OWN, 'BUY', { seq: 7, timeMs: CREATED_MS, events: list }),
    );
    t.has(alone, { success: true, orderID: OWN, errorMsg: '', ...told }, what);
    t.strictSame(after, alone, `${what}, after others`);
  }
});

t.test('an order of several steps is told as one', async (t) => {
  const step = (seq: number, events: readonly EngineEvent[]) => ({
    seq,
    timeMs: CREATED_MS,
    events,
  });
  const result = await resultOfSteps(OWN, 'BUY', [
    step(7, [...DUE, accepted, fill({})]),
    step(8, [fill({ lots: lots(300), bucket: 1 }), closed(OWN, 'matched')]),
  ]);
  t.has(result, { status: 'matched', takingAmount: '4', makingAmount: '2' });
  t.equal(new Set(result.tradeIDs).size, 2);
});

t.test('a retry answers with the current state of the order', async (t) => {
  const waited = { releaseMs: RELEASE_MS };
  const rows: readonly [record: Partial<OrderRecord>, told: object][] = [
    [
      { ...waited, status: 'delayed' },
      { status: 'delayed', releaseAt: RELEASE_TEXT },
    ],
    [
      { ...waited, status: 'live' },
      { status: 'live', releaseAt: undefined },
    ],
    [
      { ...waited, status: 'matched', closeReason: 'matched', filledLots: lots(1_000) },
      { status: 'matched', takingAmount: '10', releaseAt: undefined },
    ],
    [
      { ...waited, status: 'unmatched', closeReason: 'unmatched' },
      { status: 'unmatched', takingAmount: '', releaseAt: undefined },
    ],
    [{ status: 'canceled', closeReason: 'trading_paused' }, { status: 'canceled' }],
  ];
  for (const [record, told] of rows) {
    const result = resultOfRecord(orderRecord(record));
    t.match(result, { success: true, duplicate: true, ...told }, JSON.stringify(told));
  }
});
