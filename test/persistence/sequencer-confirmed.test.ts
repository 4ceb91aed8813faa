// A process that may not be the core any more shows its state only once it knows that it is.
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { Engine } from '../../engine/index.ts';
import { Bench } from './sequencer-bench.ts';
import { WORLD } from './store-fixture.ts';

// A read that waited with a batch was answered by the batch's commit, however old that was.
t.test('a read waits until it is confirmed, with a batch and without', async (t) => {
  let isConfirmed = false;
  const bench: Bench = new Bench(t, { engine: new Engine(), isConfirmed: () => isConfirmed });
  const shown: string[] = [];
  const read = (name: string): void => {
    bench.sequencer
      .read(() => bench.sequencer.appliedSeq)
      .then((seq) => shown.push(`${name} ${seq}`), t.error);
  };
  read('before');
  const answers = WORLD.map((command) => bench.submit(command));
  read('with the batch');
  await nextTurn();
  await bench.commit();
  await Promise.all(answers);
  t.strictSame(shown, [], 'what changed something is answered, and nothing is shown');
  isConfirmed = true;
  bench.sequencer.confirmed();
  await nextTurn();
  t.strictSame(shown, ['before 0', 'with the batch 3']);
  t.equal(bench.sequencer.waitingCount, 0);
});
