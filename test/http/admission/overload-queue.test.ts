// How the load gate handles too many orders: figures of a server in simulated time.
import t from 'tap';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import { runQueue } from './overload-queue.ts';

const { congestedWaitMs, slowDiskMs, waitingOrders } = OVERLOAD_BOUNDS;
const SECONDS = 3;

t.test('at and beyond capacity goodput exceeds 92% and answers are fast', async (t) => {
  for (const [perSecond, commitMs, times] of [
    [1_500, 2, 2],
    [1_500, 15, 1],
    [1_500, 40, 2],
    [4_000, 2, 1],
    [4_000, 2, 2],
    [4_000, 2, 5],
    [4_000, 40, 2],
  ] as const) {
    const label = `${times} times ${perSecond}/s, commits of ${commitMs} ms`;
    const { goodput, p99Ms, mostWaiting } = runQueue({
      perSecond,
      times,
      commitMs,
      seconds: SECONDS,
    });
    t.ok(goodput > 0.92, `${label}: goodput ${goodput}`);
    // Twice the target, since owners do not wait equally long, and two commits.
    t.ok(p99Ms < 2 * congestedWaitMs + 2 * commitMs, `${label}: p99 ${p99Ms} ms`);
    t.ok(mostWaiting < waitingOrders / 4, `${label}: ${mostWaiting} waited`);
  }
});

t.test('below capacity no order is refused, also on a slow disk', async (t) => {
  for (const commitMs of [2, 40]) {
    const { refused } = runQueue({ perSecond: 4_000, times: 0.85, commitMs, seconds: SECONDS });
    t.equal(refused, 0, `commits of ${commitMs} ms`);
  }
});

t.test('a far too slow disk lowers goodput, but latency is still bounded', async (t) => {
  const figures = runQueue({ perSecond: 2_000, times: 2, commitMs: 150, seconds: SECONDS });
  t.ok(figures.goodput > 0.3, `${figures.goodput}`);
  t.ok(figures.p99Ms < 2 * (congestedWaitMs + slowDiskMs), `${figures.p99Ms} ms`);
});
