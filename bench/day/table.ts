/** How a trading day is told: a line for each minute, slopes of memory, what was refused. */

import { fixed, printLine, printTable, whole } from '../harness/print.ts';
import type { Percentiles } from '../harness/statistics.ts';
import type { LaneFigures, MinuteFigures } from './recorder.ts';
import type { Look } from './watch.ts';
import type { HeardFigures } from './wishes.ts';

const MINUTE_MS = 60_000;
/** Until then caches fill and code is compiled. */
const SETTLED_MINUTES = 2;

/** What the looks of one minute amount to: of memory the last one, of all else the worst. */
export interface MinuteState {
  readonly residentMb: number;
  readonly anonymousMb: number;
  /** At its lowest, nearest to what is kept: at its highest most of it is garbage. */
  readonly heapLowMb: number;
  readonly heapHighMb: number;
  readonly externalMb: number;
  readonly loopP99Ms: number;
  readonly loopLongestMs: number;
  readonly lagCommands: number;
  readonly lagMs: number;
  readonly auditLagCommands: number;
  readonly liveOrders: number;
  readonly streamKeptMb: number;
  readonly journalMb: number;
  readonly analyticsMb: number;
  /** Processor time of the program a second. */
  readonly processors: number;
}

export function minuteStates(looks: readonly Look[], minutes: number): readonly MinuteState[] {
  return Array.from({ length: Math.ceil(minutes) }, (_, minute) => {
    const within = looks.filter(({ atMs }) => Math.floor(atMs / MINUTE_MS) === minute);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined) throw new Error(`no look in minute ${minute}`);
    const most = (of: (look: Look) => number): number => Math.max(...within.map(of));
    const seconds = (last.atMs - first.atMs) / 1_000;
    const { residentMb, anonymousMb, externalMb, liveOrders } = last;
    const { streamKeptMb, journalMb, analyticsMb } = last;
    return {
      ...{ residentMb, anonymousMb, externalMb, liveOrders },
      ...{ streamKeptMb, journalMb, analyticsMb },
      heapLowMb: -most((look) => -look.heapMb),
      heapHighMb: most((look) => look.heapMb),
      loopP99Ms: most((look) => look.loopP99Ms),
      loopLongestMs: most((look) => look.loopLongestMs),
      lagCommands: most((look) => look.lagCommands),
      lagMs: most((look) => look.lagMs),
      auditLagCommands: most((look) => look.auditLagCommands),
      processors: (last.processorSeconds - first.processorSeconds) / seconds,
    };
  });
}

/** By how much something grows a minute once settled: least squares; NaN of too few looks. */
export function slopeOf(looks: readonly Look[], of: (look: Look) => number): number {
  const settled = looks.filter(({ atMs }) => atMs >= SETTLED_MINUTES * MINUTE_MS);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const times = settled.map(({ atMs }) => atMs / MINUTE_MS);
  const values = settled.map(of);
  const [middle, level] = [mean(times), mean(values)];
  const products = times.map((time, at) => (time - middle) * (values[at]! - level));
  return mean(products) / mean(times.map((time) => (time - middle) ** 2));
}

function ms(nanos: number): string {
  return fixed(nanos / 1e6, nanos < 9.95e6 ? 1 : 0);
}
function four({ p50, p99, p999, longest }: Percentiles): string {
  return [p50, p99, p999, longest].map(ms).join(' / ');
}

export function printLatencies(
  minutes: readonly MinuteFigures[],
  heard: readonly HeardFigures[],
): void {
  printLine('  ms: p50 / p99 / p99.9 / longest');
  printTable([
    ['minute', 'orders', 'cancels', 'reads', 'moves', 'deliveries'],
    ...minutes.map(({ orders, cancels, reads, moves }, minute) => [
      String(minute + 1),
      four(orders),
      four(cancels),
      four(reads),
      four(moves),
      four(heard[minute]!),
    ]),
  ]);
}

export function printRates(
  minutes: readonly MinuteFigures[],
  heard: readonly HeardFigures[],
  seconds: number,
): void {
  const rate = (count: number): string => whole(count / seconds);
  printTable([
    ['minute', 'orders/s', 'in requests/s', 'ids/s cancelled', 'reads/s', 'deliveries/s'],
    ...minutes.map(({ orders, cancels, reads }, minute) => [
      String(minute + 1),
      rate(orders.items),
      rate(orders.requests),
      rate(cancels.items),
      rate(reads.requests),
      rate(heard[minute]!.messages),
    ]),
  ]);
}

export function printStates(states: readonly MinuteState[]): void {
  printTable([
    [
      'minute',
      'resident MB',
      'no file',
      'heap',
      'most',
      'external',
      'streams keep',
      'journal MB',
      'analytics',
      'live orders',
      'loop p99 ms',
      'longest',
      'reads lag',
      'ms',
      'audit lag',
      'processors',
    ],
    ...states.map((state, minute) => [
      String(minute + 1),
      whole(state.residentMb),
      whole(state.anonymousMb),
      whole(state.heapLowMb),
      whole(state.heapHighMb),
      whole(state.externalMb),
      whole(state.streamKeptMb),
      whole(state.journalMb),
      whole(state.analyticsMb),
      whole(state.liveOrders),
      fixed(state.loopP99Ms, 1),
      fixed(state.loopLongestMs, 1),
      whole(state.lagCommands),
      whole(state.lagMs),
      whole(state.auditLagCommands),
      fixed(state.processors, 2),
    ]),
  ]);
}

export function printReads(
  reads: readonly (readonly [read: string, figures: LaneFigures])[],
): void {
  printTable([
    ['read', 'requests', 'p50 ms', 'p99', 'p99.9', 'longest'],
    ...reads.map(([read, { requests, p50, p99, p999, longest }]) => [
      read,
      whole(requests),
      ...[p50, p99, p999, longest].map(ms),
    ]),
  ]);
}
