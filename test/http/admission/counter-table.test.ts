import fc from 'fast-check';
import t from 'tap';
import { CounterTable, SLICES } from '../../../http/admission/counter-table.ts';
import { times } from '../../long-set.ts';

const WINDOW_MS = 1_000;
const SLICE_MS = WINDOW_MS / SLICES;

interface Step {
  readonly afterMs: number;
  readonly subject: number;
  readonly weight: number;
}

interface Entry {
  readonly atMs: number;
  readonly weight: number;
}

/** A slow, exact reference: every admitted request of each subject. */
class ExactLog {
  readonly #entries = new Map<string, Entry[]>();

  add(subject: string, entry: Entry): void {
    this.#entries.set(subject, [...(this.#entries.get(subject) ?? []), entry]);
  }

  /** The weight admitted from `nowMs - ms` to `nowMs`, both included. */
  within(subject: string, nowMs: number, ms: number): number {
    return (this.#entries.get(subject) ?? [])
      .filter(({ atMs }) => atMs >= nowMs - ms)
      .reduce((sum, { weight }) => sum + weight, 0);
  }
}

/** Charges the table as the limits do, and reports for each step whether it was admitted. */
function replay(
  table: CounterTable,
  capacity: number,
  steps: readonly Step[],
  told: (step: { subject: string; nowMs: number; weight: number; isAdmitted: boolean }) => void,
): void {
  let nowMs = 0;
  for (const { afterMs, subject: number, weight } of steps) {
    nowMs += afterMs;
    const subject = `subject ${number}`;
    const place = table.locate(subject, nowMs);
    const isAdmitted = table.used(place) + weight <= capacity;
    if (isAdmitted) table.charge(place, subject, weight);
    told({ subject, nowMs, weight, isAdmitted });
  }
}

function stepsOf(subjects: number) {
  return fc.array(
    fc.record({
      afterMs: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 3 * SLICE_MS }),
        fc.double({ min: 0, max: 2 * WINDOW_MS, noNaN: true }),
      ),
      subject: fc.integer({ min: 1, max: subjects }),
      weight: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 120, size: 'max' },
  );
}
const capacities = fc.integer({ min: 1, max: 12 });

t.test('no window admits more than the capacity, for any number of subjects', async (t) => {
  const bounds = fc.record({
    size: fc.integer({ min: 1, max: 5 }),
    shared: fc.integer({ min: 1, max: 2 }),
  });
  fc.assert(
    fc.property(stepsOf(8), capacities, bounds, (steps, capacity, size) => {
      const log = new ExactLog();
      replay(new CounterTable(WINDOW_MS, size), capacity, steps, (step) => {
        if (!step.isAdmitted) return;
        log.add(step.subject, { atMs: step.nowMs, weight: step.weight });
        const used = log.within(step.subject, step.nowMs, WINDOW_MS);
        if (used > capacity) throw new Error(`${used} of ${capacity} at ${step.nowMs}`);
      });
    }),
    { numRuns: times(150, 1_000) },
  );
  t.pass('no counterexample');
});

t.test('a request that fits the window and the slice before it is never refused', async (t) => {
  let refused = 0;
  fc.assert(
    fc.property(stepsOf(3), capacities, (steps, capacity) => {
      const log = new ExactLog();
      const table = new CounterTable(WINDOW_MS, { size: 3, shared: 1 });
      replay(table, capacity, steps, ({ subject, nowMs, weight, isAdmitted }) => {
        if (isAdmitted) {
          log.add(subject, { atMs: nowMs, weight });
          return;
        }
        refused += 1;
        const used = log.within(subject, nowMs, WINDOW_MS + SLICE_MS);
        if (used + weight <= capacity) throw new Error(`${used} of ${capacity} at ${nowMs}`);
      });
    }),
    { numRuns: times(150, 1_000) },
  );
  t.ok(refused > times(1_000, 10_000), 'many requests were refused');
});

