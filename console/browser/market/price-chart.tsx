/** Prices over time: one line for an outcome, or several for the outcomes of an event. */
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import {
  courseOf,
  historyColumns,
  historyQuery,
  PRICE_RANGES,
  type PriceColumns,
  type PriceRange,
  RANGE_TEXTS,
  RANGES,
  withLatest,
} from '../charts/history-columns.ts';
import { drawMarks, type PriceMarks } from '../charts/marks.ts';
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
  stepsTo,
  timeTexts,
  useResource,
} from '../kit/index.ts';
import type { Outcome } from '../streams/market-book.ts';
import type { MarketView } from '../streams/market-feed.ts';
import { send } from '../wire/index.ts';
import { useWhileBookChanges } from './while-book-changes.ts';

const HISTORY_EVERY_MS = 60_000;
const LEAST_WIDTH_S = 60;
/** A range is told by so many changes of a price; with fewer, a longer range is chosen. */
const ENOUGH_CHANGES = 12;
/** Of the lines of an event; a single line has the first. */
const COLORS = ['--accent', '--own', '--buy', '--sell', '--muted'] as const;
/** The most lines of a chart. */
export const MOST_LINES = COLORS.length;

export interface ChartLine {
  readonly tokenId: string;
  readonly name: string;
  readonly outcome: Outcome;
  /** Undefined until the page follows the market. */
  readonly view: MarketView | undefined;
}

/** The middle of the book of an outcome; its last price while a side is empty. */
export function currentTicks({ book, terms }: MarketView, outcome: Outcome): number | undefined {
  const [bid, ask] = [book.best(0, 'bid'), book.best(0, 'ask')];
  const last = terms.peek().lastPriceTicks;
  const ticks = bid !== undefined && ask !== undefined ? (bid + ask) / 2 : last;
  return ticks === undefined || outcome === 0 ? ticks : ONE_TICKS - ticks;
}

function optionsOf(count: number) {
  return (colorOf: ColorOf, paths: typeof uPlot.paths): PlotOptions => ({
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
      ...COLORS.slice(0, count).map((name) => ({
        stroke: colorOf(name),
        width: 2,
        ...(count === 1 ? { fill: `${colorOf(name)}1f` } : {}),
        points: { show: false },
        // A price stays until it changes.
        ...stepsTo(1, paths),
      })),
    ],
    hooks: { setCursor: [showCursor] },
  });
}

/** Writes what the cursor points at into the head of the chart's panel. */
function showCursor({ cursor, data, root }: uPlot): void {
  const [times = [], ...lines] = data;
  const place = cursor.idx ?? -1;
  const timeS = times[place];
  const output = root.closest('.chart')?.querySelector('.chart-cursor');
  if (output === null || output === undefined) return;
  const prices = lines.map((line) => line[place] ?? Number.NaN);
  output.textContent =
    timeS === undefined
      ? ''
      : `${localTime(timeS * 1000).slice(0, 16)} · ${prices.map(cents).join(', ')}`;
}

/** A single point has no width: the line begins a minute before it. */
function drawable(columns: PriceColumns): PriceColumns {
  const [times, ...prices] = columns;
  const [only] = times;
  if (only === undefined || times.length > 1) return columns;
  return [[only - LEAST_WIDTH_S, only], ...prices.map((column) => [...column, ...column])];
}

interface History {
  readonly range: PriceRange;
  readonly columns: PriceColumns;
  readonly knownUntilS: number;
  /** The exchange's clock is so far ahead of this machine's. */
  readonly aheadMs: number;
}

type TokenIds = readonly string[];

async function fetchRange(tokenIds: TokenIds, range: PriceRange, signal: AbortSignal) {
  const nowMs = 1000 * (await send({ method: 'GET', path: '/time', signal }));
  const { fidelity } = RANGES[range];
  const { history } = await send({
    method: 'POST',
    path: '/batch-prices-history',
    body: { ...historyQuery(range, nowMs), markets: tokenIds, fidelity },
    signal,
  });
  const courses = tokenIds.map((id) => courseOf(history[id] ?? [], 60 * fidelity, nowMs / 1000));
  const columns = historyColumns(courses);
  return { range, columns, knownUntilS: columns[0].at(-1) ?? 0, aheadMs: nowMs - Date.now() };
}

function changesOf([, ...lines]: PriceColumns): number {
  const counts = lines.map(
    (line) => line.filter((price, place) => place > 0 && price !== line[place - 1]).length,
  );
  return Math.max(0, ...counts);
}

