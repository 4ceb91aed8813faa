import t from 'tap';
import { Engine } from '../../../engine/index.ts';
import { times } from '../../long-set.ts';
import { runRandom } from '../random/run.ts';

t.test('the engine knows the accepted seq of an order while it is live or remembered', (t) => {
  /** The accepted seq of every order that was ever accepted. */
  const accepted = new Map<string, number>();
  const counts = { live: 0, remembered: 0, forgotten: 0 };
  const idsOf = (orders: Iterable<{ readonly orderId: string }>): string[] =>
    Array.from(orders, ({ orderId }) => orderId);
  runRandom(
    { seed: 11, commands: times(6_000, 20_000), every: 100 },
    (engine, index) => {
      const { recentOrders, markets, delayedOrders } = engine.state();
      const resting = [...markets].flatMap(({ bids, asks }) => [...bids, ...asks]);
      const live = new Set([...idsOf(resting), ...idsOf(delayedOrders)]);
      const remembered = new Set(idsOf(recentOrders));
      const expected = [...accepted].map(([orderId, acceptedSeq]) => {
        const isLive = live.has(orderId);
        const isKnown = isLive || remembered.has(orderId);
        counts[isLive ? 'live' : isKnown ? 'remembered' : 'forgotten'] += 1;
        return isKnown ? acceptedSeq : undefined;
      });
      const found = [...accepted.keys()].map((orderId) => engine.acceptedSeq(orderId));
      t.ok(JSON.stringify(found) === JSON.stringify(expected), `after ${index} commands`);
    },
    ({ seq }, events) => {
      for (const event of events)
        if (event.kind === 'order_accepted') accepted.set(event.orderId, seq);
    },
  );
  for (const [what, count] of Object.entries(counts)) t.ok(count > 1_000, `${count} ${what}`);
  t.end();
});

t.test('invalid and unused order ids have no accepted seq', (t) => {
  const engine = new Engine();
  const [tooShort, notHex, unused] = ['a'.repeat(63), 'g'.repeat(64), 'a'.repeat(64)];
  for (const orderId of ['', '0x', `0x${tooShort}`, `0x${notHex}`, `0x${unused}`]) {
    t.equal(engine.acceptedSeq(orderId), undefined, orderId);
  }
  t.end();
});
