/** The charts of a market: its price over time, and the depth of its book. */

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import { MICROS_PER_UNIT } from '../../../engine/model/index.ts';
import { type DepthColumns, depthColumns } from '../charts/history-columns.ts';
import { ONE_TICKS } from '../decimal/index.ts';
import { ownAccounts } from '../identity/index.ts';
import {
  axisOf,
  type ColorOf,
  cents,
  Empty,
  Plot,
  type PlotOptions,
  setter,
  short,
  stepsTo,
  Tabs,
} from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { fillsOf } from '../trading/fills.ts';
import { PriceChart } from './price-chart.tsx';
import type { Desk } from './use-sending.ts';
import { useWhileBookChanges } from './while-book-changes.ts';

function depthOptions(colorOf: ColorOf, paths: typeof uPlot.paths): PlotOptions {
  const side = (name: 'buy' | 'sell', align: 1 | -1) => ({
    stroke: colorOf(`--${name}`),
    fill: colorOf(`--${name}-depth`),
    width: 2,
    ...stepsTo(align, paths),
    points: { show: false },
  });
  return {
    legend: { show: false },
    cursor: { y: false },
    scales: { x: { time: false }, y: { range: (_, _low, high) => [0, high * 1.05 || 1] } },
    axes: [
      axisOf(colorOf, { values: (_, prices) => prices.map(cents) }),
      axisOf(colorOf, { side: 1, size: 56, values: (_, tokens) => tokens.map(short) }),
    ],
    series: [{}, side('buy', -1), side('sell', 1)],
  };
}

/** A part of the width of the levels is left free at both ends of a depth chart. */
const EDGE_PARTS = 20;
const LEAST_EDGE = 0.01;

/** Continues the outermost steps to both edges, so that a side with one level is visible too. */
function withEdges([prices, bids, asks]: DepthColumns): DepthColumns {
  const [lowest = 0, highest = 1] = [prices[0], prices.at(-1)];
  const edge = Math.max(LEAST_EDGE, (highest - lowest) / EDGE_PARTS);
  return [
    [Math.max(0, lowest - edge), ...prices, Math.min(1, highest + edge)],
    [bids[0] ?? null, ...bids, null],
    [null, ...asks, asks.at(-1) ?? null],
  ];
}

/** The trades that the page knows as bars, and those of the account as points on the line. */
function OutcomeChart({ desk: { view, ticket, rules } }: { desk: Desk }) {
  const { outcomes, tokenIds, conditionId } = rules.value;
  const outcome = ticket.outcome.value;
  const trades = view.trades.value;
  const own = pageStreams().user.trades.value;
  const marks = useMemo(() => {
    const accounts = ownAccounts();
    return {
      volumes: trades.map(
        ({ timeMs, lots, priceTicks }) =>
          [timeMs / 1_000, (lots * priceTicks) / MICROS_PER_UNIT] as const,
      ),
      fills: own
        .filter(({ market }) => market === conditionId)
        .flatMap((trade) => fillsOf(trade, accounts))
        .map((fill) => {
          const isShown = fill.outcome === outcomes[outcome];
          const ticks = isShown ? fill.priceTicks : ONE_TICKS - fill.priceTicks;
          const isBuy = isShown === (fill.side === 'BUY');
          const side = isBuy ? ('BUY' as const) : ('SELL' as const);
          return { timeS: fill.timeMs / 1_000, price: ticks / ONE_TICKS, side };
        }),
    };
  }, [trades, own, outcome]);
  const line = { tokenId: tokenIds[outcome], name: outcomes[outcome], outcome, view };
  return <PriceChart lines={[line]} marks={marks} />;
}

function DepthChart({ desk: { view, ticket, rules } }: { desk: Desk }) {
  const outcome = ticket.outcome.value;
  const data = useWhileBookChanges<DepthColumns>(
    [view],
    () => depthColumns(view.book.levels(outcome, 'bid'), view.book.levels(outcome, 'ask')),
    [outcome],
  );
  const shown = useMemo(() => withEdges(data), [data]);
  const [prices, bids, asks] = data;
  if (prices.length === 0) return <Empty>The book is empty.</Empty>;
  const most = (side: readonly (number | null)[]) => short(Math.max(0, ...side.map(Number)));
  const label =
    `The depth of the book of ${rules.value.outcomes[outcome]}: ` +
    `${most(bids)} tokens are wanted, ${most(asks)} are offered.`;
  return <Plot label={label} options={depthOptions} data={shown} />;
}

export function ChartPanel({ desk }: { desk: Desk }) {
  const chosen = useSignal<'price' | 'depth'>('price');
  return (
    <section class="panel chart" aria-label="Charts">
      <Tabs
        label="Charts"
        tabs={[
          ['price', 'Price'],
          ['depth', 'Depth'],
        ]}
        chosen={chosen.value}
        onChoose={setter(chosen)}
      >
        {chosen.value === 'price' ? <OutcomeChart desk={desk} /> : <DepthChart desk={desk} />}
      </Tabs>
    </section>
  );
}
