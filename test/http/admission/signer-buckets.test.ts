// The token buckets of signers, by the venue's published figures.
import fc from 'fast-check';
import t from 'tap';
import { SignerBuckets } from '../../../http/admission/signer-buckets.ts';
import { ApiError } from '../../../http/errors/index.ts';
import { DEFAULT_PROFILE } from '../../../http/profiles/profiles.ts';
import { ROUTES } from '../../all-routes.ts';
import { times } from '../../long-set.ts';

const LIMITS = DEFAULT_PROFILE.signer;
if (LIMITS === null) throw new Error('the default profile has limits of signers');
const NOW_MS = 1_780_449_126_000;

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

function taken(buckets: SignerBuckets, request: ReturnType<typeof counted>, nowMs: number) {
  try {
    return Object.fromEntries(buckets.take(request, nowMs));
  } catch (failure) {
    if (failure instanceof ApiError) return failure.details;
    throw failure;
  }
}

t.test('orders and cancels of a signer have a bucket each', async (t) => {
  const buckets = new SignerBuckets(LIMITS, () => NOW_MS);
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
  const buckets = new SignerBuckets(LIMITS, () => NOW_MS);
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
  const buckets = new SignerBuckets(LIMITS, () => NOW_MS);
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
    const buckets = new SignerBuckets(LIMITS, () => NOW_MS);
    let [nowMs, granted] = [0, 0];
    for (const { ms, cost } of steps) {
      nowMs += ms;
      const isGranted =
        'poly-ratelimit-tier' in taken(buckets, counted('POST /orders', 'a', cost), nowMs);
      if (isGranted) granted += cost;
    }
    return granted <= LIMITS.orderBurst + (LIMITS.orderRate * nowMs) / 1_000 + 1e-6;
  };
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), isWithin), {
    numRuns: times(100, 2_000),
  });
});
