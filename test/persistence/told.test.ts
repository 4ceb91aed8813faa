// Notifications, delays and fees, each rule by an example of hand-made events. The random streams
// of projection.test.ts check many more cases.
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import type { CloseReason, Command, EngineEvent, Fill, PlaceOrder } from '../../engine/index.ts';
import { FEE_ACCOUNT, lots, micros, ticks } from '../../engine/index.ts';
import type { NotificationRecord } from '../../persistence/index.ts';
import { Projection } from '../../persistence/projection/projection.ts';
import { prepareProjection } from '../../persistence/projection/schema.ts';
import { RecordReads } from '../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../persistence/reads/tables/read-tables.ts';
import { type Scope, temporaryFolder } from '../temporary-folder.ts';
import {
  ALICE,
  BOB,
  CONDITION,
  counterOrder,
  createMarket,
  openAccount,
  openFor,
  order,
  orderIdOf,
  replayFolder,
  submitAll,
  until,
  WORLD,
  YES,
} from './store-fixture.ts';

type Step = readonly [command: Command, ...events: EngineEvent[]];

function openedEvent(address: string, owner = address): EngineEvent {
  return { kind: 'account_opened', address, owner, wallet: 'eoa', paperMicros: micros(0) };
}

function opened(address: string): Step {
  return [openAccount(address), openedEvent(address)];
}

/** The fee account opens with the first market that charges fees. */
const MARKET: Step = [
  createMarket,
  openedEvent(FEE_ACCOUNT),
  { kind: 'market_created', conditionId: CONDITION },
];

function of({ orderId, account }: PlaceOrder) {
  return { orderId, account, conditionId: CONDITION };
}

function accepted(placed: PlaceOrder): EngineEvent {
  return { kind: 'order_accepted', ...of(placed) };
}

function closed(placed: PlaceOrder, reason: CloseReason, filled = 0, fee = 0): EngineEvent {
  return {
    kind: 'order_closed',
    ...of(placed),
    owner: placed.owner,
    reason,
    filledLots: lots(filled),
    filledMicros: micros(filled * placed.priceTicks),
    ...(fee === 0 ? {} : { feeMicros: micros(fee) }),
  };
}

/** Projects commands, the first at 1,000 ms and each a second later, and reads the tables. */
function readerOf(scope: Scope, steps: readonly Step[]): RecordReads {
  const database = new SqliteDatabase(':memory:');
  scope.teardown(() => database.close());
  prepareProjection(database);
  const commands = steps.map(([command, ...events], index) => ({
    seq: index + 1,
    timeMs: (index + 1) * 1_000,
    checksum: 0,
    command,
    events,
  }));
  new Projection(database, () => []).take(commands);
  return new RecordReads(new ReadTables(database));
}

const BUILDER = `0x${'b1'.repeat(32)}`;
/** Alice earns with the builder of Bob's orders. */
const EARNING: EngineEvent = {
  ...{ kind: 'builder_changed', builder: BUILDER, account: ALICE },
  ...{ shareBps: 0, takerRateBps: 10, makerRateBps: 0 },
};
const START: readonly Step[] = [MARKET, opened(ALICE), [...opened(BOB), EARNING]];
const ADVANCE: Command = { kind: 'advance_time' };
/** Alice's order rests and Bob's is delayed. At the release of Bob's they mint 10 sets. */
const RESTING = order(1);
const WAITING = counterOrder(2, { lots: lots(30), builder: BUILDER });
const WAITS: readonly Step[] = [
  ...START,
  [RESTING, accepted(RESTING)],
  [WAITING, accepted(WAITING), { kind: 'order_delayed', ...of(WAITING), releaseMs: 5_500 }],
];
const RELEASED: EngineEvent = { kind: 'order_released', ...of(WAITING) };
const MINT: Fill = {
  kind: 'fill',
  conditionId: CONDITION,
  match: 'mint',
  takerOrderId: WAITING.orderId,
  makerOrderId: RESTING.orderId,
  takerAccount: BOB,
  makerAccount: ALICE,
  takerOutcome: 1,
  takerSide: 'BUY',
  makerOutcome: 0,
  makerSide: 'BUY',
  takerPriceTicks: ticks(5_000),
  makerPriceTicks: ticks(5_000),
  lots: lots(10),
  bucket: 0,
  fees: {
    takerMicros: micros(70),
    makerMicros: micros(20),
    takerBuilderMicros: micros(30),
    makerBuilderMicros: micros(0),
    takerFeeBps: 200,
    makerFeeBps: 50,
  },
};

