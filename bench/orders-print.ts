/** The tables of `npm run bench -- orders`, and its rows in the table of a whole run. */
import { cpus } from 'node:os';
import type { OpenRound } from './orders-open.ts';
import type { ClosedRound, Turns } from './orders-rounds.ts';
import { fixed, printLine, printTable, whole } from './print.ts';
import { type Spread, spreadOf } from './statistics.ts';
import { ratioText, type SummaryRow, speedText, summaryRow } from './summary.ts';

/** What the bench measured. */
export interface OrderFigures {
  readonly singles: Turns;
  readonly cancels: Turns;
  readonly batches: readonly ClosedRound[];
  readonly open: {
    readonly half: OpenRound;
    readonly full: OpenRound;
    readonly halfBatches: OpenRound;
  };
}

const BUDGETS = { singles: [20, 30], cancels: [10], halfP99Ms: 25 } as const;

const ms = (ns: number): string => fixed(ns / 1e6, 1);
const medianOf = (rounds: readonly ClosedRound[], of: (round: ClosedRound) => number): number =>
  spreadOf(rounds.map(of)).median;
export const speedOf = (rounds: readonly ClosedRound[]): Spread =>
  spreadOf(rounds.map(({ perSecond }) => perSecond));

const closedRow = (what: string, rounds: readonly ClosedRound[], ratios?: Turns): string[] => [
  what,
  speedText(speedOf(rounds)),
  ratios === undefined ? '-' : ratioText(ratios.ratio),
  fixed(
    medianOf(rounds, ({ serverMicros }) => serverMicros),
    0,
  ),
  ratios === undefined ? '-' : ratioText(ratios.work),
  fixed(
    medianOf(rounds, ({ loadMicros }) => loadMicros),
    0,
  ),
  ms(medianOf(rounds, ({ latencyNs }) => latencyNs.p50)),
  ms(medianOf(rounds, ({ latencyNs }) => latencyNs.p99)),
];

export function printClosed({ singles, cancels, batches }: OrderFigures): void {
  printTable([
    ['closed loop', 'a second', 'ratio', 'server us', 'work ratio', 'load us', 'p50 ms', 'p99 ms'],
    closedRow('POST /order', singles.ours, singles),
    closedRow('  the reference', singles.reference),
    closedRow('DELETE /order', cancels.ours, cancels),
    closedRow('  the reference', cancels.reference),
    closedRow('POST /orders of 15, orders', batches),
  ]);
  printLine();
  printLimit(singles);
}

/** What the processors let through, were none of them ever idle; the reference has one thread. */
function printLimit({ ours, reference }: Turns): void {
  const micros = medianOf(ours, ({ serverMicros, loadMicros }) => serverMicros + loadMicros);
  const referenceMicros = medianOf(reference, ({ serverMicros }) => serverMicros);
  const processors = cpus().length;
  const limit = (processors * 1e6) / micros;
  const times = fixed((limit * referenceMicros) / 1e6, 1);
  printLine(
    `  POST /order takes ${fixed(micros, 0)} us of the program and autocannon together, so`,
  );
  printLine(
    `  ${processors} processors let ${whole(limit)} a second through at most; one thread of the`,
  );
  printLine(`  reference ${whole(1e6 / referenceMicros)}: ${times} times`);
  printLine();
}

export function printOpen({ open }: OrderFigures): void {
  const rounds = [open.half, open.full, open.halfBatches];
  printTable([
    [
      'open loop',
      'orders/s',
      'p50 ms',
      'p99 ms',
      'p99.9 ms',
      'longest',
      'refused',
      'errors',
      'late ms',
      'server us',
    ],
    ...rounds.map((round) => [
      round.what,
      whole(round.perSecond),
      ms(round.latencyNs.p50),
      ms(round.latencyNs.p99),
      ms(round.latencyNs.p999),
      ms(round.latencyNs.longest),
      whole(round.refused),
      whole(round.errors),
      fixed(round.lateMs, 1),
      fixed(round.serverMicros, 0),
    ]),
  ]);
  printLine();
}

/** Against each of the budgets, the first one first. */
const ratioRows = (what: string, turns: Turns, budgets: readonly number[]): SummaryRow[] =>
  budgets.map((least) =>
    summaryRow({
      what,
      ours: speedText(turns.oursPerSecond),
      reference: speedText(turns.referencePerSecond),
      ratio: turns.ratio,
      budget: `at least ${least} times`,
      value: turns.ratio.median,
    }),
  );

/** What was refused is told, and its percentiles can't meet a budget. */
const percentileRow = (
  { what, latencyNs, refused, errors }: OpenRound,
  limitMs?: number,
): SummaryRow => {
  const { p50, p99, p999 } = latencyNs;
  const missed = refused + errors;
  const refusedText = missed > 0 ? `, ${whole(missed)} refused` : '';
  const finding = {
    what: `${what}, p50 / p99 / p99.9`,
    ours: `${ms(p50)} / ${ms(p99)} / ${ms(p999)} ms${refusedText}`,
  };
  if (limitMs === undefined) return summaryRow(finding);
  const value = missed > 0 ? Number.NaN : p99 / 1e6;
  return summaryRow({ ...finding, budget: `under ${limitMs} ms (p99)`, value });
};

export const summaryOf = ({ singles, cancels, batches, open }: OrderFigures): SummaryRow[] => [
  ...ratioRows('POST /order, durable, a second', singles, BUDGETS.singles),
  ...ratioRows('DELETE /order, durable, a second', cancels, BUDGETS.cancels),
  summaryRow({
    what: 'POST /orders of 15, orders a second',
    ours: speedText(speedOf(batches)),
  }),
  percentileRow(open.half, BUDGETS.halfP99Ms),
  percentileRow(open.full),
  percentileRow(open.halfBatches, BUDGETS.halfP99Ms),
];