t.test('the reported wait is exact', async (t) => {
  fc.assert(
    fc.property(
      stepsOf(1),
      capacities,
      fc.integer({ min: 0, max: 12 }),
      (steps, capacity, left) => {
        const table = new CounterTable(WINDOW_MS, { size: 1, shared: 1 });
        let nowMs = 0;
        replay(table, capacity, steps, (step) => {
          nowMs = step.nowMs;
        });
        const usedAt = (atMs: number) => table.used(table.locate('subject 1', atMs));
        if (usedAt(nowMs) <= left) return;
        const waitMs = table.msUntil(table.locate('subject 1', nowMs), left, nowMs);
        // Allows for the rounding error of sums of fractions.
        const tooMany = usedAt(nowMs + waitMs - 0.001) > left;
        const fits = usedAt(nowMs + waitMs + 0.001) <= left;
        if (!tooMany || !fits) throw new Error(`${waitMs} ms from ${nowMs}: ${tooMany}, ${fits}`);
      },
    ),
    { numRuns: times(150, 1_000) },
  );
  t.pass('no counterexample');
});

const SIZE = 16_384;

/** Charges a subject once; returns its count before. */
function charge(table: CounterTable, subject: string, nowMs: number): number {
  const place = table.locate(subject, nowMs);
  const used = table.used(place);
  table.charge(place, subject, 1);
  return used;
}

t.test('a million addresses do not take more than the fixed number of counters', async (t) => {
  const table = new CounterTable(10_000, { size: SIZE, shared: 256 });
  let largest = 0;
  const flood = (fromMs: number): void => {
    for (let index = 0; index < 500_000; index++) {
      charge(table, `2001:db8:${fromMs}:${index}`, fromMs + index / 50);
      largest = Math.max(largest, table.size);
    }
  };
  flood(0);
  flood(60_000);
  t.equal(largest, SIZE);
  charge(table, '203.0.113.1', 100_000);
  t.ok(table.size <= SIZE);
});

t.test("requests of others do not reset a subject's count", async (t) => {
  const table = new CounterTable(10_000, { size: 4, shared: 1 });
  for (let count = 0; count < 5; count++) charge(table, 'me', 0);
  for (let other = 0; other < 1_000; other++) charge(table, `other ${other}`, 1_000);
  t.equal(table.used(table.locate('me', 9_999)), 5, 'the whole count, until the window ends');
  t.equal(table.size, 4);
  t.equal(table.used(table.locate('me', 11_000)), 0, 'and nothing afterwards');
});

t.test(
  'subjects without a counter share some, and keep their use when they get their own',
  async (t) => {
    const table = new CounterTable(10_000, { size: 1, shared: 1 });
    charge(table, 'first', 0);
    t.equal(charge(table, 'second', 0), 0);
    t.equal(charge(table, 'third', 0), 1, 'includes the use of the second');
    t.equal(charge(table, 'first', 0), 1, 'has its own counter');
    charge(table, 'second', 5_000);
    // The count of the first has expired, so the second gets its counter.
    t.equal(charge(table, 'second', 12_000), 1);
    t.equal(charge(table, 'second', 12_000), 2, 'added to its shared use');
    t.equal(charge(table, 'third', 12_000), 1, 'nothing was added to the shared counter');
    t.equal(table.size, 1);
  },
);

t.test('an expired counter is reused before a new one is taken', async (t) => {
  const table = new CounterTable(10_000, { size: 100, shared: 1 });
  for (let second = 0; second < 1_000; second++) {
    charge(table, `subject ${second}`, second * 1_000);
  }
  t.ok(table.size <= 13, `${table.size} counters`);
});

t.test('a busy subject keeps its place, an idle one loses it', async (t) => {
  const table = new CounterTable(10_000, { size: 3, shared: 1 });
  for (const busy of ['busy', 'busier']) charge(table, busy, 0);
  for (let second = 0; second < 200; second++) {
    const nowMs = second * 1_000;
    for (const busy of ['busy', 'busier']) charge(table, busy, nowMs);
    if (second % 20 !== 0) continue;
    t.equal(charge(table, `guest ${second}`, nowMs), 0);
    t.equal(charge(table, `guest ${second}`, nowMs), 1, 'has a counter');
    t.equal(table.used(table.locate('another', nowMs)), 0, 'which is not shared');
  }
  t.equal(table.used(table.locate('busy', 199_000)), 11);
});

t.test('an expired counter is found again, for any order of subjects', async (t) => {
  const names = ['a', 'b', 'c', 'd'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names), { maxLength: 20 }), (order) => {
      const table = new CounterTable(10_000, { size: names.length, shared: 1 });
      for (const subject of [...names, ...order]) charge(table, subject, 0);
      for (const name of names) charge(table, `next ${name}`, 20_000);
      if (table.used(table.locate('nobody', 20_000)) > 0) throw new Error('one had to share');
    }),
    { numRuns: 300 },
  );
  t.pass('three hundred orders');
});
