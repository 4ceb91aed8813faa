/** Delayed orders in snapshots of earlier programs, which wrote the whole command of each. */
import t from 'tap';
import { createMarket, openAccount, placeOrder, word } from '../../../bench/harness/commands.ts';
import {
  comparableParts,
  Engine,
  lots,
  micros,
  SnapshotLoader,
  type SnapshotPart,
  ticks,
} from '../../../engine/index.ts';

const [ANN, BOB] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const TOKENS = ['11', '22'] as const;

/** An engine in which an order of Bob is delayed. */
function waiting(): Engine {
  const engine = new Engine();
  const order = { account: ANN, tokenId: TOKENS[1], side: 'BUY', type: 'GTC', apiKey: '' } as const;
  const commands = [
    createMarket({ conditionId: word('market'), tokenIds: TOKENS, takerDelayMs: 500 }),
    openAccount(ANN, 1_000_000),
    openAccount(BOB, 1_000_000),
    placeOrder({ ...order, orderId: word('rests'), priceTicks: 5_000, lots: 100 }),
    placeOrder({
      ...order,
      account: BOB,
      tokenId: TOKENS[0],
      orderId: word('waits'),
      priceTicks: 5_000,
      lots: 100,
    }),
  ];
  for (const [at, command] of commands.entries()) engine.applyNamed(at + 1, 1_000, command);
  return engine;
}

/** The same parts, with a field of the terms of each delayed order replaced. */
function edited(parts: Iterable<SnapshotPart>, edits: Readonly<Record<number, unknown>>) {
  return Array.from(parts, (part) => {
    if (part.name !== 'delayed') return part;
    const records: unknown[][] = JSON.parse(Buffer.from(part.bytes).toString());
    for (const record of records) Object.assign(record[5] as unknown[], edits);
    return { name: part.name, bytes: Buffer.from(JSON.stringify(records)) };
  });
}

function texts(parts: Iterable<SnapshotPart>): string[] {
  return Array.from(parts, ({ name, bytes }) => `${name} ${Buffer.from(bytes).toString('latin1')}`);
}

/** What an earlier program wrote behind the terms that a release needs. */
const EARLIER = { 11: 5, 12: 7, 13: word('key'), 14: word('builder'), 15: ['safe', 3] };

t.test(
  'a snapshot of an earlier program gives the same state, and compares as equal',
  async (t) => {
    const engine = waiting();
    const now = [...engine.snapshot()];
    t.equal(engine.delayedOrders(BOB).length, 1);
    const earlier = edited(now, EARLIER);
    t.notSame(texts(earlier), texts(now));
    const loader = new SnapshotLoader();
    for (const part of earlier) loader.take(part);
    const loaded = loader.finish();
    t.same(texts(loaded.snapshot()), texts(now));
    t.same(texts(comparableParts(earlier)), texts(comparableParts(now)));
    const [event] = loaded.applyNamed(9, 1_500, { kind: 'advance_time' });
    t.match(event, { kind: 'order_released', orderId: word('waits') });
  },
);

t.test('another term of a delayed order compares as another', async (t) => {
  const now = [...waiting().snapshot()];
  for (const edits of [{ 8: lots(99) }, { 9: micros(1) }, { 7: ticks(4_900) }, { 10: 1 }]) {
    const other = edited(now, edits);
    t.notSame(texts(comparableParts(other)), texts(comparableParts(now)), JSON.stringify(edits));
  }
});
