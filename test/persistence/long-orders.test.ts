// Orders that meet more resting orders than one command does, in an exchange with all its threads.
import t from 'tap';
import { BOUNDS, type Command, lots, micros } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { tradesOf } from '../../persistence/shared/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { makeClosedFolder } from './journal/fixture.ts';
import {
  ALICE,
  BOB,
  counterOrder,
  openFollowed,
  openFor,
  order,
  orderIdOf,
  replayFolder,
  submitAll,
  until,
  WORLD,
  YES,
} from './store-fixture.ts';

const MAKERS = 2 * BOUNDS.workPerCommand + 1;
const TAKER = MAKERS + 1;
const RESTING = Array.from({ length: MAKERS }, (_, index) => order(index + 1));
/** Fills all of them, 10 lots at half a unit each. */
const FAK: Command = counterOrder(TAKER, {
  type: 'FAK',
  lots: lots(0),
  budgetMicros: micros(MAKERS * 50_000),
});

t.test('the answer to an order has all its steps, and reads show the whole order', async (t) => {
  const exchange = await openFollowed(t, temporaryFolder(t));
  await submitAll(exchange, [...WORLD, ...RESTING]);
  const placing = exchange.submit(FAK);
  const held = exchange.read((state) => state.balance(ALICE, '')?.held);
  const next = exchange.submit(order(TAKER + 1));
  const { seq, steps = [] } = await placing;
  t.equal(steps.length, 3);
  t.equal(
    steps.flatMap(({ events }) => events).filter(({ kind }) => kind === 'fill').length,
    MAKERS,
  );
  t.equal((await next).seq, seq + 3, 'the next command comes after the last step');
  t.equal(await held, 0, 'a read too');
  const record = await exchange.reader.order(orderIdOf(TAKER));
  const trades = steps.flatMap(tradesOf);
  t.match(record, { status: 'matched', closeReason: 'matched', filledLots: MAKERS * 10 });
  t.strictSame(
    record?.tradeIds,
    trades.map(({ tradeId }) => tradeId),
  );
  t.match(await exchange.balance(ALICE, YES), { available: MAKERS * 10 });
  const own = await exchange.reader.notifications({ owner: BOB, limit: 10 });
  t.strictSame(own, [], 'the answer shows its fills');
  t.match(await exchange.audit(), { ok: true, fault: '' });
});

t.test('after a crash between two steps the next start finishes the order first', async (t) => {
  const before = [...WORLD, ...RESTING, FAK];
  const dataDir = makeClosedFolder(t, before, { snapshots: [before.length - 1] });
  await replayFolder(dataDir);
  const durable: DurableCommand[] = [];
  const exchange = await openFollowed(t, dataDir, {
    on: { durable: ({ commands }) => durable.push(...commands) },
  });
  await exchange.submit(order(TAKER + 1));
  const later = durable.filter(({ seq }) => seq > before.length);
  t.strictSame(
    later.map(({ command, events }) => [command.kind, events[0]?.kind]),
    [
      ['advance_time', 'order_continued'],
      ['advance_time', 'order_continued'],
      ['place_order', 'order_accepted'],
    ],
  );
  await until(async () => (await exchange.reader.order(orderIdOf(TAKER)))?.status === 'matched');
  const hash = exchange.stateHash();
  await exchange.close();
  const again = await openFor(t, dataDir);
  t.equal(again.stateHash(), hash, 'a snapshot of the finished state');
});
