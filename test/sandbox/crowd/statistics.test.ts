/** A seeded hour of the crowd has the statistics of real markets, and repeats itself. */
import { hash } from 'node:crypto';
import t from 'tap';
import { MINUTE_MS } from '../../../engine/model/index.ts';
import { openedSimulation, type Simulation } from './simulation.ts';
import { crowdStatistics } from './statistics.ts';

t.test('an hour of the crowd looks like a market', async (t) => {
  for (const { what, value, least, most } of await crowdStatistics()) {
    t.ok(value >= least && value <= most, `${what}: ${value}, from ${least} to ${most}`);
  }
});

/** A digest, because a comparison of thousands of commands would take minutes if they differ. */
function ordersOf({ commands }: Simulation): string {
  return hash('sha256', JSON.stringify(commands));
}

t.test('the same seed and the same watchers give the same orders', async (t) => {
  const [market] = (await openedSimulation(3, [])).crowd.markets;
  const watched = market === undefined ? [] : [market.conditionId];
  const live = async (seed: number, watching: readonly string[]): Promise<Simulation> => {
    const simulation = await openedSimulation(seed, watching);
    await simulation.run(5 * MINUTE_MS);
    return simulation;
  };
  const one = await live(3, watched);
  t.equal(ordersOf(await live(3, watched)), ordersOf(one));
  t.not(ordersOf(await live(4, watched)), ordersOf(one), 'another seed has others');
  const alone = await live(3, []);
  t.not(ordersOf(alone), ordersOf(one), 'who watches is an input');
  const share = ({ orders }: Simulation): number =>
    orders.filter(({ conditionId }) => watched.includes(conditionId)).length / orders.length;
  t.ok(share(one) > 3 * share(alone), 'most of the pace goes to what is watched');
});

t.test('news come now and then, and move all markets of their group at once', async (t) => {
  const calm = await openedSimulation(1, [], { newsPerDay: 0 });
  const busy = await openedSimulation(1, [], { newsPerDay: 86_400, newsPercent: 50 });
  for (const simulation of [calm, busy]) await simulation.run(MINUTE_MS);
  const moved = ({ crowd }: Simulation, first: Simulation): number =>
    crowd.markets.filter(({ fair = 0 }, at) => {
      return Math.abs(fair - (first.crowd.markets[at]?.fair ?? 0)) > 0.05;
    }).length;
  const before = await openedSimulation(1, []);
  t.equal(moved(calm, before), 0);
  t.ok(moved(busy, before) > 20, `${moved(busy, before)}`);
});
