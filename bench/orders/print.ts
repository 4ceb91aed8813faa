/** The rows of `npm run bench -- orders` in the table of a run, and what it prints beside them. */
import { cpus } from 'node:os';
import type { ClosedRound } from '../harness/closed-loop.ts';
import { fixed, inMs, speedText, whole } from '../harness/print.ts';
import { spreadBy, sumOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type { OpenRound } from './open-rounds.ts';
import type { ComparedOrders } from './rounds.ts';

export interface OrderFigures {
  readonly lone: OpenRound;
  readonly singles: ComparedOrders;
  readonly cancels: ComparedOrders;
  readonly batches: readonly ClosedRound[];
  readonly open: Readonly<Record<'half' | 'full' | 'halfBatches', readonly OpenRound[]>>;
}

const BUDGETS = { singles: 20, cancels: 5, halfP99Ms: 25, loneMs: 1 } as const;

/** What the processors can do if they are never idle. The reference has one thread. */
export function limitsText(what: string, { rounds }: ComparedOrders): string {
  const processors = cpus().length;
  const micros = spreadBy(rounds, ({ ours }) => ours.micros + ours.loadMicros).median;
  const bareMicros = spreadBy(rounds, ({ bare }) => bare.micros).median;
  const times = fixed((processors * bareMicros) / micros, 1);
  return (
    `${what}: ${fixed(micros, 0)} us of processor time, with autocannon. At full use, ` +
    `${processors} processors allow ${whole((processors * 1e6) / micros)}/s: ${times} times one ` +
    `thread of the reference (${whole(1e6 / bareMicros)}/s)`
  );
}

/** Processor time of each thread of the program for one order and for one cancel. */
export function threadTable({ singles, cancels }: OrderFigures): string[][] {
  const columns = [singles, cancels].map(({ rounds }) => rounds.map(({ ours }) => ours));
  const names = new Set(columns.flat().flatMap((round) => Object.keys(round.threadMicros)));
  const rows = [...names]
    .map((name) => {
      const micros = (round: ClosedRound): number => round.threadMicros[name] ?? 0;
      return { name, values: columns.map((rounds) => spreadBy(rounds, micros).median) };
    })
    .filter(({ values }) => values.some((value) => value >= 0.05))
    .sort((left, right) => right.values[0]! - left.values[0]!);
  return [
    ['us by thread, full load', 'POST', 'DELETE'],
    ...rows.map(({ name, values }) => [name, ...values.map((value) => fixed(value, 1))]),
  ];
}

/** Processor time of the open loop, and how late its sender was at most. */
export function openText(rounds: readonly OpenRound[]): string {
  const micros = spreadBy(rounds, (round) => round.micros).median;
  const lateMs = Math.max(...rounds.map((round) => round.lateMs));
  return (
    `${rounds[0]?.what}: ${fixed(micros, 0)} us of the program's processor time an order, the ` +
    `sender at most ${fixed(lateMs, 1)} ms late`
  );
}

/** The speed, which has the budget, then processor time. */
function comparedRows(
  what: string,
  { rounds, ours, bare, ratio, work }: ComparedOrders,
  leastTimes: number,
): SummaryRow[] {
  const micros = (of: (pair: (typeof rounds)[number]) => number): string =>
    `${fixed(spreadBy(rounds, of).median, 0)} us`;
  const speeds = { ours: speedText(ours), reference: speedText(bare), ratio };
  return [
    summaryRow({
      what: `${what}, a second`,
      ...speeds,
      budget: `at least ${leastTimes} times`,
      value: ratio.median,
    }),
    summaryRow({
      what: `${what}, processor time`,
      ours: micros((pair) => pair.ours.micros),
      reference: micros((pair) => pair.bare.micros),
      ratio: work,
    }),
  ];
}

/** Medians of the rounds. With refused requests the percentiles cannot meet a budget. */
function percentileRow(rounds: readonly OpenRound[], limitMs?: number): SummaryRow {
  const of = (key: 'p50' | 'p99' | 'p999') => spreadBy(rounds, ({ latencyNs }) => latencyNs[key]);
  const [p50, p99, p999] = [of('p50').median, of('p99'), of('p999').median];
  const missed = sumOf(rounds, ({ refused, errors }) => refused + errors);
  const refusedText = missed > 0 ? `, ${whole(missed)} refused` : '';
  const spread = `${inMs(p99.median)} (${inMs(p99.lowest)}..${inMs(p99.highest)})`;
  const finding = {
    what: `${rounds[0]?.what}, p50 / p99 / p99.9`,
    ours: `${inMs(p50)} / ${spread} / ${inMs(p999)} ms${refusedText}`,
  };
  if (limitMs === undefined) return summaryRow(finding);
  const value = missed > 0 ? Number.NaN : p99.median / 1e6;
  return summaryRow({ ...finding, budget: `under ${limitMs} ms (p99)`, value });
}

export function summaryOf({ lone, singles, cancels, batches, open }: OrderFigures): SummaryRow[] {
  const loneMs = lone.latencyNs.p50 / 1e6;
  return [
    summaryRow({
      what: 'a lone POST /order on an idle exchange, median',
      ours: `${fixed(loneMs, 2)} ms`,
      budget: `under ${BUDGETS.loneMs} ms`,
      value: lone.errors + lone.refused > 0 ? Number.NaN : loneMs,
    }),
    ...comparedRows('POST /order, durable', singles, BUDGETS.singles),
    ...comparedRows('DELETE /order, durable', cancels, BUDGETS.cancels),
    summaryRow({
      what: 'POST /orders of 15, orders a second',
      ours: speedText(spreadBy(batches, ({ perSecond }) => perSecond)),
    }),
    percentileRow(open.half, BUDGETS.halfP99Ms),
    percentileRow(open.full),
    percentileRow(open.halfBatches, BUDGETS.halfP99Ms),
  ];
}
