import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import {
  type Command,
  Engine,
  type EngineEvent,
  type Fill,
  lots,
  micros,
  ticks,
} from '../../engine/index.ts';
import { PayloadReader } from '../../persistence/rows/payload.ts';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { Bench } from './sequencer-bench.ts';
import {
  ALICE,
  CONDITION,
  counterOrder,
  createMarket,
  openAccount,
  order,
  orderIdOf,
  WORLD,
} from './store-fixture.ts';

const ADVANCE = { kind: 'advance_time' } as const;

t.test('commands of one turn leave as one batch at its end', async (t) => {
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  t.same(bench.batches, [], 'not before the turn is over');
  await nextTurn();
  t.same(
    bench.batches.map(({ firstSeq, kinds }) => [firstSeq, kinds]),
    [[1, ['create_market', 'open_account', 'open_account']]],
  );
});

t.test('while a batch is committed the next one fills', async (t) => {
  const bench = new Bench(t);
  bench.submit(createMarket);
  await nextTurn();
  bench.submit(openAccount(ALICE));
  await nextTurn();
  bench.submit(order(1));
  await nextTurn();
  t.equal(bench.batches.length, 1);
  await bench.commit();
  t.same(bench.batches.at(-1)?.kinds, ['open_account', 'place_order']);
});

t.test('a batch is delivered and then answered, and only after its commit', async (t) => {
  const bench = new Bench(t);
  bench.submit(createMarket);
  await nextTurn();
  bench.submit(openAccount(ALICE));
  await nextTurn();
  t.same([bench.log, bench.sequencer.durableSeq, bench.sequencer.appliedSeq], [[], 0, 2]);
  await bench.commit();
  t.same(bench.log.splice(0), ['delivered 1', 'answered create_market at 1']);
  t.equal(bench.sequencer.durableSeq, 1);
  await bench.commit();
  t.same(bench.log, ['delivered 2', 'answered open_account at 2']);
});

t.test('a command without a change is not journaled, but waits for the state it saw', async (t) => {
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  await nextTurn();
  bench.submit(createMarket, 'known');
  bench.submit(order(1, { account: CONDITION }), 'reject');
  await nextTurn();
  bench.submit(order(2), 'order');
  bench.submit(order(2), 'duplicate');
  await nextTurn();
  t.same(bench.log, [], 'not even those that saw only the batch that is being committed');
  await bench.commit();
  t.same(bench.log.splice(0), [
    'delivered 1,2,3',
    'answered create_market at 1',
    'answered open_account at 2',
    'answered open_account at 3',
    'answered known at 3',
    'answered reject at 3',
  ]);
  t.same(bench.batches.at(-1)?.kinds, ['place_order'], 'answers leave no gap in the journal');
  await bench.commit();
  t.same(bench.log.splice(0), ['delivered 4', 'answered order at 4', 'answered duplicate at 4']);
  bench.submit(createMarket, 'known');
  await nextTurn();
  t.same(bench.log, ['answered known at 4'], 'at once when everything is durable');
  t.equal(bench.batches.length, 2);
});

t.test('time never goes back, even if the clock does', async (t) => {
  const bench = new Bench(t, { lastTimeMs: 2_000_000 });
  bench.submit(createMarket);
  bench.nowMs = 3_000_000;
  bench.submit(openAccount(ALICE));
  bench.nowMs = 1;
  bench.submit(order(1));
  await nextTurn();
  t.same(bench.batches[0]?.timesMs, [2_000_000, 3_000_000, 3_000_000]);
});

t.test('a batch has a maximum size, and further commands follow in order', async (t) => {
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  const count = 2 * STORE_BOUNDS.batchEvents;
  for (let index = 4; index <= count; index += 1) bench.submit(deposit(`${index}`));
  await nextTurn();
  bench.submit(order(count + 1), 'last');
  bench.submit(order(count + 1), 'duplicate');
  await bench.commit();
  await bench.commit();
  await bench.commit();
  t.same(
    bench.batches.map(({ firstSeq, payloads }) => [firstSeq, payloads.length]),
    [
      [1, STORE_BOUNDS.batchEvents],
      [STORE_BOUNDS.batchEvents + 1, STORE_BOUNDS.batchEvents],
      [count + 1, 1],
    ],
  );
  t.same(bench.log.slice(-2), [
    `answered last at ${count + 1}`,
    `answered duplicate at ${count + 1}`,
  ]);
  t.same(
    bench.delivered.map(({ seq }) => seq),
    Array.from({ length: count + 1 }, (_, index) => index + 1),
  );
});

