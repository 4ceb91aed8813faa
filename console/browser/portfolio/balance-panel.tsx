/** The balance of an account over time: all of it, and the cash in it. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { PRICE_RANGES, type PriceRange, RANGE_TEXTS } from '../charts/history-columns.ts';
import {
  axisOf,
  type ColorOf,
  Empty,
  Loaded,
  localTime,
  Plot,
  type PlotOptions,
  Segments,
  setter,
  short,
  shown,
  stepsTo,
  timeTexts,
  useResource,
} from '../kit/index.ts';
import { shortMoney } from '../trading/units.ts';
import { type BalanceOwner, type BalancePoint, fetchBalances } from './balance-history.ts';
import { PORTFOLIO_TIMES } from './use-pages.ts';

const MICROS_PER_UNIT = 1_000_000;

/** Narrower axes would have several marks of the same minute. */
const LEAST_WIDTH_S = 1_200;

/** Times, totals and cash; the amounts are drawn only, so they may be floats. */
type Columns = [times: number[], totals: number[], cash: number[]];

/** A tenth of the height is left free at both ends; a line that does not move has $1 around. */
function withRoom(low: number, high: number): [number, number] {
  const room = Math.max((high - low) / 10, 1);
  return [Math.max(0, low - room), high + room];
}

/** As many decimals as the marks of the axis need to differ. */
function amountTexts(amounts: readonly number[]): string[] {
  const [first = 0, second = 0] = amounts;
  const isFine = Math.abs(second - first) < 1;
  const isHuge = Math.abs(second - first) >= MICROS_PER_UNIT;
  return amounts.map((amount) => `$${isHuge ? short(amount) : shown(amount, isFine ? 2 : 0)}`);
}

function optionsOf(colorOf: ColorOf, paths: typeof uPlot.paths): PlotOptions {
  const line = (name: string) => ({
    stroke: colorOf(name),
    width: 2,
    points: { show: false },
    ...stepsTo(1, paths),
  });
  return {
    legend: { show: false },
    cursor: { y: false },
    scales: {
      x: { range: (_, first, last) => [Math.min(first, last - LEAST_WIDTH_S), last] },
      y: { range: (_, low, high) => withRoom(low, high) },
    },
    axes: [
      axisOf(colorOf, { values: (_, times) => timeTexts(times) }),
      axisOf(colorOf, {
        side: 1,
        size: 80,
        values: (_, amounts) => amountTexts(amounts),
      }),
    ],
    series: [{}, line('--accent'), line('--own')],
    hooks: { setCursor: [showCursor] },
  };
}

function showCursor({ cursor, data, root }: uPlot): void {
  // Safe: the chart has these columns.
  const [times, totals, cash] = data as Columns;
  const place = cursor.idx ?? -1;
  const [timeS, total, free] = [times[place], totals[place], cash[place]];
  const output = root.closest('.chart')?.querySelector('.chart-cursor');
  if (output === null || output === undefined) return;
  output.textContent =
    timeS === undefined || total === undefined || free === undefined
      ? ''
      : `${money(total)}, cash ${money(free)} · ${localTime(timeS * 1000).slice(0, 16)}`;
}

function money(amount: number): string {
  return shortMoney(Math.round(amount * MICROS_PER_UNIT));
}

function Lines({ points }: { points: readonly BalancePoint[] }) {
  const columns = useMemo(
    (): Columns => [
      points.map(({ timeS }) => timeS),
      points.map(({ totalMicros }) => totalMicros / MICROS_PER_UNIT),
      points.map(({ cashMicros }) => cashMicros / MICROS_PER_UNIT),
    ],
    [points],
  );
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) {
    return <Empty>The account had nothing in this time.</Empty>;
  }
  const label =
    `The total went from ${shortMoney(first.totalMicros)} to ${shortMoney(last.totalMicros)}, ` +
    `the cash in it from ${shortMoney(first.cashMicros)} to ${shortMoney(last.cashMicros)}.`;
  return <Plot label={label} options={optionsOf} data={columns} />;
}

export function BalancePanel({ owner }: { owner: BalanceOwner }) {
  const range = useSignal<PriceRange>('1d');
  const points = useResource(
    (signal) => fetchBalances(owner, range.value, signal),
    [owner.account, range.value],
    { everyMs: PORTFOLIO_TIMES.historyMs },
  );
  return (
    <section class="panel chart" aria-labelledby="balance">
      <div class="row apart">
        <h2 id="balance">Balance over time</h2>
        <span class="chart-cursor muted" aria-hidden="true" />
        <Segments
          label="Range"
          value={range.value}
          options={PRICE_RANGES.map((one) => [one, RANGE_TEXTS[one]] as const)}
          onChange={setter(range)}
        />
      </div>
      <p class="row muted">
        <span class="key-total">Total</span>
        <span class="key-cash">Cash</span>
      </p>
      <Loaded resource={points} lines={6}>
        {(value) => <Lines points={value} />}
      </Loaded>
    </section>
  );
}
