// The token buckets of signers, by the venue's published figures.
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { SignerBuckets, TIER_MS, type VolumeOf } from '../../../http/admission/signer-buckets.ts';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { ApiError } from '../../../http/errors/index.ts';
import { DEFAULT_PROFILE } from '../../../http/profiles/profiles.ts';
import { StoreError } from '../../../persistence/index.ts';
import { ROUTES } from '../../all-routes.ts';
import { times } from '../../long-set.ts';

const TIERS = DEFAULT_PROFILE.signerTiers ?? [];
const NOW_MS = 1_780_449_126_000;

function makeBuckets(volumeOf: VolumeOf = () => Promise.resolve(0), warned: unknown[] = []) {
  const log = { warn: (fields: object) => warned.push(fields) };
  const buckets = new SignerBuckets({ tiers: TIERS, now: () => NOW_MS, log });
  buckets.readVolumes(volumeOf);
  return buckets;
}

function counted(name: string, owner: string, weight: number) {
  const route = ROUTES.find(({ method, path }) => `${method} ${path}` === name);
  const { path = '' } = route ?? {};
  return {
    route,
    path,
    surface: 'clob',
    query: '',
    address: '',
    apiKey: 'k',
    owner,
    weight,
  } as const;
}

function taken(
  buckets: SignerBuckets,
  request: ReturnType<typeof counted>,
  nowMs: number,
): Readonly<Record<string, unknown>> {
  try {
    return Object.fromEntries(buckets.take(request, nowMs));
  } catch (failure) {
    if (failure instanceof ApiError) return failure.details;
    throw failure;
  }
}

t.test('orders and cancels of a signer have a bucket each', async (t) => {
  const buckets = makeBuckets();
  const batch = counted('POST /orders', 'a', 15);
  for (const remaining of ['45', '30', '15', '0']) {
    t.match(taken(buckets, batch, 0), {
      'poly-ratelimit-remaining': remaining,
      'poly-ratelimit-tier': 'Standard',
    });
  }
  t.match(taken(buckets, counted('POST /order', 'a', 1), 0), {
    row: 'signer-orders',
    limit: 60,
    retryAfterSeconds: 1,
  });
  t.match(taken(buckets, counted('POST /order', 'a', 1), 25), { 'poly-ratelimit-remaining': '0' });
  t.match(taken(buckets, counted('POST /order', 'b', 1), 0), { 'poly-ratelimit-remaining': '59' });
  t.match(taken(buckets, counted('DELETE /orders', 'a', 100), 0), {
    'poly-ratelimit-remaining': '20',
  });
  t.match(taken(buckets, counted('DELETE /order', 'a', 1), 0), {
    'poly-ratelimit-remaining': '19',
  });
  t.same(taken(buckets, counted('GET /book', 'a', 1), 0), {}, 'other routes take nothing');
});

t.test('a cost above the burst never succeeds, and takes nothing', async (t) => {
  const buckets = makeBuckets();
  for (const nowMs of [0, 60_000]) {
    t.match(taken(buckets, counted('DELETE /orders', 'a', 121), nowMs), {
      limit: 120,
      actual: 121,
      reason: 'a cost above the burst never succeeds',
    });
  }
  const all = taken(buckets, counted('DELETE /orders', 'a', 120), 60_000);
  t.match(all, {
    'poly-ratelimit-remaining': '0',
    'poly-ratelimit-reset': `${NOW_MS / 1_000 + 1}`,
  });
});

t.test('a cancel of all orders is charged for each of them, if need be below zero', async (t) => {
  const buckets = makeBuckets();
  const cancelAll = counted('DELETE /cancel-all', 'a', 1);
  t.match(taken(buckets, cancelAll, 0), { 'poly-ratelimit-remaining': '119' });
  buckets.chargeCanceled('a', 200);
  t.match(taken(buckets, cancelAll, 0), { row: 'signer-cancels', retryAfterSeconds: 2 });
  t.match(taken(buckets, cancelAll, 1_024), { row: 'signer-cancels' });
  t.match(taken(buckets, cancelAll, 1_025), { 'poly-ratelimit-remaining': '0' });
  buckets.chargeCanceled('nobody', 5);
  t.match(taken(buckets, counted('DELETE /order', 'nobody', 1), 0), {
    'poly-ratelimit-remaining': '119',
  });
});

t.test('in any time a signer gets its burst and what the rate adds', async () => {
  const step = fc.record({ ms: fc.nat(500), cost: fc.integer({ min: 1, max: 70 }) });
  const isWithin = (steps: readonly { readonly ms: number; readonly cost: number }[]): boolean => {
    const buckets = makeBuckets();
    let [nowMs, granted] = [0, 0];
    for (const { ms, cost } of steps) {
      nowMs += ms;
      const isGranted =
        'poly-ratelimit-tier' in taken(buckets, counted('POST /orders', 'a', cost), nowMs);
      if (isGranted) granted += cost;
    }
    return granted <= 60 + (40 * nowMs) / 1_000 + 1e-6;
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), isWithin), {
    numRuns: times(100, 2_000),
  });
});

