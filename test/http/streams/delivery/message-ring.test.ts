import fc from 'fast-check';
import t from 'tap';
import type { Outcome } from '../../../../engine/index.ts';
import { MessageRing, RingStore } from '../../../../http/streams/delivery/message-ring.ts';
import { collectGarbage } from '../../../heap.ts';
import { times } from '../../../long-set.ts';

function YES(outcome: Outcome): boolean {
  return outcome === 0;
}
function NO(outcome: Outcome): boolean {
  return outcome === 1;
}
function BOTH(): boolean {
  return true;
}

function textsAfter(ring: MessageRing, sequence: number, wants: (outcome: Outcome) => boolean) {
  return [...ring.after(sequence, wants)].map(({ text }) => text);
}

/** A ring with a step for all, one in two copies, and one more for all. */
function filled(store: RingStore): MessageRing {
  const ring = new MessageRing(store, 4, false);
  ring.add(5, undefined, 'all 5');
  ring.add(6, 0, 'yes 6');
  ring.add(6, 1, 'no 6');
  ring.add(7, undefined, 'all 7');
  return ring;
}

t.test('a reader gets the missed messages of its tokens', async (t) => {
  const ring = filled(new RingStore({ ringBytesPerMarket: 100, ringBytes: 100 }));
  t.strictSame(textsAfter(ring, 4, BOTH), ['all 5', 'yes 6', 'no 6', 'all 7']);
  t.strictSame(textsAfter(ring, 4, YES), ['all 5', 'yes 6', 'all 7']);
  t.strictSame(textsAfter(ring, 5, NO), ['no 6', 'all 7']);
  t.strictSame(textsAfter(ring, 7, BOTH), []);
});

t.test('the second copy of the last step is replayed', async (t) => {
  const ring = filled(new RingStore({ ringBytesPerMarket: 100, ringBytes: 100 }));
  t.strictSame(textsAfter(ring, 6, BOTH), ['no 6', 'all 7']);
  t.strictSame(textsAfter(ring, 6, NO), ['no 6', 'all 7'], 'a reader of both may resume one');
  t.strictSame(textsAfter(ring, 6, YES), ['all 7']);
});

/** Messages dropped, the last sequence read, whether NO is wanted, and whether the ring reaches. */
const REACHES: readonly (readonly [number, number, boolean, boolean])[] = [
  [0, 3, false, false],
  [0, 4, false, true],
  [0, 4, true, true],
  [1, 4, false, false],
  [1, 5, true, true],
  [2, 5, false, false],
  [2, 6, false, true],
  [2, 6, true, false],
  [3, 6, false, true],
  [3, 6, true, false],
  [4, 6, false, false],
  [4, 7, true, true],
];

t.test('a ring knows whether it has every message after a sequence', async (t) => {
  for (const [gone, sequence, wantsNo, reaches] of REACHES) {
    const ring = filled(new RingStore({ ringBytesPerMarket: 100, ringBytes: 100 }));
    for (let index = 0; index < gone; index += 1) ring.dropOldest();
    const what = `${gone} gone, left off at ${sequence}, the NO token: ${wantsNo}`;
    t.equal(ring.reaches(sequence, wantsNo), reaches, what);
  }
  const store = new RingStore({ ringBytesPerMarket: 100, ringBytes: 100 });
  t.equal(new MessageRing(store, 4, true).reaches(4, true), false, 'a copy of 4 may be missing');
});

t.test('a ring drops its oldest messages at its bound', async (t) => {
  const store = new RingStore({ ringBytesPerMarket: 12, ringBytes: 100 });
  const ring = filled(store);
  t.strictSame(textsAfter(ring, 5, BOTH), ['no 6', 'all 7']);
  t.equal(store.bytes, 9);
  ring.add(8, undefined, 'longer than its bound');
  t.strictSame(textsAfter(ring, 0, BOTH), []);
  t.equal(ring.reaches(7, true), false);
  t.equal(ring.reaches(8, true), true);
  t.equal(store.bytes, 0);
});

