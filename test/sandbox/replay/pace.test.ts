import t from 'tap';
import { Pace } from '../../../sandbox/replay/pace.ts';

/** Waits on a clock of its own and returns the times at which messages were due. */
async function dueTimes(
  recorded: readonly (number | undefined)[],
  speed: number,
  workMs = 0,
): Promise<readonly number[]> {
  let nowMs = 100;
  const sleep = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const pace = new Pace({ speed, longestPauseMs: 60_000, nowMs: () => nowMs, sleep });
  const due: number[] = [];
  for (const time of recorded) {
    await pace.wait(time);
    due.push(nowMs - 100);
    nowMs += workMs;
  }
  return due;
}

t.test('messages are due at their recorded distances, or N times faster', async (t) => {
  const recorded = [5_000, 5_500, 5_500, 8_000];
  t.strictSame(await dueTimes(recorded, 1), [0, 500, 500, 3_000]);
  t.strictSame(await dueTimes(recorded, 10), [0, 50, 50, 300]);
  t.strictSame(await dueTimes(recorded, 0.5), [0, 1_000, 1_000, 6_000]);
  t.strictSame(await dueTimes(recorded, Number.POSITIVE_INFINITY), [0, 0, 0, 0]);
});

t.test('the time that work takes is part of the distances', async (t) => {
  t.strictSame(await dueTimes([0.5, 1_000.5, 2_000.5], 1, 300), [0, 1_000, 2_000]);
  t.strictSame(await dueTimes([0.5, 100.5, 2_000.5], 1, 300), [0, 300, 2_000], 'it catches up');
});

t.test('times that go back, or that are missing, cost no wait', async (t) => {
  const recorded = [5_000, 6_000, 1_000, undefined, 6_500, 7_000];
  t.strictSame(await dueTimes(recorded, 1), [0, 1_000, 1_000, 1_000, 1_500, 2_000]);
});

t.test('a longer pause is shortened to the longest one', async (t) => {
  t.strictSame(await dueTimes([1, 86_400_000_001, 86_400_001_001], 2), [0, 30_000, 30_500]);
});
