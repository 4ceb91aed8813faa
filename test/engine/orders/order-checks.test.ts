import t from 'tap';
import { Engine } from '../../../engine/index.ts';
import { makeNaive, makeReal } from '../engines.ts';
import { type JournalEntry, runTwins } from '../random/twins.ts';

t.test('an order is known by its seq as long as it is live or remembered', (t) => {
  const journal: JournalEntry[] = [];
  const onChange = (entry: JournalEntry) => journal.push(entry);
  const engines = [makeNaive, makeReal] as const;
  const { bounds } = runTwins({ seed: 11, commands: 6_000, engines, stateEvery: 1_000, onChange });
  const engine = new Engine(bounds);
  /** Of all orders that were ever accepted. */
  const accepted = new Map<string, number>();
  const told = { live: 0, remembered: 0, forgotten: 0 };
  for (const [index, { seq, timeMs, command }] of journal.entries()) {
    for (const event of engine.apply(seq, timeMs, command)) {
      if (event.kind === 'order_accepted') accepted.set(event.orderId, seq);
    }
    if (index % 100 !== 0) continue;
    const { recentOrders, markets, delayedOrders } = engine.state();
    const resting = [...markets].flatMap(({ bids, asks }) => [...bids, ...asks]);
    const idsOf = (orders: Iterable<{ readonly orderId: string }>): string[] =>
      [...orders].map(({ orderId }) => orderId);
    const live = new Set([...idsOf(resting), ...idsOf(delayedOrders)]);
    const remembered = new Set(idsOf(recentOrders));
    const expected = [...accepted].map(([orderId, acceptedSeq]) => {
      const isLive = live.has(orderId);
      const isKnown = isLive || remembered.has(orderId);
      told[isLive ? 'live' : isKnown ? 'remembered' : 'forgotten'] += 1;
      return isKnown ? acceptedSeq : undefined;
    });
    const found = [...accepted.keys()].map((orderId) => engine.acceptedSeq(orderId));
    t.ok(JSON.stringify(found) === JSON.stringify(expected), `after ${index} changes`);
  }
  for (const [what, count] of Object.entries(told)) t.ok(count > 1_000, `${count} ${what}`);
  t.end();
});

t.test('what is no order id, or of no order, is not known', (t) => {
  const engine = new Engine();
  const [short, foreign, free] = ['a'.repeat(63), 'g'.repeat(64), 'a'.repeat(64)];
  for (const orderId of ['', '0x', `0x${short}`, `0x${foreign}`, `0x${free}`]) {
    t.equal(engine.acceptedSeq(orderId), undefined, orderId);
  }
  t.end();
});