t.test('a delayed order is listed with the end of its delay until it is closed', (t) => {
  const page = { owner: BOB, offset: 0, limit: 10 };
  const list = (steps: readonly Step[]) =>
    readerOf(t, steps)
      .liveOrders(page)
      .records.map(({ orderId, status, releaseMs, updatedMs }) => [
        orderId,
        status,
        releaseMs,
        updatedMs,
      ]);
  const { orderId } = WAITING;
  t.strictSame(list(WAITS), [[orderId, 'delayed', 5_500, 5_000]]);
  const rests: Step = [ADVANCE, RELEASED];
  t.strictSame(list([...WAITS, rests]), [[orderId, 'live', 5_500, 6_000]]);
  t.strictSame(list([...WAITS, [ADVANCE, closed(WAITING, 'expired')]]), []);
  const named = { ...page, orderId };
  t.match(readerOf(t, WAITS).liveOrders(named).records, [{ status: 'delayed' }]);
  t.end();
});

t.test('the owner of a delayed order is notified of its fill, as a maker is', (t) => {
  const reader = readerOf(t, [
    ...WAITS,
    [ADVANCE, RELEASED, MINT, closed(RESTING, 'matched', 10, 20)],
  ]);
  const fill = { kind: 'fill', timeMs: 6_000, filledLots: 10 };
  const trade = { takerOrderId: WAITING.orderId, priceTicks: 5_000, lots: 10 };
  const [notified] = reader.notifications({ owner: BOB, limit: 10 });
  t.match(notified, { ...fill, id: 1, order: { orderId: WAITING.orderId, status: 'live' }, trade });
  const [maker] = reader.notifications({ owner: ALICE, limit: 10 });
  t.match(maker, { ...fill, id: 2, order: { orderId: RESTING.orderId }, trade });
  t.end();
});

t.test('a taker that trades at once is not notified, because the answer has its fill', (t) => {
  const taker = counterOrder(2, { builder: BUILDER });
  const traded: Step = [taker, accepted(taker), MINT, closed(taker, 'matched', 10, 70)];
  const reader = readerOf(t, [...START, [RESTING, accepted(RESTING)], traded]);
  t.same(reader.notifications({ owner: BOB, limit: 10 }), []);
  t.match(reader.notifications({ owner: ALICE, limit: 10 }), [{ id: 1, kind: 'fill' }]);
  t.end();
});

const ENDS: readonly (readonly [CloseReason, status: string, isNotified: boolean])[] = [
  ['unmatched', 'unmatched', true],
  ['trading_paused', 'canceled', true],
  ['expired', 'canceled', true],
  ['switch_tripped', 'canceled', true],
  ['owner_banned', 'canceled', true],
  ['closed_only', 'canceled', true],
  ['market_closed', 'canceled', true],
  ['market_resolved', 'canceled', true],
  ['self_trade', 'canceled', true],
  ['canceled', 'canceled', false],
  ['remainder_released', 'canceled', false],
];

t.test('owners are notified of each closed order that they did not cancel', (t) => {
  for (const [reason, status, isNotified] of ENDS) {
    const reader = readerOf(t, [...WAITS, [ADVANCE, closed(WAITING, reason)]]);
    const { orderId } = WAITING;
    t.match(reader.order(orderId), { status, closeReason: reason }, reason);
    const notified = reader.notifications({ owner: BOB, limit: 10 });
    t.equal(notified.length, isNotified ? 1 : 0);
    if (isNotified) t.match(notified, [{ kind: 'cancellation', order: { orderId } }]);
  }
  t.end();
});