/** Has a single event. */
function deposit(key: string): Command {
  return { kind: 'deposit', account: ALICE, amountMicros: micros(1), key };
}

// An earlier version bounded only commands: 200 large sweeps in a batch exceeded the string length.
t.test('a batch is bounded by its events too', async (t) => {
  const id = orderIdOf(1);
  const fill: Fill = {
    kind: 'fill',
    conditionId: CONDITION,
    match: 'transfer',
    takerOrderId: id,
    makerOrderId: id,
    takerAccount: ALICE,
    makerAccount: ALICE,
    takerOutcome: 0,
    takerSide: 'BUY',
    makerOutcome: 0,
    makerSide: 'SELL',
    takerPriceTicks: ticks(1),
    makerPriceTicks: ticks(1),
    lots: lots(1),
    bucket: 0,
  };
  const events: EngineEvent[] = Array.from(
    { length: Math.ceil(STORE_BOUNDS.batchEvents / 5) },
    () => fill,
  );
  const engine = {
    inputOf: () => ADVANCE,
    names: new Engine().names,
    apply: () => events,
    nextDueMs: () => Number.POSITIVE_INFINITY,
    isBehind: () => false,
    findRedemptions: () => true,
    digest: 0,
  };
  const bench = new Bench(t, { engine });
  for (let count = 0; count < 12; count += 1) bench.submit({ kind: 'advance_time' });
  await nextTurn();
  while (bench.delivered.length < 12) await bench.commit();
  t.same(
    bench.batches.map(({ payloads }) => payloads.length),
    [5, 5, 2],
    `each has at least ${STORE_BOUNDS.batchEvents} events`,
  );
});

t.test('too many waiting commands are refused and change nothing', async (t) => {
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  await nextTurn();
  const waiting = STORE_BOUNDS.waitingCommands - WORLD.length;
  for (let index = 0; index < waiting; index += 1) bench.sequencer.submit(createMarket, undefined);
  const { appliedSeq } = bench.sequencer;
  await t.rejects(bench.submit(order(1)), { code: 'overloaded' });
  t.equal(bench.sequencer.appliedSeq, appliedSeq);
  await bench.commit();
  bench.submit(order(1), 'order');
  await nextTurn();
  await bench.commit();
  t.ok(bench.log.includes('answered order at 4'), 'there is room again');
});

t.test('a number that JSON can not hold is refused and changes nothing', async (t) => {
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  const gtd = order(1, { type: 'GTD', minimumLeadMs: Number.NaN, expiresAtMs: 8e15 });
  await t.rejects(bench.submit(gtd), { name: 'TypeError', message: /^minimumLeadMs of a command/ });
  const late = order(2, { expiresAtMs: Number.POSITIVE_INFINITY });
  await t.rejects(bench.submit(late), { message: /^expiresAtMs of a command/ });
  t.equal(bench.sequencer.appliedSeq, 3);
});

t.test('draining finishes accepted commands and refuses new ones', async (t) => {
  const bench = new Bench(t);
  bench.submit(createMarket);
  await nextTurn();
  bench.submit(openAccount(ALICE));
  const drained = bench.sequencer.drain().then(() => bench.log.push('drained'));
  await t.rejects(bench.submit(order(1)), { code: 'stopping' });
  bench.log.splice(0);
  await bench.commit();
  await bench.commit();
  await drained;
  t.same(bench.log, [
    'delivered 1',
    'answered create_market at 1',
    'delivered 2',
    'answered open_account at 2',
    'drained',
  ]);
});

t.test('draining an idle sequencer ends at once', async (t) => {
  await new Bench(t).sequencer.drain();
});

