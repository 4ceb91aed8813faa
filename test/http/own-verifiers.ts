/** Verifiers for an intake that a test makes from the parts of a running exchange. */
import type { Test } from 'tap';
import { RecentUse } from '../../http/admission/recent-use.ts';
import { OVERLOAD_BOUNDS } from '../../http/bounds/sizes.ts';
import { VerifierPool } from '../../http/orders/verifier-pool.ts';
import type { Services } from '../../http/services/services.ts';

/** One thread, which ends with the test. */
export async function startVerifiers(
  t: Test,
  { exchange, settings }: Pick<Services, 'exchange' | 'settings'>,
): Promise<VerifierPool> {
  const pool = new VerifierPool({
    threads: 1,
    data: {
      domains: settings.domains,
      wallets: settings.wallets,
      journalPath: exchange.journalPath,
      areSearchesBounded: true,
    },
    forgottenSeq: () => exchange.state.forgottenSeq,
    onDeath: (error) => t.fail(error.message),
    use: new RecentUse(OVERLOAD_BOUNDS, Date.now),
  });
  await pool.start();
  t.teardown(() => pool.stop());
  return pool;
}
