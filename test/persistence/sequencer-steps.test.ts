// Work that takes several steps: what is due is worked off before the calls that wait for it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Command, Engine, micros } from '../../engine/index.ts';
import type { Applied } from '../../persistence/index.ts';
import { STORE_BOUNDS } from '../../persistence/shared/index.ts';
import { Bench } from './sequencer-bench.ts';
import { ALICE, BOB, CONDITION, counterOrder, order, WORLD } from './store-fixture.ts';

/** Five orders that expire at the same time, in an engine that expires two at a time. */
async function withFiveDue(t: Test) {
  const engine = new Engine({ workPerCommand: 2 });
  const bench = new Bench(t, { engine });
  const expiresAtMs = bench.nowMs + 3;
  for (const command of WORLD) bench.submit(command);
  for (let index = 1; index <= 5; index += 1) {
    bench.submit(order(index, { type: 'GTD', expiresAtMs }));
  }
  await nextTurn();
  await bench.commit();
  bench.log.splice(0);
  bench.nowMs = expiresAtMs;
  return { bench, engine };
}

/** Commits what is written until a seq is durable. */
async function untilDurable(bench: Bench, seq: number): Promise<void> {
  while (bench.sequencer.durableSeq < seq) {
    await nextTurn();
    const { firstSeq, payloads } = bench.batches.at(-1)!;
    if (firstSeq + payloads.length - 1 > bench.sequencer.durableSeq) await bench.commit();
  }
}

const STEPS = ['advance_time', 'advance_time', 'advance_time'];

t.test('what is due is worked off in steps, and later calls wait in order', async (t) => {
  const { bench, engine } = await withFiveDue(t);
  bench.submit(counterOrder(6), 'order');
  t.equal(bench.sequencer.appliedSeq, 9, 'one step at once');
  const read = bench.sequencer.read(() => engine.balance(BOB, '')?.held);
  read.then((held) => bench.log.push(`read ${held}`));
  bench.submit(order(7), 'next');
  t.equal(bench.sequencer.waitingCount, 3);
  for (const appliedSeq of [10, 13, 13]) {
    await nextTurn();
    t.equal(bench.sequencer.appliedSeq, appliedSeq, 'one step in a turn, and then what waited');
  }
  await untilDurable(bench, 13);
  t.same(
    bench.delivered.slice(8).map(({ command }) => command.kind),
    [...STEPS, 'place_order', 'place_order'],
  );
  t.same(
    bench.log.filter((line) => !line.startsWith('delivered')),
    ['answered order at 12', 'answered next at 13', 'read 50000'],
  );
});

t.test('the timer works off what is due in steps too, and a stop waits for them', async (t) => {
  const { bench } = await withFiveDue(t);
  while (bench.sequencer.appliedSeq === 8) await nextTurn();
  t.equal(bench.sequencer.appliedSeq, 9);
  const drained = bench.sequencer.drain().then(() => bench.log.push('drained'));
  await untilDurable(bench, 11);
  await drained;
  t.same(
    bench.delivered.slice(8).map(({ command }) => command.kind),
    STEPS,
  );
});

t.test('the answer to an advance of time has the events of all its steps', async (t) => {
  const { bench } = await withFiveDue(t);
  const answering = bench.submit({ kind: 'advance_time' });
  await untilDurable(bench, 11);
  const { seq, steps = [] } = await answering;
  t.equal(seq, 9, 'the seq of the first step');
  t.strictSame(steps.map(closedIn), [2, 2, 1]);
});

function closedIn({ events }: Pick<Applied, 'events'>): number {
  return events.filter(({ kind }) => kind === 'order_closed').length;
}

// A closing of 200,000 orders was answered with 600,000 events, which several readers walked over.
t.test('the answer to a closing has its steps without the orders that they end', async (t) => {
  const { bench } = await withFiveDue(t);
  bench.nowMs -= 1;
  const answering = bench.submit({ kind: 'close_market', conditionId: CONDITION });
  await untilDurable(bench, 11);
  const { steps = [] } = await answering;
  t.strictSame(
    steps.map((step) => [step.seq, closedIn(step)]),
    [
      [9, 2],
      [10, 0],
      [11, 0],
    ],
  );
});

t.test('accounts to pay are found in turns of their own before an advance of time', async (t) => {
  const engine = new Engine();
  const applied: string[] = [];
  let searches = 0;
  const bench = new Bench(t, {
    engine: {
      names: engine.names,
      digest: 0,
      inputOf: (command) => engine.inputOf(command),
      nextDueMs: () => Number.POSITIVE_INFINITY,
      isBehind: () => false,
      findRedemptions: () => {
        searches += 1;
        return searches === 3;
      },
      apply: (...inputs) => {
        applied.push(inputs[2].kind);
        return engine.apply(...inputs);
      },
    },
  });
  bench.submit({ kind: 'advance_time' });
  const [openAlice] = WORLD;
  bench.submit(openAlice!);
  t.strictSame([searches, applied], [1, []], 'one part at once');
  await nextTurn();
  t.strictSame([searches, applied], [2, []]);
  await nextTurn();
  t.strictSame([searches, applied], [3, ['advance_time', openAlice!.kind]]);
});

// A commit that ended while a long batch was delivered was delivered in the same turn.
t.test('the commit after a long batch begins when that is delivered', async (t) => {
  const { batchEvents } = STORE_BOUNDS;
  const bench = new Bench(t);
  for (const command of WORLD) bench.submit(command);
  for (let key = 0; key < 2 * batchEvents; key += 1) bench.submit(deposit(`${key}`));
  await nextTurn();
  t.equal(bench.batches.length, 1);
  bench.sequencer.committed(batchEvents);
  t.equal(bench.batches.length, 1, 'not in the turn that delivers');
  await nextTurn();
  t.equal(bench.batches.length, 2);
  bench.sequencer.committed(2 * batchEvents);
  await nextTurn();
  t.equal(bench.batches.length, 3);
});

/** Has a single event. */
function deposit(key: string): Command {
  return { kind: 'deposit', account: ALICE, amountMicros: micros(1), key };
}

t.test(
  'a failure in a later step ends the exchange, and what waits stays unanswered',
  async (t) => {
    const { bench, engine } = await withFiveDue(t);
    bench.submit(counterOrder(6));
    engine.apply = () => {
      throw new Error('the books do not balance');
    };
    await nextTurn();
    t.match(bench.errors, [{ message: 'the books do not balance' }]);
    await nextTurn();
    await nextTurn();
    t.same(bench.log, []);
    await bench.sequencer.drain();
  },
);

t.test('a view that throws refuses its own read only', async (t) => {
  const { bench } = await withFiveDue(t);
  bench.submit(counterOrder(6), 'order');
  const broken = () => {
    throw new Error('no such view');
  };
  const reading = bench.sequencer.read(broken);
  await t.rejects(reading, { message: 'no such view' });
  await t.rejects(bench.sequencer.read(broken), { message: 'no such view' });
  t.same([bench.errors, bench.sequencer.hasFailed], [[], false]);
});
