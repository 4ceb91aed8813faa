import t from 'tap';
import {
  BOUNDS,
  type Bounds,
  Engine,
  SNAPSHOT_PART_BYTES,
  SnapshotError,
  SnapshotLoader,
  type SnapshotPart,
} from '../../../engine/index.ts';
import { makeNaive, makeReloaded } from '../engines.ts';
import { CROWD, FEW } from '../random/scene.ts';
import { runTwins } from '../random/twins.ts';
import { MALFORMED } from './malformed.ts';
import { live, specialties } from './reloading.ts';

/** Of every section, an image that has some of it. */
interface Sample {
  readonly parts: readonly SnapshotPart[];
  readonly bounds: Partial<Bounds>;
}
const samples = new Map<string, Sample>();

const SECTIONS = [
  'head',
  'markets',
  'events',
  'standings',
  'accounts',
  'positions',
  'redeeming',
  'api_keys',
  'switches',
  'builders',
  'money_keys',
  'recent_orders',
  'schedules',
  'orders',
  'order_fees',
  'delayed',
];

const SPECIALTIES = [
  'halted',
  'closed',
  'resolved',
  'a finer tick',
  'changed fees',
  'an order off the grid',
  'an order that expires',
  'an order behind a later one',
  'fees that were charged',
  'fees to come',
  'a long sum',
  "a builder's flat sum",
  'a tripped order that waits',
  'an order that waits',
  'an order that waits to be charged',
  'an event with a winner',
  'bundles',
  'markets in line',
  'a full ring',
  'switches',
  'a revoked key',
  'standings',
  'a key of deposit',
  'a key of withdraw',
  'a key of split',
  'a key of merge',
  'a key of convert',
  'a key of redeem',
];

t.test('an engine that left as an image and came back goes on as if it had not', (t) => {
  const met = new Set<string>();
  const onImage = (
    parts: readonly SnapshotPart[],
    bounds: Partial<Bounds>,
    state: ReturnType<Engine['state']>,
  ): void => {
    for (const name of specialties(state, { ...BOUNDS, ...bounds })) met.add(name);
    for (const { name, bytes } of parts) {
      samples.set(name, samples.get(name) ?? { parts, bounds });
      if (bytes.length > SNAPSHOT_PART_BYTES) t.fail(`${name} is within the bound`);
    }
  };
  for (let seed = 1; seed <= 9; seed += 1) {
    live({ scene: FEW, seed, commands: 6_000, every: 40 + seed, onImage });
  }
  live({ scene: CROWD, seed: 2, commands: 5_000, every: 301, onImage });
  t.strictSame(
    SPECIALTIES.filter((name) => !met.has(name)),
    [],
    'the lives came by all that is special',
  );
  t.strictSame([...samples.keys()].sort(), [...SECTIONS].sort(), 'and had some of every section');
  t.end();
});

t.test('the engine that comes back all the time does what its naive twin does', (t) => {
  for (const seed of [3, 5]) {
    const engines = [makeNaive, makeReloaded(97)] as const;
    const report = runTwins({ seed, commands: 4_000, engines, stateEvery: 100 });
    t.not(report.hash, '');
  }
  t.end();
});

t.test('an empty engine comes back empty, and says so in one part', (t) => {
  const parts = [...new Engine().snapshot()];
  const loader = new SnapshotLoader();
  for (const part of parts) loader.take(part);
  t.strictSame([...loader.finish().snapshot()], parts);
  t.equal(parts.length, 1);
  t.end();
});

t.test('a part may lie anywhere in memory', (t) => {
  const { parts, bounds } = samples.get('orders')!;
  const loader = new SnapshotLoader(bounds);
  for (const { name, bytes } of parts) {
    const shifted = new Uint8Array(bytes.length + 3).subarray(3);
    shifted.set(bytes);
    loader.take({ name, bytes: shifted });
  }
  t.strictSame([...loader.finish().snapshot()], [...parts]);
  t.end();
});

t.test('an image that is not of the form is refused, and says where and why', (t) => {
  for (const [what, section, edit, message] of MALFORMED) {
    const { parts, bounds } = samples.get(section)!;
    const loader = new SnapshotLoader(bounds);
    const load = (): Engine => {
      for (const part of edit([...parts])) loader.take(part);
      return loader.finish();
    };
    t.throws(load, message, `${section}: ${what}`);
    let first: unknown;
    try {
      loader.finish();
    } catch (error) {
      first = error;
    }
    t.ok(first instanceof SnapshotError, `${section}: ${what}, and nothing comes of it`);
  }
  t.end();
});

t.test('no part may be left out or come twice', (t) => {
  for (const [name, { parts, bounds }] of samples) {
    const at = parts.findIndex((part) => part.name === name);
    for (const edit of [parts.toSpliced(at, 1), parts.toSpliced(at, 0, parts[at]!)]) {
      const loader = new SnapshotLoader(bounds);
      t.throws(() => {
        for (const part of edit) loader.take(part);
        loader.finish();
      }, SnapshotError);
    }
  }
  t.end();
});
