/**
 * How believable the crowd is: the statistics of a simulated hour, which the crowd's test checks
 * too, with the public source of each. No figure is a time, so a busy machine changes none.
 */
import { crowdStatistics } from '../../test/sandbox/crowd/statistics.ts';
import { fixed } from '../harness/print.ts';
import type { BenchResult } from '../harness/results.ts';
import { summaryRow } from '../harness/summary.ts';

export async function benchCrowd(): Promise<BenchResult> {
  const found = await crowdStatistics();
  const rows = found.map(({ what, value, least, most, source }) =>
    summaryRow({
      what: `crowd: ${what}`,
      ours: fixed(value, 2),
      reference: source,
      budget: value >= least ? `under ${most}` : `at least ${least}`,
      value,
    }),
  );
  return { figures: Object.fromEntries(found.map(({ what, value }) => [what, value])), rows };
}