t.test('after a failure nothing is answered, even if a commit still succeeds', async (t) => {
  const bench = new Bench(t);
  bench.submit(createMarket);
  await nextTurn();
  bench.submit(openAccount(ALICE));
  bench.sequencer.fail(new Error('the disk is gone'));
  bench.sequencer.fail(new Error('and again'));
  await bench.commit();
  await nextTurn();
  t.same(
    bench.errors.map(({ message }) => message),
    ['the disk is gone'],
    'reported once',
  );
  t.same(bench.log, []);
  t.equal(bench.batches.length, 1, 'nothing more is written');
  await t.rejects(bench.submit(order(1)), { code: 'stopping' });
  await bench.sequencer.drain();
});

t.test('a broken invariant of the engine is fatal', async (t) => {
  const engine = new Engine();
  const broken = {
    inputOf: () => ADVANCE,
    names: new Engine().names,
    apply: () => {
      throw new Error('the books do not balance');
    },
    nextDueMs: () => engine.nextDueMs(),
    isBehind: () => false,
    findRedemptions: () => true,
    digest: 0,
  };
  const bench = new Bench(t, { engine: broken });
  bench.submit(createMarket);
  await nextTurn();
  t.same(
    bench.errors.map(({ message }) => message),
    ['the books do not balance'],
  );
  t.same([bench.log, bench.batches], [[], []]);
});

t.test('a listener that throws is fatal before anything of its batch is answered', async (t) => {
  const bench = new Bench(t, {
    path: {
      durable: () => {
        throw new Error('the views are broken');
      },
    },
  });
  bench.submit(createMarket);
  await nextTurn();
  await bench.commit();
  t.same(
    bench.errors.map(({ message }) => message),
    ['the views are broken'],
  );
  t.same(bench.log, []);
});

t.test('due events happen on a quiet exchange without a command', async (t) => {
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  bench.submit(order(1, { type: 'GTD', expiresAtMs: bench.nowMs + 3 }));
  await nextTurn();
  await bench.commit();
  bench.nowMs += 3;
  while (bench.batches.length < 2) await nextTurn();
  await bench.commit();
  const last = bench.delivered.at(-1);
  t.same([last?.seq, last?.command.kind], [5, 'advance_time']);
  t.match(last?.events, [{ kind: 'order_closed', orderId: orderIdOf(1), reason: 'expired' }, {}]);
});

t.test('after a move of the clock the timer is set by the moved time', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const bench = new Bench(t);
  const DAY_MS = 86_400_000;
  for (const command of WORLD) bench.submit(command);
  bench.submit(order(1, { type: 'GTD', expiresAtMs: bench.nowMs + DAY_MS }));
  await nextTurn();
  await bench.commit();
  bench.sequencer.expectMovedClock();
  bench.nowMs += DAY_MS - 3;
  bench.submit({ kind: 'advance_time' });
  bench.nowMs += 3;
  mock.timers.tick(3);
  await nextTurn();
  await bench.commit();
  t.match(bench.delivered.at(-1), { command: { kind: 'advance_time' } });
  bench.sequencer.drain();
  t.throws(() => bench.sequencer.expectMovedClock(), { code: 'stopping' });
});

t.test('events that fell due while no exchange ran happen at the start', async (t) => {
  const engine = new Engine();
  const gtd = order(1, { type: 'GTD', expiresAtMs: 1_000_001 });
  for (const [index, command] of [...WORLD, gtd].entries()) {
    engine.apply(index + 1, 1_000_000, engine.inputOf(command));
  }
  const bench = new Bench(t, { engine, lastSeq: 4, lastTimeMs: 1_000_000, now: () => 1_000_001 });
  t.equal(bench.sequencer.appliedSeq, 5, 'before any command');
  await nextTurn();
  t.same(bench.batches[0]?.kinds, ['advance_time']);
});

t.test('the journal gets each command with its evidence', async (t) => {
  const engine = new Engine();
  const bench = new Bench(t, { engine });
  for (const command of WORLD) bench.submit(command);
  bench.submit(order(1));
  bench.sequencer.submit(counterOrder(2), { signature: '0xfeed' });
  await nextTurn();
  const [batch] = bench.batches;
  const reader = new PayloadReader();
  const read = (batch?.payloads.slice(3) ?? []).map((payload) => [
    reader.command('place_order', payload, engine.names),
    reader.evidence('place_order', payload),
  ]);
  const evidence = { signature: '0xfeed' };
  t.same(read, [
    [order(1), undefined],
    [counterOrder(2), evidence],
  ]);
});

