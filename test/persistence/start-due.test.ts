// Events that fell due while no exchange ran happen at the start, before the first command.
import t, { type Test } from 'tap';
import type { Command, CreateMarket } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';
import { makeClosedFolder } from './journal/fixture.ts';
import {
  ALICE,
  BOB,
  counterOrder,
  createMarket,
  openAccount,
  openFor,
  order,
  orderIdOf,
} from './store-fixture.ts';

const START_MS = 1_700_000_000_000;
const DELAY_MS = 3_000;

const PEOPLE = [openAccount(ALICE), openAccount(BOB)];

/** Starts an exchange `afterMs` later and submits `then`. Returns all that became durable. */
async function startWith(t: Test, before: readonly Command[], then: Command, afterMs: number) {
  const dataDir = makeClosedFolder(t, before, { timeMs: START_MS });
  const durable: DurableCommand[] = [];
  const second = await openFor(t, dataDir, {
    now: () => START_MS + afterMs,
    on: { durable: ({ commands }) => durable.push(...commands) },
  });
  await second.submit(then);
  const steps = durable
    .filter(({ seq }) => seq > before.length)
    .map(({ command, events }) => ({
      kind: command.kind,
      events: events.map((event) => [event.kind, 'orderId' in event ? event.orderId : '']),
    }));
  return { steps, read: await second.reader.order(orderIdOf(1)) };
}

t.test(
  'an order that expired meanwhile is closed before the first order that could fill it',
  async (t) => {
    const gtd = order(1, { type: 'GTD', expiresAtMs: START_MS + 60_000 });
    for (const [afterMs, first] of [
      [59_999, []],
      [60_000, ['advance_time']],
      [86_400_000, ['advance_time']],
    ] as const) {
      const before = [createMarket, ...PEOPLE, gtd];
      const { steps, read } = await startWith(t, before, counterOrder(2), afterMs);
      t.strictSame(
        steps.map(({ kind }) => kind),
        [...first, 'place_order'],
        `${afterMs} ms later`,
      );
      const fills = steps.flatMap(({ events }) => events.filter(([kind]) => kind === 'fill'));
      t.equal(fills.length, first.length === 0 ? 1 : 0, `${afterMs} ms later: fills`);
      if (first.length === 0) continue;
      t.match(read, { status: 'canceled', closeReason: 'expired' });
      t.match(steps[0]?.events, [
        ['order_closed', orderIdOf(1)],
        ['level_changed', ''],
      ]);
    }
  },
);

t.test('an order whose delay ended meanwhile trades before the first new order', async (t) => {
  // Safe: `createMarket` is a CreateMarket.
  const market: CreateMarket = { ...(createMarket as CreateMarket), takerDelayMs: DELAY_MS };
  const before = [market, ...PEOPLE, order(1), counterOrder(2)];
  const { steps } = await startWith(t, before, counterOrder(3), DELAY_MS);
  t.strictSame(
    steps.map(({ kind }) => kind),
    ['advance_time', 'place_order'],
  );
  const [released, placed] = steps.map(({ events }) => events);
  t.match(released?.[0], ['order_released', orderIdOf(2)]);
  t.ok(released?.some(([kind]) => kind === 'fill'));
  t.notOk(
    placed?.some(([kind]) => kind === 'fill'),
    'the released order has filled the resting one',
  );
});
