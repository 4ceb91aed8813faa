/** The tables of `npm run bench -- orders`, and its rows in the table of a whole run. */
import { cpus } from 'node:os';
import type { ClosedRound } from '../harness/closed-loop.ts';
import { fixed, inMs, ratioText, speedText, whole } from '../harness/print.ts';
import { spreadBy, sumOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type { OpenRound } from './open-rounds.ts';
import type { Compared, Turns } from './rounds.ts';

export interface OrderFigures {
  readonly singles: Turns;
  readonly cancels: Turns;
  readonly batches: readonly ClosedRound[];
  readonly open: Readonly<Record<'half' | 'full' | 'halfBatches', readonly OpenRound[]>>;
}

type Rows = string[][];
const BUDGETS = { singles: [20, 30], cancels: [10], halfP99Ms: 25 } as const;

function medianOf(rounds: readonly ClosedRound[], of: (round: ClosedRound) => number): number {
  return spreadBy(rounds, of).median;
}

function closedRow(what: string, rounds: readonly ClosedRound[], compared?: Compared): string[] {
  return [
    what,
    speedText(spreadBy(rounds, ({ perSecond }) => perSecond)),
    compared === undefined ? '-' : ratioText(compared.ratio),
    fixed(
      medianOf(rounds, ({ serverMicros }) => serverMicros),
      0,
    ),
    compared === undefined ? '-' : ratioText(compared.work),
    fixed(
      medianOf(rounds, ({ loadMicros }) => loadMicros),
      0,
    ),
    inMs(medianOf(rounds, ({ latencyNs }) => latencyNs.p50)),
    inMs(medianOf(rounds, ({ latencyNs }) => latencyNs.p99)),
  ];
}

export function closedTable({ singles, cancels, batches }: OrderFigures): Rows {
  const rows = (what: string, { ours, reference, floor }: Turns): Rows => [
    closedRow(what, ours.rounds, ours),
    closedRow('  the floor', floor.rounds, floor),
    closedRow('  the reference', reference),
  ];
  return [
    ['closed loop', 'a second', 'ratio', 'server us', 'work ratio', 'load us', 'p50 ms', 'p99 ms'],
    ...rows('POST /order', singles),
    ...rows('DELETE /order', cancels),
    closedRow('POST /orders of 15, orders', batches),
  ];
}

/** What the processors can do if they are never idle. The reference has one thread. */
export function limitsText(what: string, { ours, floor, reference }: Turns): string {
  const processors = cpus().length;
  const referenceMicros = medianOf(reference, ({ serverMicros }) => serverMicros);
  const limit = ({ rounds }: Compared): string => {
    const micros = medianOf(rounds, ({ serverMicros, loadMicros }) => serverMicros + loadMicros);
    const times = fixed((processors * referenceMicros) / micros, 1);
    const most = whole((processors * 1e6) / micros);
    return `${fixed(micros, 0)} us, at most ${most} a second, ${times} times`;
  };
  return (
    `${what}, server and autocannon on ${processors} processors that are never idle, beside one ` +
    `thread of the reference (${whole(1e6 / referenceMicros)} a second):\n` +
    `  ours ${limit(ours)}\n  the floor ${limit(floor)}`
  );
}

/** Shows in which threads ours takes more time than the floor. */
export function threadTable({ singles, cancels }: OrderFigures): Rows {
  const columns = [singles.ours, singles.floor, cancels.ours, cancels.floor];
  const rounds = columns.flatMap((column) => column.rounds);
  const names = new Set(rounds.flatMap(({ threadMicros }) => Object.keys(threadMicros)));
  const rows = [...names]
    .map((name) => {
      const micros = ({ rounds }: Compared): number =>
        medianOf(rounds, ({ threadMicros }) => threadMicros[name] ?? 0);
      return [name, columns.map(micros)] as const;
    })
    .filter(([, values]) => values.some((value) => value >= 0.5))
    .sort(([, [a = 0]], [, [b = 0]]) => b - a);
  return [
    ['us by thread, full load', 'POST ours', 'the floor', 'DELETE ours', 'the floor'],
    ...rows.map(([name, values]) => [name, ...values.map((value) => fixed(value, 1))]),
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
        fixed(round.serverMicros, 0),
      ];
    }),
  ];
}

/** One row for each budget, then the floor, which has none. */
function ratioRows(what: string, turns: Turns, budgets: readonly number[]): SummaryRow[] {
  const finding = ({ perSecond, ratio }: Compared) => ({
    ours: speedText(perSecond),
    reference: speedText(turns.referencePerSecond),
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