/** The public venue's table: volume, tier, orders and cancels in a second and at once. */
const PUBLISHED: readonly (readonly [number, string, number, number, number, number])[] = [
  [0, 'Standard', 40, 60, 80, 120],
  [29_999.999999, 'Standard', 40, 60, 80, 120],
  [30_000, 'Copper', 60, 90, 120, 180],
  [50_000, 'Bronze', 80, 120, 160, 240],
  [100_000, 'Silver', 200, 300, 400, 600],
  [500_000, 'Gold', 400, 600, 800, 1_200],
  [2_499_999.999999, 'Gold', 400, 600, 800, 1_200],
  [2_500_000, 'Platinum', 450, 675, 900, 1_350],
  [5_000_000, 'Diamond', 525, 787, 1_050, 1_575],
  [10_000_000, 'Elite', 600, 900, 1_200, 1_800],
  [1e15, 'Elite', 600, 900, 1_200, 1_800],
];

t.test('a volume has the tier, the rates and the bursts that the venue publishes', async (t) => {
  for (const [volume, tier, orderRate, orderBurst, cancelRate, cancelBurst] of PUBLISHED) {
    const buckets = makeBuckets(() => Promise.resolve(volume));
    const figures = { tier, orderRate, orderBurst, cancelRate, cancelBurst };
    t.match(await buckets.tierOf('a', 0), figures, String(volume));
    const left = (route: string, cost: number, nowMs: number) =>
      taken(buckets, counted(route, 'a', cost), nowMs)['poly-ratelimit-remaining'];
    for (const [route, rate, burst] of [
      ['POST /orders', orderRate, orderBurst],
      ['DELETE /orders', cancelRate, cancelBurst],
    ] as const) {
      t.equal(left(route, burst, 60_000), '0', 'the burst');
      t.equal(left(route, rate, 60_999), undefined, 'not yet');
      t.equal(left(route, rate, 61_000.5), '0', 'the rate');
    }
    t.equal(left('DELETE /cancel-all', 1, 120_000), String(cancelBurst - 1));
    buckets.chargeCanceled('a', cancelBurst + 9);
    const overdraws = volume < 2_500_000;
    t.match(taken(buckets, counted('DELETE /order', 'a', 1), 120_000), {
      row: 'signer-cancels',
      retryAfterSeconds: 1,
    });
    // The next token is enough only where the bucket was left empty.
    t.equal(left('DELETE /order', 1, 120_000 + 1_010 / cancelRate), overdraws ? undefined : '0');
  }
});

t.test('no order waits for a volume, and a tier lasts whatever its signer trades', async (t) => {
  const order = counted('POST /order', 'a', 1);
  let reads = 0;
  let finish: (volume: number) => void = () => undefined;
  const buckets = makeBuckets(() => {
    reads += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  const rows: readonly (readonly [
    nowMs: number,
    tier: string,
    remaining: string,
    found: number,
  ])[] = [
    [0, 'Standard', '59', 100_000],
    [TIER_MS - 1, 'Silver', '299', Number.NaN],
    [TIER_MS, 'Silver', '297', 0],
    [2 * TIER_MS - 1, 'Standard', '59', Number.NaN],
    [2 * TIER_MS, 'Standard', '57', 10_000_000],
    [2 * TIER_MS + 60_000, 'Elite', '899', Number.NaN],
  ];
  let expected = 0;
  for (const [nowMs, tier, remaining, found] of rows) {
    t.match(taken(buckets, order, nowMs), {
      'poly-ratelimit-tier': tier,
      'poly-ratelimit-remaining': remaining,
    });
    t.match(taken(buckets, order, nowMs), { 'poly-ratelimit-tier': tier }, 'still being read');
    await setImmediate();
    if (!Number.isNaN(found)) expected += 1;
    t.equal(reads, expected);
    finish(found);
    await setImmediate();
  }
});

t.test('a volume that cannot be read leaves the tier, and is read again later', async (t) => {
  const warned: unknown[] = [];
  // An error that no reader should throw once ended all later reads of volumes.
  const failures = [new StoreError('reader_unavailable', 'down'), new TypeError('our mistake')];
  const volumes = [50_000, ...failures, 100_000];
  const buckets = makeBuckets(async () => {
    const volume = volumes.shift();
    if (typeof volume !== 'number') throw volume;
    return volume;
  }, warned);
  for (const [place, tier] of ['Bronze', 'Bronze', 'Bronze', 'Silver'].entries()) {
    t.match(await buckets.tierOf('a', place * TIER_MS), { tier });
  }
  t.same(
    warned,
    failures.map((err) => ({ err, owner: 'a' })),
  );
});

t.test('volumes are read one at a time, and only of the signers that are kept', async (t) => {
  const most = HTTP_BOUNDS.limitCounters;
  let [reading, widest] = [0, 0];
  const asked = new Set<string>();
  const buckets = makeBuckets(async (owner) => {
    asked.add(owner);
    reading += 1;
    widest = Math.max(widest, reading);
    await Promise.resolve();
    reading -= 1;
    return 0;
  });
  for (let place = 0; place <= most; place++) {
    taken(buckets, counted('POST /order', String(place), 1), 0);
  }
  await buckets.tierOf(String(most), 0);
  t.equal(widest, 1);
  t.equal(asked.size, most);
  t.notOk(asked.has('0'), 'it was forgotten before its turn');
});
