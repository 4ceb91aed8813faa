import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { startPrewarming } from '../../catalog/prewarm.ts';

/** Runs `count` steps and resolves `end` when nothing is left. */
function started(count: number, turnMs: number) {
  const steps = { done: 0, asked: 0 };
  let ended = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const step = (): boolean => {
    steps.asked += 1;
    if (steps.done === count) {
      ended();
      return false;
    }
    steps.done += 1;
    return true;
  };
  return { steps, end, stop: startPrewarming({ step, turnMs, pauseMs: 1 }) };
}

t.test('all steps run in turns, and none after the last', async (t) => {
  for (const turnMs of [0.01, 5]) {
    const { steps, end } = started(50, turnMs);
    t.equal(steps.asked, 0, 'nothing before the first pause');
    await end;
    await pause(20);
    t.strictSame(steps, { done: 50, asked: 51 });
  }
});

t.test('a step that throws is the last one', async (t) => {
  let asked = 0;
  startPrewarming({
    step: () => {
      asked += 1;
      throw new Error('a damaged record');
    },
    turnMs: 5,
    pauseMs: 1,
  });
  await pause(20);
  t.equal(asked, 1);
});

t.test('no step runs after the stop', async (t) => {
  const early = started(50, 5);
  early.stop();
  const endless = started(Number.POSITIVE_INFINITY, 0.01);
  while (endless.steps.done === 0) await pause(1);
  endless.stop();
  const { done } = endless.steps;
  await pause(20);
  t.strictSame(early.steps, { done: 0, asked: 0 });
  t.equal(endless.steps.done, done);
});