t.test('all rings together drop the oldest messages of any ring', async (t) => {
  const store = new RingStore({ ringBytesPerMarket: 30, ringBytes: 40 });
  const [first, second] = [filled(store), filled(store)];
  t.equal(store.bytes, 38);
  second.add(8, undefined, 'all 8');
  t.equal(store.bytes, 38, 'no more was dropped than needed');
  t.strictSame(textsAfter(first, 4, BOTH), ['yes 6', 'no 6', 'all 7']);
  first.clear();
  t.equal(store.bytes, 24);
  t.equal(first.reaches(7, true), true);
  t.equal(first.reaches(6, false), false);
  second.clear();
  t.equal(store.bytes, 0);
});

t.test('a ring with many dropped messages has the remaining ones', async (t) => {
  const store = new RingStore({ ringBytesPerMarket: 40, ringBytes: 1_000 });
  const ring = new MessageRing(store, 0, false);
  for (let sequence = 1; sequence <= 100; sequence += 1) {
    ring.add(sequence, undefined, `${sequence}`.padStart(4));
    const from = Math.max(0, sequence - 10);
    t.equal(ring.reaches(from, true), true);
    t.equal(ring.reaches(from - 1, true), false);
    t.equal(textsAfter(ring, from, BOTH).length, Math.min(sequence, 10));
  }
  t.equal(store.bytes, 40);
});

/** A naive reference with plain lists: the messages that the store should keep. */
function plainly(adds: readonly (readonly [ring: number, length: number])[]): string[][] {
  let kept: { readonly ring: number; readonly text: string }[] = [];
  const bytesOf = (wanted: (ring: number) => boolean): number =>
    kept.reduce((sum, { ring, text }) => sum + (wanted(ring) ? text.length : 0), 0);
  for (const [at, [ring, length]] of adds.entries()) {
    kept.push({ ring, text: `${at}`.padEnd(length) });
    // The bound of a ring applies after that of all rings together.
    while (bytesOf(() => true) > 60) kept = kept.slice(1);
    while (bytesOf((one) => one === ring) > 25) {
      const oldest = kept.findIndex((message) => message.ring === ring);
      kept = kept.filter((_, index) => index !== oldest);
    }
  }
  return [0, 1, 2, 3].map((ring) =>
    kept.filter((one) => one.ring === ring).map(({ text }) => text),
  );
}

t.test('several rings keep the same messages as plain lists', async () => {
  const anyAdd = fc.tuple(fc.nat(3), fc.integer({ min: 3, max: 30 }));
  fc.assert(
    fc.property(fc.array(anyAdd, { maxLength: 120 }), (adds) => {
      const store = new RingStore({ ringBytesPerMarket: 25, ringBytes: 60 });
      const rings = [0, 1, 2, 3].map(() => new MessageRing(store, 0, false));
      for (const [at, [ring, length]] of adds.entries()) {
        rings[ring]?.add(at + 1, undefined, `${at}`.padEnd(length));
      }
      const texts = rings.map((ring) => textsAfter(ring, 0, BOTH));
      const isSame = JSON.stringify(texts) === JSON.stringify(plainly(adds));
      return isSame && store.bytes === texts.flat().join('').length;
    }),
    { numRuns: times(100, 2_000) },
  );
});

t.test('dropped messages are released from memory at once', async (t) => {
  const ring = new MessageRing(
    new RingStore({ ringBytesPerMarket: 100, ringBytes: 1_000 }),
    0,
    false,
  );
  const kept = Array.from({ length: 15 }, (_, index) => {
    const text = String(index).padEnd(10);
    return new WeakRef(ring.add(index + 1, undefined, text));
  });
  await collectGarbage();
  t.strictSame(
    kept.map((one) => one.deref() !== undefined),
    kept.map((_, index) => index >= 5),
  );
  t.equal([...ring.after(5, BOTH)].length, 10);
});
