// Compares what a start from a snapshot reports with what a full replay finds.
import t from 'tap';
import { type Bounds, Engine } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import {
  ContinuedFacts,
  type RestoredState,
  restoredState,
  ShownFacts,
} from '../../../persistence/shared/shown-facts.ts';
import { shortLife } from '../short-life.ts';
import { randomStream, smallBounds } from '../store-fixture.ts';
import { restoredOracle } from './restored-oracle.ts';

interface Life {
  readonly name: string;
  readonly durable: readonly DurableCommand[];
  readonly bounds: Partial<Bounds>;
}

const LIVES: readonly Life[] = [
  { name: 'a short life', durable: shortLife(), bounds: {} },
  ...[3, 4, 8].map((seed) => {
    const bounds = seed === 3 ? {} : smallBounds(seed);
    return { name: `life ${seed}`, durable: randomStream(seed, 6_000, bounds).durable, bounds };
  }),
];

/** Turns iterables into arrays. Each is first iterated in part: a later iteration starts anew. */
function listed(state: RestoredState): object {
  for (const list of Object.values(state))
    if (typeof list === 'object') for (const _ of list) break;
  const lists = Object.entries(state).map(([name, value]) => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  // The engine's accounts have more fields than those that are compared.
  const accounts = [...state.accounts].map(({ address, owner, wallet }) => [
    address,
    owner,
    wallet,
  ]);
  return { ...Object.fromEntries(lists), accounts };
}

for (const { name, durable, bounds } of LIVES) {
  t.test(`shown facts and the engine's summary equal a full replay: ${name}`, (t) => {
    const engine = new Engine(bounds);
    let facts = new ShownFacts();
    let from = 0;
    for (const part of [0, 0.02, 0.3, 0.6, 0.9, 1]) {
      const cut = Math.floor(part * durable.length);
      const next = durable.slice(from, cut);
      for (const { seq, timeMs, command } of next)
        engine.apply(seq, timeMs, engine.inputOf(command));
      const continued = new ContinuedFacts(facts);
      continued.consume(next);
      const before = listed(restoredState(engine, continued, { seq: 0, timeMs: 0 }));
      // This changes the facts that the others continue.
      facts.consume(next);
      t.equal(facts.closedElsewhere.size, 0, 'it knows all live orders');
      t.strictSame(before, listed(restoredState(engine, facts, { seq: 0, timeMs: 0 })));
      from = cut;
      const { seq = 0, timeMs = 0 } = durable[cut - 1] ?? {};
      const restored = restoredState(engine, facts, { seq, timeMs });
      const found = restoredOracle(durable.slice(0, cut), bounds);
      t.strictSame(listed(restored), listed(found), `at ${cut} of ${durable.length}`);
      // The next round continues from a copy, as after a restart.
      facts = new ShownFacts(facts);
    }
    t.end();
  });
}
