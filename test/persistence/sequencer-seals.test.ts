// A batch is sealed when its last command was applied and before any other command is.
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { Engine, micros } from '../../engine/index.ts';
import type { Applied } from '../../persistence/index.ts';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { Bench, seqs } from './sequencer-bench.ts';
import { ALICE, WORLD } from './store-fixture.ts';

t.test('a batch is sealed while the state is the one after it', async (t) => {
  const engine = new Engine();
  const sealed: string[] = [];
  const bench: Bench = new Bench(t, {
    engine,
    path: {
      sealed: (commands) => {
        const available = engine.balance(ALICE, '')?.available;
        sealed.push(`${seqs(commands)} with ${available}`);
        bench.log.push(`sealed ${seqs(commands)}`);
      },
    },
  });
  const deposit = (key: string): Promise<Applied> =>
    bench.submit({ kind: 'deposit', account: ALICE, amountMicros: micros(1), key });
  for (const command of WORLD) bench.submit(command);
  await nextTurn();
  deposit('1');
  deposit('2');
  await bench.commit();
  deposit('3');
  await bench.commit();
  await bench.commit();
  t.strictSame(sealed, ['1,2,3 with 1000000000', '4,5 with 1000000002', '6 with 1000000003']);
  t.strictSame(
    bench.log.filter((line) => !line.startsWith('answered')),
    ['sealed 1,2,3', 'sealed 4,5', 'delivered 1,2,3', 'sealed 6', 'delivered 4,5', 'delivered 6'],
  );
});

t.test('a full batch is sealed before the next command is applied', async (t) => {
  const engine = new Engine();
  const sealed: (number | undefined)[] = [];
  const bench = new Bench(t, {
    engine,
    path: { sealed: () => sealed.push(engine.balance(ALICE, '')?.available) },
  });
  for (const command of WORLD) bench.submit(command);
  for (let key = 0; key < STORE_BOUNDS.batchEvents; key += 1) {
    const amountMicros = micros(1);
    bench.submit({ kind: 'deposit', account: ALICE, amountMicros, key: `${key}` });
  }
  const full = 1_000_000_000 + STORE_BOUNDS.batchEvents - WORLD.length;
  t.strictSame(sealed, [full]);
});
