// Work that takes several steps: what is due is worked off before the calls that wait for it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Engine } from '../../engine/index.ts';
import { Bench } from './sequencer-bench.ts';
import { BOB, counterOrder, order, WORLD } from './store-fixture.ts';

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
  const { seq, events } = await answering;
  t.equal(seq, 9, 'the seq of the first step');
  t.equal(events.filter(({ kind }) => kind === 'order_closed').length, 5);
});

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
