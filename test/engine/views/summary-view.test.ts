import t from 'tap';
import { type Engine, lots, type RestingOrder } from '../../../engine/index.ts';
import { reload } from '../engines.ts';
import { FEW } from '../random/scene.ts';
import { live } from '../snapshot/reloading.ts';

/** What rests at each price, in YES ticks, added up order by order. */
function levelsOf(orders: readonly RestingOrder[]): [number, number][] {
  const levels = new Map<number, number>();
  for (const { outcome, priceTicks, remainingLots } of orders) {
    const yesTicks = outcome === 0 ? priceTicks : 10_000 - priceTicks;
    levels.set(yesTicks, lots((levels.get(yesTicks) ?? 0) + remainingLots));
  }
  return [...levels];
}

/** An outline as it must be, made of the whole state. */
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

t.test('an outline says what the whole state does, as often as it is read', (t) => {
  const counts = { levels: 0, events: 0, standings: 0, builders: 0 };
  const onEngine = (engine: Engine): void => {
    const expected = expectedOf(engine);
    const outline = engine.summary();
    for (let reading = 0; reading < 2; reading += 1) {
      const found = {
        tradingState: outline.tradingState,
        markets: [...outline.markets],
        events: [...outline.events],
        accounts: [...outline.accounts].map(({ address, owner, wallet }) => ({
          address,
          owner,
          wallet,
        })),
        apiKeys: [...outline.apiKeys],
        standings: [...outline.standings],
        builders: [...outline.builders],
      };
      t.strictSame(found, expected);
    }
    counts.levels += expected.markets.flatMap(({ bids, asks }) => [...bids, ...asks]).length;
    counts.events += expected.events.length;
    counts.standings += expected.standings.length;
    counts.builders += expected.builders.length;
  };
  live({
    scene: FEW,
    seed: 5,
    commands: 3_000,
    every: 250,
    onImage: (_, bounds, __, engine) => onEngine(reload(engine, bounds)),
  });
  for (const [name, count] of Object.entries(counts)) t.ok(count > 0, `there were ${name}`);
  t.end();
});