t.test('a trade has the fees of each side, and an order the fees that it has paid', (t) => {
  const reader = readerOf(t, [...WAITS, [ADVANCE, RELEASED, MINT, { ...MINT, bucket: 1 }]]);
  const [, first] = reader.trades({ offset: 0, limit: 10 }).records;
  t.match(first, {
    ...{ feeMicros: 70, builderFeeMicros: 30, feeBps: 200 },
    makers: [{ feeMicros: 20, builderFeeMicros: 0, feeBps: 50 }],
  });
  t.match(reader.order(WAITING.orderId), { feeMicros: 140 });
  t.match(reader.order(RESTING.orderId), { feeMicros: 40 });
  t.end();
});

t.test("fees that do not add up to the engine's total are never projected", (t) => {
  const ended = (fee: number): Step => [
    ADVANCE,
    RELEASED,
    MINT,
    closed(RESTING, 'matched', 10, fee),
  ];
  t.doesNotThrow(() => readerOf(t, [...WAITS, ended(20)]));
  for (const fee of [0, 19]) {
    t.throws(() => readerOf(t, [...WAITS, ended(fee)]), /projected and engine fees are equal/);
  }
  t.end();
});

const CAROL = `0x${'c3'.repeat(20)}`;
const SAFE = `0x${'5a'.repeat(20)}`;

function split(account: string, owner: string, size: number): Command {
  return {
    kind: 'split',
    account,
    owner,
    conditionId: CONDITION,
    lots: lots(size),
    key: account,
  };
}

t.test('each owner with tokens is notified once of a resolution, with its lots then', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await openFor(t, dataDir);
  await submitAll(exchange, [...WORLD, openAccount(CAROL)]);
  await exchange.submit({
    kind: 'open_account',
    address: SAFE,
    owner: BOB,
    wallet: 'safe',
    paperMicros: micros(9_000_000),
  });
  await submitAll(exchange, [split(SAFE, BOB, 5), split(BOB, BOB, 20), split(ALICE, ALICE, 7)]);
  // The resting order holds YES; its cancellation is notified first.
  const sell = order(1, { account: BOB, owner: BOB, side: 'SELL', lots: lots(4) });
  const payoutTicks = ticks(2_500);
  const resolve: Command = {
    kind: 'resolve_market',
    conditionId: CONDITION,
    payoutTicks,
    redeemAll: true,
  };
  await submitAll(exchange, [sell, resolve, ADVANCE, openAccount(`0x${'d4'.repeat(20)}`)]);
  await until(async () => (await exchange.balance(ALICE, YES)).available === 0);

  const all = async (reader: typeof exchange.reader): Promise<NotificationRecord[]> =>
    (
      await Promise.all(
        [ALICE, BOB, CAROL].map((owner) => reader.notifications({ owner, limit: 10 })),
      )
    ).flat();
  const notified = await all(exchange.reader);
  const { timeMs } = notified[0] ?? {};
  const resolution = { kind: 'resolution', timeMs, conditionId: CONDITION, payoutTicks };
  t.strictSame(notified[0], { id: 2, ...resolution, yesLots: 7, noLots: 7 });
  t.strictSame(notified[1], { id: 3, ...resolution, yesLots: 25, noLots: 25 }, 'both accounts');
  t.match(notified[2], { id: 1, kind: 'cancellation', order: { orderId: orderIdOf(1) } });
  t.equal(notified.length, 3, 'an owner without tokens is not notified');

  const ids = [3];
  await exchange.submit({ kind: 'dismiss_notifications', owner: BOB, ids });
  t.match(await exchange.reader.notifications({ owner: BOB, limit: 10 }), [{ id: 1 }]);
  t.strictSame(await all(exchange.reader), [notified[0], notified[2]]);
  await exchange.close();
  // It compares the projection with one that is made from the journal again.
  await replayFolder(dataDir);
});
