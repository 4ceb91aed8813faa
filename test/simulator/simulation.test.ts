import t from 'tap';
import { isLong } from '../long-set.ts';
import { BUGS, type Bug } from './bugs.ts';
import { KEPT_SEEDS } from './kept-seeds.ts';
import { type SimReport, Simulation } from './simulation.ts';

// A simulation replaces the timers of the process, so only one can run at a time.
function simulate(seed: number, commands: number, bug?: Bug): Promise<SimReport> {
  return new Simulation({ seed, commands, ...(bug === undefined ? {} : { bug }) }).run();
}

/** Few lives have both stops and failed commits: these three together have all that is asked. */
const LIVES = [9, 10, 13];

t.test('crashes, faults and bad connections lose nothing and show nothing too early', async (t) => {
  const counts = new Map<string, number>();
  for (const seed of isLong ? Array.from({ length: 24 }, (_, index) => 1 + index) : LIVES) {
    const report = await simulate(seed, 1_000);
    for (const [name, count] of report.counts) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  // A simulation in which nothing happens proves nothing.
  const LEAST: readonly (readonly [string, number])[] = [
    ['crashes', 20],
    ['stops', 2],
    ['failed commits', 2],
    ['commands sent again', 100],
    ['order_duplicate', 20],
    ['fill', 100],
    ['rests', 50],
    ['messages', 1_000],
    ['replayed', 20],
    ['snapshots', 20],
    ['starts from a snapshot', 20],
    ['unusable snapshots', 2],
  ];
  for (const [name, least] of LEAST) {
    const count = counts.get(name) ?? 0;
    t.ok(count >= least, `${count} ${name}`);
  }
});

t.test('the same seed gives the same simulation', async (t) => {
  const [one, other] = [await simulate(4, 200), await simulate(4, 200)];
  t.equal(one.hash, other.hash);
  t.strictSame([...one.counts], [...other.counts]);
  t.not((await simulate(3, 200)).hash, one.hash);
});

// What each of them found has a test of its own by now.
for (const { seed, commands, found } of isLong ? KEPT_SEEDS : []) {
  t.test(`seed ${seed}, which once found: ${found}`, async (t) => {
    await t.resolves(simulate(seed, commands));
  });
}

/** Not every seed finds a bug that only some crashes show. The first two find all bugs today. */
const SEEDS_OF_A_BUG = [9, 18, 1, 6, 2, 3, 4, 5];

for (const bug of BUGS) {
  t.test(`a planted bug is found: ${bug}`, async (t) => {
    await t.rejects(async () => {
      for (const seed of SEEDS_OF_A_BUG) await simulate(seed, 2_000, bug);
    });
  });
}
