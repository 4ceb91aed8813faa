import t from 'tap';
import { RecentUse } from '../../../http/admission/recent-use.ts';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';

const { useWindowMs, wrongWindowMs } = OVERLOAD_BOUNDS;
const ALICE = { address: '192.0.2.1', owner: '0xa' };
const BOB = { ...ALICE, owner: '0xb' };
const CAROL = { address: '198.51.100.1', owner: '0xa' };

function make(changes = {}) {
  const clock = { nowMs: 5_000 };
  return { clock, use: new RecentUse({ ...OVERLOAD_BOUNDS, ...changes }, () => clock.nowMs) };
}

t.test('a level is the number of binary digits of what was used', async (t) => {
  const { use } = make();
  for (const [orders, level] of [
    [0, 0],
    [1, 1],
    [1, 2],
    [1, 2],
    [1, 3],
    [250, 8],
  ] as const) {
    use.charge(ALICE, orders);
    t.strictSame(use.levelsOf(ALICE), { network: level, owner: level });
  }
  t.strictSame(use.levelsOf(BOB), { network: 8, owner: 0 }, 'another owner of the network');
  t.strictSame(use.levelsOf(CAROL), { network: 0, owner: 0 }, 'the same owner elsewhere');
});

t.test('orders are forgotten after one to two windows', async (t) => {
  for (const [passMs, level] of [
    [useWindowMs - 1, 3],
    [useWindowMs, 3],
    [2 * useWindowMs - 1, 3],
    [2 * useWindowMs, 0],
    [100 * useWindowMs, 0],
  ] as const) {
    const { use, clock } = make();
    use.charge(ALICE, 4);
    clock.nowMs += passMs;
    t.equal(use.levelsOf(ALICE).owner, level, `${passMs} ms`);
  }
});

t.test('one wrong signature puts its sender behind those that sign right', async (t) => {
  const { use, clock } = make();
  use.chargeWrongSignature(ALICE);
  use.charge(CAROL, 60);
  t.ok(use.levelsOf(ALICE).network > use.levelsOf(CAROL).network);
  clock.nowMs += wrongWindowMs;
  t.ok(use.levelsOf(ALICE).owner > 0, 'still after ten seconds');
  clock.nowMs += wrongWindowMs;
  t.equal(use.levelsOf(ALICE).owner, 0);
});

t.test('a window that is full ends early', async (t) => {
  const { use } = make({ useCounts: 10 });
  const before = use.endedWindows;
  for (let number = 0; number < 100; number += 1) {
    use.charge({ address: `10.0.0.${number}`, owner: '0xa' }, 1);
  }
  t.ok(use.endedWindows - before >= 10);
  t.equal(use.levelsOf({ address: '10.0.0.0', owner: '0xa' }).owner, 0, 'the oldest are forgotten');
  t.equal(use.levelsOf({ address: '10.0.0.99', owner: '0xa' }).owner, 1);
});
