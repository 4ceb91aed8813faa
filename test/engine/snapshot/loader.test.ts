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
import { isLong, times } from '../../long-set.ts';
import { makeNaive, makeReloaded } from '../engines.ts';
import { CROWD, FEW } from '../random/scene.ts';
import { runTwins } from '../random/twins.ts';
import { MALFORMED } from './malformed.ts';
import { runWithReloads, specialCases } from './reloading.ts';

/** A snapshot with at least one record of a section. */
interface Sample {
  readonly parts: readonly SnapshotPart[];
  readonly bounds: Partial<Bounds>;
}
/** The first sample of each section. */
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

/** Special cases that the snapshots of the long set contain (see reloading.ts). */
const SPECIAL_CASES = [
  'halted',
  'closed',
  'resolved',
  'a finer tick',
  'changed fees',
  'an order off the grid',
  'an order that expires',
  'an order behind one that was accepted later',
  'charged fees',
  'fees without a charge',
  'a sum above 64 bits',
  "a builder's flat sum",
  'a tripped delayed order',
  'a delayed order',
  'a delayed order with fees',
  'an event with a winner',
  'bundles',
  'several markets in automatic redemption',
  'a full ring of closed orders',
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

t.test('an engine that was loaded from a snapshot continues like the original', (t) => {
  const met = new Set<string>();
  const onSnapshot = (
    parts: readonly SnapshotPart[],
    bounds: Partial<Bounds>,
    state: ReturnType<Engine['state']>,
  ): void => {
    for (const name of specialCases(state, { ...BOUNDS, ...bounds })) met.add(name);
    for (const { name, bytes } of parts) {
      samples.set(name, samples.get(name) ?? { parts, bounds });
      if (bytes.length > SNAPSHOT_PART_BYTES) t.fail(`${name} is within the bound`);
    }
  };
  for (let seed = 1; seed <= times(2, 9); seed += 1) {
    const commands = times(3_000, 6_000);
    runWithReloads({ scene: FEW, seed, commands, every: 40 + seed, onSnapshot });
  }
  runWithReloads({ scene: CROWD, seed: 1, commands: 2_500, every: 50, onSnapshot });
  if (isLong) runWithReloads({ scene: CROWD, seed: 2, commands: 5_000, every: 301, onSnapshot });
  const missing = SPECIAL_CASES.filter((name) => !met.has(name));
  if (isLong) t.strictSame(missing, [], 'the snapshots contain every special case');
  else
    t.ok(missing.length < SPECIAL_CASES.length / 2, `${missing.length} special cases are missing`);
  t.strictSame([...samples.keys()].sort(), [...SECTIONS].sort(), 'and records of every section');
  t.end();
});

t.test('an engine that is reloaded every 97 commands does what the naive engine does', (t) => {
  for (const seed of isLong ? [3, 5] : [3]) {
    const engines = [makeNaive, makeReloaded(97)] as const;
    const report = runTwins({ seed, commands: times(1_500, 4_000), engines, stateEvery: 100 });
    t.not(report.hash, '');
  }
  t.end();
});

t.test('the snapshot of an empty engine has one part and loads as an empty engine', (t) => {
  const parts = [...new Engine().snapshot()];
  const loader = new SnapshotLoader();
  for (const part of parts) loader.take(part);
  t.strictSame([...loader.finish().snapshot()], parts);
  t.equal(parts.length, 1);
  t.end();
});

t.test('a part may start at any offset in memory', (t) => {
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

t.test('a malformed snapshot is refused with the record and the reason', (t) => {
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
    t.ok(first instanceof SnapshotError, `${section}: ${what}, and the loader refuses to finish`);
  }
  t.end();
});

t.test('a missing or repeated part is refused', (t) => {
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
