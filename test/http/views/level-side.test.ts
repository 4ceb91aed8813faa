// The levels of one side of a book: order, best price, texts, and old versions that stay as they
// are.
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { lots, ticks } from '../../../engine/index.ts';
import { LevelSide, type Levels } from '../../../http/views/level-side.ts';
import { times } from '../../long-set.ts';

type Side = 'bid' | 'ask';
/** Price and size of each level, worst first. */
type Entries = readonly (readonly [price: number, size: number])[];

function entriesOf(levels: Levels): Entries {
  const entries: [number, number][] = [];
  levels.forEach((price, { lots: size }) => {
    entries.push([price, size]);
  });
  return entries;
}

function worstFirst(model: ReadonlyMap<number, number>, side: Side): Entries {
  const sign = side === 'bid' ? 1 : -1;
  return [...model].sort(([a], [b]) => sign * (a - b));
}

function textOf(entries: Entries, outcome: 0 | 1): string {
  const levels = entries.map(([price, size]) => ({
    price: `${(outcome === 0 ? price : 10_000 - price) / 10_000}`,
    size: `${size / 100}`,
  }));
  return JSON.stringify(levels).slice(1, -1);
}

/** Sets levels in turn and compares each version, at once and again at the end, with a Map. */
function checkSide(side: Side, changes: Entries): void {
  const levels = new LevelSide(side);
  const model = new Map<number, number>();
  const versions: [Levels, Entries][] = [];
  for (const [price, size] of changes) {
    levels.set(ticks(price), lots(size));
    if (size === 0) model.delete(price);
    else model.set(price, size);
    const expected = worstFirst(model, side);
    versions.push([levels.levels, expected]);
    assert.equal(levels.levels.length, expected.length);
    assert.equal(levels.bestTicks, expected.at(-1)?.[0] ?? (side === 'bid' ? 0 : 10_000));
    for (const outcome of [0, 1] as const) {
      assert.equal(levels.textFor(outcome), textOf(expected, outcome));
    }
  }
  for (const [version, expected] of versions) assert.deepEqual(entriesOf(version), expected);
}

// Few prices, so that levels are set again and removed as often as they are added.
const change = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 2 }));

for (const side of ['bid', 'ask'] as const) {
  t.test(`every version of random ${side} levels equals a sorted Map`, async (t) => {
    const changes = fc.array(change, { maxLength: 80 });
    fc.assert(
      fc.property(changes, (drawn) => checkSide(side, drawn)),
      { numRuns: times(50, 2_000) },
    );
    t.pass('no counterexample');
  });
}

t.test('an empty side has the best price of an empty book', async (t) => {
  t.equal(new LevelSide('bid').bestTicks, 0);
  t.equal(new LevelSide('ask').bestTicks, 10_000);
});

t.test('removing a level that is not there changes nothing', async (t) => {
  const bids = new LevelSide('bid');
  bids.set(ticks(4_000), lots(5));
  const before: Levels = bids.levels;
  bids.set(ticks(3_000), lots(0));
  t.equal(bids.levels, before);
  t.equal(bids.levels.get(ticks(3_000)), undefined);
});
