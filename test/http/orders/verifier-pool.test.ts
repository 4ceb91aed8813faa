import t, { type Test } from 'tap';
import { RecentUse } from '../../../http/admission/recent-use.ts';
import { OVERLOAD_BOUNDS } from '../../../http/bounds/sizes.ts';
import { ApiError } from '../../../http/errors/errors.ts';
import { readSubmission } from '../../../http/orders/submission.ts';
import { VerifierPool } from '../../../http/orders/verifier-pool.ts';
import type { Verification } from '../../../http/orders/verifier-protocol.ts';
import { shareTestExchange } from '../exchange-fixture.ts';

const share = await shareTestExchange(t);

/** Starts a pool of the test, with the data of the exchange's own. */
async function startPool(
  t: Test,
  { threads = 1, onDeath = (error: Error): unknown => t.fail(error.message) } = {},
): Promise<VerifierPool> {
  const { exchange, settings } = share().running.services;
  const { journalPath } = exchange;
  const { domains, wallets } = settings;
  const data = { domains, wallets, journalPath, areSearchesBounded: true };
  // As if the engine had forgotten all orders: the pool does not look up those it remembers.
  const forgottenSeq = (): number => exchange.durableSeq;
  const use = new RecentUse(OVERLOAD_BOUNDS, Date.now);
  const pool = new VerifierPool({ threads, data, forgottenSeq, onDeath, use });
  await pool.start();
  t.teardown(() => pool.stop());
  return pool;
}

t.test('a thread that dies answers what it was sent and is started again', async (t) => {
  const { trader, plain } = share();
  const deaths: Error[] = [];
  const pool = await startPool(t, { threads: 2, onDeath: (error) => deaths.push(error) });
  const alice = await trader(1);
  const payload = alice.order({ tokenId: plain.tokenIds[0] });
  const good: Verification = {
    order: readSubmission(payload).order,
    negRisk: false,
    keyAddress: alice.address,
    makerOwner: undefined,
  };
  // Safe: the test needs a message that a thread can't read.
  const poison = { ...good, order: null } as unknown as Verification;

  t.match(await pool.verify(good), { ok: true, orderId: alice.idOf(payload), lookup: {} });
  const refusal = await pool.verify({ ...good, negRisk: true });
  t.match(refusal, { ok: false, code: 'wrong_exchange' });
  const lost = (error: unknown): boolean =>
    error instanceof ApiError && error.code === 'verifier_lost' && error.entry.status === 503;
  for (const each of [pool.verify(poison), pool.verify(poison), pool.verify(good)]) {
    const outcome = await each.catch((error: unknown) => error);
    t.ok(lost(outcome) || (outcome !== undefined && !(outcome instanceof Error)));
  }
  t.ok(deaths.length > 0, 'the death is reported');
  let verdict: unknown;
  do {
    verdict = await pool.verify(good).catch(() => new Promise((resolve) => setImmediate(resolve)));
  } while (verdict === undefined);
  t.match(verdict, { ok: true });
});

t.test('a pool that stops answers everything', async (t) => {
  const { trader, plain } = share();
  const pool = await startPool(t);
  const alice = await trader(1);
  const verification: Verification = {
    order: readSubmission(alice.order({ tokenId: plain.tokenIds[0] })).order,
    negRisk: false,
    keyAddress: alice.address,
    makerOwner: undefined,
  };
  const waiting = pool.verify(verification);
  const stopped = pool.stop();
  await t.rejects(waiting, { code: 'service_not_ready' });
  await t.rejects(pool.verify(verification), { code: 'service_not_ready' });
  await stopped;
});

t.test('orders in one message have their own verdicts', async (t) => {
  const { trader, plain } = share();
  const pool = await startPool(t);
  const alice = await trader(1);
  const tokenId = plain.tokenIds[0];
  const kinds = [
    'new',
    'wrong',
    'known',
    'new',
    'known',
    'wrong',
    'wrong',
    'new',
    'known',
  ] as const;
  const orders = kinds.map((kind, index) => ({
    kind,
    payload: alice.order({ tokenId, priceTicks: 1_000, lots: (index + 1) * 1_000 }),
  }));
  for (const { kind, payload } of orders) {
    if (kind !== 'known') continue;
    t.match((await alice.signed('POST', '/order', payload)).body, { success: true });
  }
  const verdicts = await Promise.all(
    orders.map(({ kind, payload }) =>
      pool.verify({
        order: readSubmission(payload).order,
        negRisk: kind === 'wrong',
        keyAddress: alice.address,
        makerOwner: alice.address,
      }),
    ),
  );
  for (const [index, { kind, payload }] of orders.entries()) {
    const verdict = verdicts[index];
    t.equal(verdict?.ok, kind !== 'wrong', `${index} is ${kind}`);
    if (verdict?.ok !== true) continue;
    t.equal(verdict.orderId, alice.idOf(payload));
    t.equal(verdict.lookup.known !== undefined, kind === 'known', `${index} is ${kind}`);
  }
});