t.test('a read of the state is answered when everything that it shows is durable', async (t) => {
  const engine = new Engine();
  const bench = new Bench(t, { engine });
  const look = (name: string) => {
    const seen = bench.sequencer.read(() => engine.balance(ALICE, '')?.held);
    return seen.then((held) => bench.log.push(`${name} saw ${held} held`));
  };
  for (const command of WORLD) bench.submit(command);
  await nextTurn();
  look('before');
  bench.submit(order(1), 'order');
  look('after');
  bench.submit(order(1), 'duplicate');
  look('again');
  t.equal(bench.sequencer.waitingCount, WORLD.length + 5);
  await nextTurn();
  t.same(bench.log, []);
  await bench.commit();
  t.equal(bench.log.at(-1), 'before saw 0 held');
  bench.log.splice(0);
  await bench.commit();
  t.same(bench.log.splice(0), [
    'delivered 4',
    'answered order at 4',
    'answered duplicate at 4',
    'after saw 50000 held',
    'again saw 50000 held',
  ]);
  await look('idle');
  t.same(bench.log, ['idle saw 50000 held'], 'at once when everything is durable');
  t.equal(bench.sequencer.waitingCount, 0);
});

t.test('reads share the limit of commands, and are refused after a failure', async (t) => {
  const bench = new Bench(t);
  bench.submit(createMarket);
  await nextTurn();
  for (let index = 1; index < STORE_BOUNDS.waitingCommands; index += 1) {
    bench.sequencer.read(() => index);
  }
  const look = () => bench.sequencer.read(() => t.fail('a refused read must not be called'));
  await t.rejects(look(), { code: 'overloaded' });
  await t.rejects(bench.submit(openAccount(ALICE)), { code: 'overloaded' });
  await bench.commit();
  t.equal(bench.sequencer.waitingCount, 0);
  t.same([bench.sequencer.isOpen, bench.sequencer.hasFailed], [true, false]);
  bench.submit(openAccount(ALICE));
  const pending = bench.sequencer.read(() => 'never');
  pending.then(() => t.fail('the state that was read may never be durable'));
  bench.sequencer.fail(new Error('the disk is gone'));
  t.same([bench.sequencer.isOpen, bench.sequencer.hasFailed], [false, true]);
  await t.rejects(look(), { code: 'stopping' });
  await nextTurn();
});

t.test('an observer is called for each command, commit and answer', async (t) => {
  const calls: string[] = [];
  const durations: number[] = [];
  const bench = new Bench(t, {
    observer: {
      applied: (command, outcome, durationMs) => {
        calls.push(`${command.kind} ${outcome}`);
        durations.push(durationMs);
      },
      committed: (commands, durationMs) => {
        calls.push(`${commands} committed`);
        durations.push(durationMs);
      },
      answered: (queuedMs) => {
        calls.push('answered');
        durations.push(queuedMs);
      },
    },
  });
  const expiring = order(1, { type: 'GTD', expiresAtMs: bench.nowMs + 1 });
  for (const command of [...WORLD, expiring, expiring, createMarket]) bench.submit(command);
  bench.submit({ kind: 'cancel_orders', owner: ALICE, orderIds: [] });
  bench.nowMs += 1;
  bench.submit(order(2, { account: CONDITION }));
  t.same(calls.splice(0), [
    'create_market changed',
    'open_account changed',
    'open_account changed',
    'place_order changed',
    'place_order duplicate',
    'create_market known',
    'cancel_orders unchanged',
    'advance_time changed',
    'place_order account_unknown',
  ]);
  await nextTurn();
  t.same(calls, [], 'nothing is answered before its commit');
  await bench.commit();
  t.same(calls.splice(0), ['5 committed', ...Array(8).fill('answered')]);
  bench.submit(createMarket);
  t.same(calls.splice(0), ['create_market known', 'answered']);
  t.ok(durations.length > 0 && durations.every((durationMs) => durationMs >= 0));
});

t.test('an observer that throws is fatal', async (t) => {
  const applied = () => {
    throw new Error('the observer failed');
  };
  const bench = new Bench(t, { observer: { applied, committed: () => undefined } });
  bench.submit(createMarket);
  t.match(bench.errors, [{ message: 'the observer failed' }]);
});