/** The shortest range from `first` on with enough changes, or the whole history. */
async function fetchShortest(
  tokenIds: TokenIds,
  first: PriceRange,
  signal: AbortSignal,
): Promise<History> {
  let best: History | undefined;
  for (const range of PRICE_RANGES.slice(PRICE_RANGES.indexOf(first))) {
    const next = await fetchRange(tokenIds, range, signal);
    const count = changesOf(next.columns);
    if (count >= ENOUGH_CHANGES) return next;
    // Longer ranges have longer steps: those of a new market show less.
    if (best === undefined || count > changesOf(best.columns)) best = next;
  }
  return best as History; // There is at least one range.
}

interface LinesProps {
  readonly lines: readonly ChartLine[];
  readonly history: History;
  readonly marks: Omit<PriceMarks, 'tags'>;
}

const NO_MARKS: LinesProps['marks'] = { volumes: [], fills: [] };

function Keys({ lines, data }: { lines: readonly ChartLine[]; data: PriceColumns }) {
  return (
    <p class={`chart-keys ${lines.length === 1 ? 'alone' : ''}`}>
      {lines.map(({ tokenId, name }, line) => {
        const prices = (data[line + 1] ?? []).filter((price) => price !== null);
        const [first, last] = [prices[0], prices.at(-1)];
        if (first === undefined || last === undefined) return null;
        const moved = Math.round((last - first) * ONE_TICKS) / ONE_TICKS;
        const sign = moved > 0 ? '▲' : '▼';
        return (
          <span key={tokenId}>
            <i style={{ background: `var(${COLORS[line]})` }} /> {name} <b>{cents(last)}</b>{' '}
            {moved !== 0 && (
              <span class={moved > 0 ? 'buy-text' : 'sell-text'}>
                {sign} {cents(Math.abs(moved))}
              </span>
            )}
          </span>
        );
      })}
    </p>
  );
}

function Lines({ lines, history: { columns, knownUntilS, aheadMs }, marks }: LinesProps) {
  const data = useWhileBookChanges(lines.map(({ view }) => view), () => {
    const nowS = Math.floor((Date.now() + aheadMs) / 1000);
    const latest = lines.map(({ view, outcome }) => {
      const ticks = view === undefined ? undefined : currentTicks(view, outcome);
      return ticks === undefined ? null : ticks / ONE_TICKS;
    });
    return drawable(withLatest(columns, nowS, latest, knownUntilS));
  }, [columns]);
  const options = useMemo(() => optionsOf(lines.length), [lines.length]);
  const known = lines.flatMap(({ name }, line) => {
    const prices = (data[line + 1] ?? []).filter((price) => price !== null);
    const [first, last] = [prices[0], prices.at(-1)];
    return first === undefined || last === undefined ? [] : [{ name, first, last, line }];
  });
  if (known.length === 0) return <Empty>There is no price yet.</Empty>;
  const label = known
    .map(
      ({ name, first, last }) =>
        `The price of ${name} went from ${cents(first)} to ${cents(last)}.`,
    )
    .join(' ');
  const tags = known.map(({ last, line }) => ({
    price: last,
    text: cents(last),
    color: COLORS[line] ?? '',
  }));
  return (
    <>
      <Keys lines={lines} data={data} />
      <Plot
        label={label}
        options={options}
        data={data}
        draw={(plot, colorOf) => drawMarks(plot, colorOf, { ...marks, tags })}
      />
    </>
  );
}

interface PriceChartProps {
  /** At most `MOST_LINES`. */
  readonly lines: readonly ChartLine[];
  readonly marks?: LinesProps['marks'];
}

/** Until a person chooses a range, it is the shortest one that tells something. */
export function PriceChart({ lines, marks = NO_MARKS }: PriceChartProps) {
  const chosen = useSignal<PriceRange | undefined>(undefined);
  const found = useRef<PriceRange>('1h');
  const tokenIds = lines.map(({ tokenId }) => tokenId);
  const history = useResource(
    async (signal): Promise<History> => {
      if (chosen.value !== undefined) return fetchRange(tokenIds, chosen.value, signal);
      const shortest = await fetchShortest(tokenIds, found.current, signal);
      found.current = shortest.range;
      return shortest;
    },
    [tokenIds.join(), chosen.value],
    { everyMs: HISTORY_EVERY_MS },
  );
  const now = history.now.value;
  const range = chosen.value ?? (now.state === 'ready' ? now.value.range : '1h');
  return (
    <>
      <div class="row apart">
        <Segments
          label="Range"
          value={range}
          options={PRICE_RANGES.map((one) => [one, RANGE_TEXTS[one]] as const)}
          onChange={setter(chosen)}
        />
        <span class="chart-cursor muted" aria-hidden="true" />
      </div>
      <Loaded resource={history}>
        {(value) => <Lines lines={lines} history={value} marks={marks} />}
      </Loaded>
    </>
  );
}
