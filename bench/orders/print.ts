/** The tables of `npm run bench -- orders`, and its rows in the table of a whole run. */
import { cpus } from 'node:os';
import type { ClosedRound } from '../harness/closed-loop.ts';
import { fixed, inMs, ratioText, speedText, whole } from '../harness/print.ts';
import { spreadBy, sumOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type { OpenRound } from './open-rounds.ts';
import type { ComparedOrders } from './rounds.ts';

export interface OrderFigures {
  readonly singles: ComparedOrders;
  readonly cancels: ComparedOrders;
  readonly batches: readonly ClosedRound[];
  readonly open: Readonly<Record<'half' | 'full' | 'halfBatches', readonly OpenRound[]>>;
}

type Rows = string[][];
const BUDGETS = { singles: [20, 30], cancels: [10], halfP99Ms: 25 } as const;

function medianOf(rounds: readonly ClosedRound[], of: (round: ClosedRound) => number): number {
  return spreadBy(rounds, of).median;
}

function closedRow(what: string, rounds: readonly ClosedRound[], ratios = ['-', '-']): string[] {
  const [ratio = '', work = ''] = ratios;
  const micros = medianOf(rounds, (round) => round.micros);
  const loadMicros = medianOf(rounds, (round) => round.loadMicros);
  const p50 = medianOf(rounds, ({ latencyNs }) => latencyNs.p50);
  const p99 = medianOf(rounds, ({ latencyNs }) => latencyNs.p99);
  const speed = speedText(spreadBy(rounds, ({ perSecond }) => perSecond));
  return [what, speed, ratio, fixed(micros, 0), work, fixed(loadMicros, 0), inMs(p50), inMs(p99)];
}

export function closedTable({ singles, cancels, batches }: OrderFigures): Rows {
  const rows = (what: string, { rounds, ratio, work }: ComparedOrders): Rows => {
    const [ours, bare] = [rounds.map((pair) => pair.ours), rounds.map((pair) => pair.bare)];
    const ratios = [ratioText(ratio), ratioText(work)];
    return [closedRow(what, ours, ratios), closedRow('  the reference', bare)];
  };
  return [
    ['closed loop', 'a second', 'ratio', 'server us', 'work ratio', 'load us', 'p50 ms', 'p99 ms'],
    ...rows('POST /order', singles),
    ...rows('DELETE /order', cancels),
    closedRow('POST /orders of 15, orders', batches),
  ];
}

/** What the processors can do if they are never idle. The reference has one thread. */
export function limitsText(what: string, { rounds }: ComparedOrders): string {
  const processors = cpus().length;
  const micros = spreadBy(rounds, ({ ours }) => ours.micros + ours.loadMicros).median;
  const bareMicros = spreadBy(rounds, ({ bare }) => bare.micros).median;
  const times = fixed((processors * bareMicros) / micros, 1);
  return (
    `${what}: ${fixed(micros, 0)} us with autocannon; ${processors} processors that are never ` +
    `idle let through ${whole((processors * 1e6) / micros)} a second, ${times} times one thread ` +
    `of the reference (${whole(1e6 / bareMicros)} a second)`
  );
}

/** Processor time of each thread of the program for one order and for one cancel. */
export function threadTable({ singles, cancels }: OrderFigures): Rows {
  const columns = [singles, cancels].map(({ rounds }) => rounds.map(({ ours }) => ours));
  const names = new Set(columns.flat().flatMap((round) => Object.keys(round.threadMicros)));
  const rows = [...names]
    .map((name) => {
      const values = columns.map((rounds) =>
        medianOf(rounds, (one) => one.threadMicros[name] ?? 0),
      );
      return { name, values };
    })
    .filter(({ values }) => values.some((value) => value >= 0.05))
    .sort((left, right) => right.values[0]! - left.values[0]!);
  return [
    ['us by thread, full load', 'POST', 'DELETE'],
    ...rows.map(({ name, values }) => [name, ...values.map((value) => fixed(value, 1))]),
  ];
}

const OPEN_HEAD =
  'open loop|orders/s|p50 ms|p99 ms|p99.9 ms|longest|refused|errors|late ms|server us'.split('|');

export function openTable({ open }: OrderFigures): Rows {
  return [
    OPEN_HEAD,
    ...[...open.half, ...open.full, ...open.halfBatches].map((round) => {
      const { p50, p99, p999, longest } = round.latencyNs;
      return [
        round.what,
        whole(round.perSecond),
        ...[p50, p99, p999, longest].map((latency) => inMs(latency)),
        whole(round.refused),
        whole(round.errors),
        fixed(round.lateMs, 1),
        fixed(round.micros, 0),
      ];
    }),
  ];
}

/** One row for each budget. */
function ratioRows(
  what: string,
  { ours, bare, ratio }: ComparedOrders,
  budgets: readonly number[],
): SummaryRow[] {
  return budgets.map((least) =>
    summaryRow({
      what: `${what}, durable, a second`,
      ours: speedText(ours),
      reference: speedText(bare),
      ratio,
      budget: `at least ${least} times`,
      value: ratio.median,
    }),
  );
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

export function summaryOf({ singles, cancels, batches, open }: OrderFigures): SummaryRow[] {
  return [
    ...ratioRows('POST /order', singles, BUDGETS.singles),
    ...ratioRows('DELETE /order', cancels, BUDGETS.cancels),
    summaryRow({
      what: 'POST /orders of 15, orders a second',
      ours: speedText(spreadBy(batches, ({ perSecond }) => perSecond)),
    }),
    percentileRow(open.half, BUDGETS.halfP99Ms),
    percentileRow(open.full),
    percentileRow(open.halfBatches, BUDGETS.halfP99Ms),
  ];
}
