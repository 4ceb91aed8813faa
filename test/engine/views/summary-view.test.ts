import t from 'tap';
import { type Engine, lots, type RestingOrder } from '../../../engine/index.ts';
import { times } from '../../long-set.ts';
import { reload } from '../engines.ts';
import { FEW } from '../random/scene.ts';
import { runWithReloads } from '../snapshot/reloading.ts';

/** The total size at each price, in YES ticks, added up order by order. */
function levelsOf(orders: readonly RestingOrder[]): [number, number][] {
  const levels = new Map<number, number>();
  for (const { outcome, priceTicks, remainingLots } of orders) {
    const yesTicks = outcome === 0 ? priceTicks : 10_000 - priceTicks;
    levels.set(yesTicks, lots((levels.get(yesTicks) ?? 0) + remainingLots));
  }
  return [...levels];
}

/** The summary that follows from the whole state. */
function expectedOf(engine: Engine) {
  const state = engine.state();
  return {
    tradingState: state.tradingState,
    markets: [...state.markets].map(
      ({ original: _, setsLots: __, owedMicros: ___, bids, asks, ...rest }) => ({
        ...rest,
        bids: levelsOf(bids),
        asks: levelsOf(asks),
      }),
    ),
    events: [...state.events].map(({ eventId, conditionIds }) => ({ eventId, conditionIds })),
    accounts: [...state.accounts].map(({ address, owner, wallet }) => ({ address, owner, wallet })),
    apiKeys: [...state.apiKeys].map((key) => ({ ...key })),
    standings: [...state.standings],
    builders: [...state.builders],
  };
}

t.test('a summary agrees with the whole state, however often it is read', (t) => {
  const counts = { levels: 0, events: 0, standings: 0, builders: 0 };
  const onEngine = (engine: Engine): void => {
    const expected = expectedOf(engine);
    const summary = engine.summary();
    for (let reading = 0; reading < 2; reading += 1) {
      const found = {
        tradingState: summary.tradingState,
        markets: [...summary.markets],
        events: [...summary.events],
        accounts: [...summary.accounts].map(({ address, owner, wallet }) => ({
          address,
          owner,
          wallet,
        })),
        apiKeys: [...summary.apiKeys],
        standings: [...summary.standings],
        builders: [...summary.builders],
      };
      t.strictSame(found, expected);
    }
    counts.levels += expected.markets.flatMap(({ bids, asks }) => [...bids, ...asks]).length;
    counts.events += expected.events.length;
    counts.standings += expected.standings.length;
    counts.builders += expected.builders.length;
  };
  runWithReloads({
    scene: FEW,
    seed: 8,
    commands: times(3_000, 6_000),
    every: 250,
    onSnapshot: (_, bounds, __, engine) => onEngine(reload(engine, bounds)),
  });
  for (const [name, count] of Object.entries(counts)) t.ok(count > 0, `there were ${name}`);
  t.end();
});
