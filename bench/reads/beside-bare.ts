/** The rows of a server beside a bare one that sends the same bytes. */
import { whole } from '../harness/print.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type { comparePair } from '../harness/turns.ts';

type Compared = Omit<Awaited<ReturnType<typeof comparePair>>, 'rounds'>;

/** A row for speed, which has the budget, and one for processor time of the servers. */
export function rowsBesideBare(what: string, compared: Compared, budget: string): SummaryRow[] {
  const { ours, bare, ratio, work } = compared;
  const reference = `${whole(bare.median)} bare`;
  const value = ratio.median;
  return [
    summaryRow({ what: `${what}/s`, ours: whole(ours.median), reference, ratio, budget, value }),
    summaryRow({ what: `${what}, processor time`, ours: '-', ratio: work }),
  ];
}
