/** The charts of a market: its price over time, and the depth of its book. */

import { effect, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import {
  courseOf,
  type DepthColumns,
  depthColumns,
  historyColumns,
  historyQuery,
  PRICE_RANGES,
  type PriceColumns,
  type PricePoint,
  type PriceRange,
  RANGE_TEXTS,
  RANGES,
  withLatest,
} from '../charts/history-columns.ts';
import { ONE_TICKS } from '../decimal/index.ts';
import {
  axisOf,
  type ColorOf,
  cents,
  Empty,
  Loaded,
  localTime,
  Plot,
  type PlotOptions,
  Segments,
  setter,
  short,
  stepsTo,
  Tabs,
  timeTexts,
  useResource,
} from '../kit/index.ts';
import type { Outcome } from '../streams/market-book.ts';
import type { MarketView } from '../streams/market-feed.ts';
import { send } from '../wire/index.ts';
import type { Desk } from './use-sending.ts';

const HISTORY_EVERY_MS = 60_000;
const DRAW_EVERY_MS = 500;

const LEAST_WIDTH_S = 60;

function priceOptions(colorOf: ColorOf, paths: typeof uPlot.paths): PlotOptions {
  const color = colorOf('--accent');
  return {
    legend: { show: false },
    cursor: { y: false },
    scales: {
      y: { range: (_, low, high) => [Math.max(0, low - 0.02), Math.min(1, high + 0.02)] },
    },
    axes: [
      axisOf(colorOf, { values: (_, times) => timeTexts(times) }),
      axisOf(colorOf, { side: 1, size: 56, values: (_, prices) => prices.map(cents) }),
    ],
    series: [
      {},
      {
        stroke: color,
        width: 2,
        fill: `${color}1f`,
        points: { show: false },
        // A price stays until it changes.
        ...stepsTo(1, paths),
      },
    ],
    hooks: { setCursor: [showCursor] },
  };
}

/** Writes what the cursor points at into the title of the chart's panel. */
function showCursor(plot: { cursor: { idx?: number | null }; data: unknown; root: Element }): void {
  // Safe: the chart of prices has these two columns.
  const [times, prices] = plot.data as [number[], (number | null)[]];
  const place = plot.cursor.idx ?? -1;
  const [timeS, price] = [times[place], prices[place]];
  const output = plot.root.closest('.chart')?.querySelector('.chart-cursor');
  if (output === null || output === undefined) return;
  output.textContent =
    timeS === undefined || price === null || price === undefined
      ? ''
      : `${cents(price)} · ${localTime(timeS * 1000).slice(0, 16)}`;
}

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

/** The middle of the book as the outcome sees it; its last price while a side is empty. */
function currentPrice({ book, terms }: MarketView, outcome: Outcome): number | null {
  const [bid, ask] = [book.best(0, 'bid'), book.best(0, 'ask')];
  const last = terms.peek().lastPriceTicks;
  const ticks = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : last;
  if (ticks === undefined) return null;
  return (outcome === 0 ? ticks : ONE_TICKS - ticks) / ONE_TICKS;
}

/** A single point has no width: the line begins a minute before it. */
function drawable(columns: PriceColumns): PriceColumns {
  const [times, ...prices] = columns;
  const [only] = times;
  if (only === undefined || times.length > 1) return columns;
  return [[only - LEAST_WIDTH_S, only], ...prices.map((column) => [...column, ...column])];
}

interface History {
  readonly columns: PriceColumns;
  readonly knownUntilS: number;
  /** The exchange's clock is so far ahead of this machine's. */
  readonly aheadMs: number;
}

async function fetchHistory(
  tokenId: string,
  range: PriceRange,
  signal: AbortSignal,
): Promise<History> {
  const nowMs = 1000 * (await send({ method: 'GET', path: '/time', signal }));
  const ask = async (of: PriceRange): Promise<readonly PricePoint[]> => {
    const query = { market: tokenId, ...historyQuery(of, nowMs) };
    const request = { method: 'GET', path: '/prices-history', query, signal } as const;
    return courseOf((await send(request)).history, 60 * RANGES[of].fidelity, nowMs / 1000);
  };
  const course = await ask(range);
  // The whole history of a market of a day is better told in the steps of a day.
  const columns = historyColumns([
    range === 'all' && course.length <= 2 ? await ask('1d') : course,
  ]);
  return { columns, knownUntilS: columns[0].at(-1) ?? 0, aheadMs: nowMs - Date.now() };
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

/** What a chart shows, drawn again while the book changes, at most twice a second. */
function useWhileBookChanges<Value>(view: MarketView, read: () => Value, inputs: unknown[]): Value {
  const shown = useMemo(() => signal(read()), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      shown.value = read();
    };
    draw();
    const stop = effect(() => {
      void view.changes.value;
      timer ??= setTimeout(draw, DRAW_EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [view, ...inputs]);
  return shown.value;
}

function PriceLine({ desk, history }: { desk: Desk; history: History }) {
  const { view, ticket, rules } = desk;
  const outcome = ticket.outcome.value;
  const { columns, knownUntilS, aheadMs } = history;
  const data = useWhileBookChanges(view, () => {
    const nowS = Math.floor((Date.now() + aheadMs) / 1000);
    const latest = [currentPrice(view, outcome)];
    return drawable(withLatest(columns, nowS, latest, knownUntilS));
  }, [columns, outcome]);
  const prices = (data[1] ?? []).filter((price) => price !== null);
  const [first, last] = [prices[0], prices.at(-1)];
  if (first === undefined || last === undefined) return <Empty>There is no price yet.</Empty>;
  const name = rules.value.outcomes[outcome];
  const label = `The price of ${name} went from ${cents(first)} to ${cents(last)}.`;
  return <Plot label={label} options={priceOptions} data={data} />;
}

function PriceChart({ desk }: { desk: Desk }) {
  const { ticket, rules } = desk;
  const range = useSignal<PriceRange>('1d');
  const tokenId = rules.value.tokenIds[ticket.outcome.value];
  const history = useResource(
    (signal) => fetchHistory(tokenId, range.value, signal),
    [tokenId, range.value],
    { everyMs: HISTORY_EVERY_MS },
  );
  return (
    <>
      <div class="row apart">
        <Segments
          label="Range"
          value={range.value}
          options={PRICE_RANGES.map((one) => [one, RANGE_TEXTS[one]] as const)}
          onChange={setter(range)}
        />
        <span class="chart-cursor muted" aria-hidden="true" />
      </div>
      <Loaded resource={history}>{(value) => <PriceLine desk={desk} history={value} />}</Loaded>
    </>
  );
}

function DepthChart({ desk: { view, ticket, rules } }: { desk: Desk }) {
  const outcome = ticket.outcome.value;
  const data = useWhileBookChanges<DepthColumns>(
    view,
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
        {chosen.value === 'price' ? <PriceChart desk={desk} /> : <DepthChart desk={desk} />}
      </Tabs>
    </section>
  );
}
