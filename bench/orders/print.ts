/** The tables of `npm run bench -- orders`, and its rows in the table of a whole run. */
import { cpus } from 'node:os';
import { fixed, printLine, printTable, whole } from '../harness/print.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { ratioText, type SummaryRow, speedText, summaryRow } from '../harness/summary.ts';
import type { OpenRound } from './open.ts';
import type { ClosedRound, Compared, Turns } from './rounds.ts';

/** What the bench measured. */
export interface OrderFigures {
  readonly singles: Turns;
  readonly cancels: Turns;
  readonly batches: readonly ClosedRound[];
  /** Rounds of each. */
  readonly open: {
    readonly half: readonly OpenRound[];
    readonly full: readonly OpenRound[];
    readonly halfBatches: readonly OpenRound[];
  };
}

const BUDGETS = { singles: [20, 30], cancels: [10], halfP99Ms: 25 } as const;

function ms(ns: number): string {
  return fixed(ns / 1e6, 1);
}
function medianOf(rounds: readonly ClosedRound[], of: (round: ClosedRound) => number): number {
  return spreadOf(rounds.map(of)).median;
}
function microsText(rounds: readonly ClosedRound[], of: (round: ClosedRound) => number): string {
  return fixed(medianOf(rounds, of), 0);
}
export function speedOf(rounds: readonly ClosedRound[]): Spread {
  return spreadOf(rounds.map(({ perSecond }) => perSecond));
}

function closedRow(what: string, rounds: readonly ClosedRound[], compared?: Compared): string[] {
  return [
    what,
    speedText(speedOf(rounds)),
    compared === undefined ? '-' : ratioText(compared.ratio),
    microsText(rounds, ({ serverMicros }) => serverMicros),
    compared === undefined ? '-' : ratioText(compared.work),
    microsText(rounds, ({ loadMicros }) => loadMicros),
    ms(medianOf(rounds, ({ latencyNs }) => latencyNs.p50)),
    ms(medianOf(rounds, ({ latencyNs }) => latencyNs.p99)),
  ];
}

function closedRows(what: string, { ours, reference, floor }: Turns): string[][] {
  return [
    closedRow(what, ours.rounds, ours),
    closedRow('  the floor', floor.rounds, floor),
    closedRow('  the reference', reference),
  ];
}

export function printClosed({ singles, cancels, batches }: OrderFigures): void {
  printTable([
    ['closed loop', 'a second', 'ratio', 'server us', 'work ratio', 'load us', 'p50 ms', 'p99 ms'],
    ...closedRows('POST /order', singles),
    ...closedRows('DELETE /order', cancels),
    closedRow('POST /orders of 15, orders', batches),
  ]);
  printLine();
  printLimits('POST /order', singles);
  printLimits('DELETE /order', cancels);
  printLine();
}

/** What the processors let through, were none of them ever idle; the reference has one thread. */
function printLimits(what: string, { ours, floor, reference }: Turns): void {
  const processors = cpus().length;
  const referenceMicros = medianOf(reference, ({ serverMicros }) => serverMicros);
  const limit = ({ rounds }: Compared): string => {
    const micros = medianOf(rounds, ({ serverMicros, loadMicros }) => serverMicros + loadMicros);
    const times = fixed((processors * referenceMicros) / micros, 1);
    const most = whole((processors * 1e6) / micros);
    return `${fixed(micros, 0)} us, at most ${most} a second, ${times} times`;
  };
  printLine(`  ${what}, server and autocannon on ${processors} processors that are never idle,`);
  printLine(`  beside one thread of the reference (${whole(1e6 / referenceMicros)} a second):`);
  printLine(`    ours ${limit(ours)}`);
  printLine(`    the floor ${limit(floor)}`);
}

/** Where ours takes more than the floor. */
export function printThreads({ singles, cancels }: OrderFigures): void {
  const columns = [singles.ours, singles.floor, cancels.ours, cancels.floor];
  const names = [
    ...new Set(
      columns.flatMap(({ rounds }) => rounds.flatMap((one) => Object.keys(one.threadMicros))),
    ),
  ];
  const micros = (name: string): number[] =>
    columns.map(({ rounds }) => medianOf(rounds, ({ threadMicros }) => threadMicros[name] ?? 0));
  const rows = names
    .map((name) => [name, micros(name)] as const)
    .filter(([, values]) => values.some((value) => value >= 0.5))
    .sort(([, [a = 0]], [, [b = 0]]) => b - a);
  printTable([
    ['us by thread, full load', 'POST ours', 'the floor', 'DELETE ours', 'the floor'],
    ...rows.map(([name, values]) => [name, ...values.map((value) => fixed(value, 1))]),
  ]);
  printLine();
}

export function printOpen({ open }: OrderFigures): void {
  const rounds = [...open.half, ...open.full, ...open.halfBatches];
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

/** Against each of the budgets, the first one first; then the floor, which has none. */
function ratioRows(what: string, turns: Turns, budgets: readonly number[]): SummaryRow[] {
  const reference = speedText(turns.referencePerSecond);
  const finding = ({ perSecond, ratio }: Compared) => ({
    ours: speedText(perSecond),
    reference,
    ratio,
  });
  return [
    ...budgets.map((least) =>
      summaryRow({
        what: `${what}, durable, a second`,
        ...finding(turns.ours),
        budget: `at least ${least} times`,
        value: turns.ours.ratio.median,
      }),
    ),
    summaryRow({ what: `${what}, only what can't be left out`, ...finding(turns.floor) }),
  ];
}

/** Medians of the rounds. What was refused is told, and its percentiles can't meet a budget. */
function percentileRow(rounds: readonly OpenRound[], limitMs?: number): SummaryRow {
  const of = (key: 'p50' | 'p99' | 'p999') =>
    spreadOf(rounds.map(({ latencyNs }) => latencyNs[key]));
  const [p50, p99, p999] = [of('p50').median, of('p99'), of('p999').median];
  const missed = rounds.reduce((sum, { refused, errors }) => sum + refused + errors, 0);
  const refusedText = missed > 0 ? `, ${whole(missed)} refused` : '';
  const spread = `${ms(p99.median)} (${ms(p99.lowest)}..${ms(p99.highest)})`;
  const finding = {
    what: `${rounds[0]?.what}, p50 / p99 / p99.9`,
    ours: `${ms(p50)} / ${spread} / ${ms(p999)} ms${refusedText}`,
  };
  if (limitMs === undefined) return summaryRow(finding);
  const value = missed > 0 ? Number.NaN : p99.median / 1e6;
  return summaryRow({ ...finding, budget: `under ${limitMs} ms (p99)`, value });
}

export function summaryOf({ singles, cancels, batches, open }: OrderFigures): SummaryRow[] {
  return [
    ...ratioRows('POST /order', singles, BUDGETS.singles),
    ...ratioRows('DELETE /order', cancels, BUDGETS.cancels),
    summaryRow({
      what: 'POST /orders of 15, orders a second',
      ours: speedText(speedOf(batches)),
    }),
    percentileRow(open.half, BUDGETS.halfP99Ms),
    percentileRow(open.full),
    percentileRow(open.halfBatches, BUDGETS.halfP99Ms),
  ];
}
