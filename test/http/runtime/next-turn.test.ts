import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { nextTurn } from '../../../http/runtime/log.ts';

t.test('each caller gets its own turn, in order', async (t) => {
  const turns: number[] = [];
  let turn = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    while (!isDone) {
      await setImmediate();
      turn += 1;
    }
  };
  const work = async (): Promise<void> => {
    for (let slice = 0; slice < 5; slice += 1) {
      await nextTurn();
      turns.push(turn);
    }
  };
  const counting = count();
  await Promise.all([work(), work(), work(), work()]);
  isDone = true;
  await counting;
  t.equal(turns.length, 20);
  t.equal(new Set(turns).size, 20, 'no two slices in one turn');
});
