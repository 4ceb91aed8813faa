import fc from 'fast-check';
import t from 'tap';
import { FairQueue } from '../../../http/admission/fair-queue.ts';
import { RecentUse } from '../../../http/admission/recent-use.ts';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';

/** A queue whose clock the test sets. */
function makeQueue<Item>() {
  const clock = { nowMs: 1_000 };
  const use = new RecentUse(OVERLOAD_BOUNDS, () => clock.nowMs);
  return { clock, use, queue: new FairQueue<Item>(use) };
}

function from(address: string, owner: string) {
  return { address, owner };
}

t.test(
  "an order waits behind one of another owner's two thousand, not behind all of them",
  async (t) => {
    const { queue } = makeQueue<string>();
    for (let item = 0; item < 2_000; item += 1) queue.push(from('1', 'flood'), `f${item}`);
    queue.push(from('1', 'quiet'), 'q');
    t.strictSame(queue.take(3), ['f0', 'q', 'f1']);
    t.equal(queue.length, 1_998);
    t.equal(queue.take(5_000).length, 1_998);
    t.strictSame(queue.take(1), []);
  },
);

t.test('networks take turns first, then owners', async (t) => {
  const { queue } = makeQueue<string>();
  for (let owner = 0; owner < 3; owner += 1) {
    for (const item of [1, 2]) queue.push(from('2001:db8::1', `${owner}`), `${owner}${item}`);
  }
  queue.push(from('2001:db8:1::1', 'q'), 'q1');
  queue.push(from('2001:db8:1::2', 'q'), 'q2');
  t.strictSame(queue.take(9), ['01', 'q1', '11', 'q2', '21', '02', '12', '22']);
});

t.test("no item is lost or doubled, and each owner's items keep their order", async () => {
  const push = fc.record({
    network: fc.nat(2),
    owner: fc.nat(2),
    take: fc.nat(3),
    charge: fc.nat(5),
    passMs: fc.constantFrom(0, 0, 400, 3_000),
  });
  fc.assert(
    fc.property(fc.array(push), (pushes) => {
      const { queue, use, clock } = makeQueue<readonly [string, number]>();
      const out: (readonly [string, number])[] = [];
      pushes.forEach(({ network, owner, take, charge, passMs }, number) => {
        use.charge(from(`${network}`, `${owner}`), charge);
        clock.nowMs += passMs;
        queue.push(from(`${network}`, `${owner}`), [`${network}.${owner}`, number]);
        out.push(...queue.take(take));
      });
      out.push(...queue.take(pushes.length));
      const last = new Map<string, number>();
      const isInOrder = out.every(([who, number]) => {
        const isLater = number > (last.get(who) ?? -1);
        last.set(who, number);
        return isLater;
      });
      return isInOrder && out.length === pushes.length && queue.length === 0;
    }),
  );
});

t.test('those that lately signed wrong go last, networks and then owners', async (t) => {
  const { queue, use, clock } = makeQueue<string>();
  const [wrong, right] = [from('192.0.2.1', 'wrong'), from('192.0.2.1', 'right')];
  const other = from('198.51.100.1', 'other');
  use.chargeWrongSignature(wrong);
  use.charge(other, 1_000);
  for (const item of ['w1', 'w2']) queue.push(wrong, item);
  queue.push(right, 'r1');
  for (const item of ['o1', 'o2']) queue.push(other, item);
  t.strictSame(queue.take(4), ['o1', 'o2', 'r1', 'w1']);
  for (const item of ['o3', 'o4']) queue.push(other, item);
  clock.nowMs += 3 * OVERLOAD_BOUNDS.wrongWindowMs;
  t.strictSame(queue.take(3), ['o3', 'w2', 'o4'], 'what was long ago is forgotten');
});
