/**
 * Price histories as the columns that uPlot draws: times, then the prices of each line.
 *
 * Invariant: times ascend, and all columns are equally long. A line keeps its price until it
 * changes; before its first price it has gaps. Bound: `CHART_BOUNDS.prices` times.
 */

import type uPlot from 'uplot';
import { LOTS_PER_TOKEN, ONE_TICKS } from '../decimal/index.ts';
import type { BookLevel } from '../streams/market-book.ts';

// uPlot as a part of its own, which a page loads when it first draws a chart.

/** The class that draws. A second call answers with the same. */
export async function loadPlot(): Promise<typeof uPlot> {
  return (await import('uplot')).default;
}

/** The most points that a drawing gets: more than a screen has columns adds nothing but work. */
export const CHART_BOUNDS = {
  /** Times of a price chart. */
  prices: 2_000,
  /** Levels of each side of a depth chart. */
  levels: 500,
  /** Points of a sparkline. */
  sparkline: 60,
} as const;

// Leaves points out of a line that has too many, so that it looks the same.
//
// Each of several parts of the line keeps its lowest and its highest value: a short spike stays
// visible. Invariant: the first and the last point stay, and so does the order.

/** The places to keep, ascending, at most `most`. A column may have gaps (null). */
export function placesToKeep(
  columns: readonly (readonly (number | null)[])[],
  length: number,
  most: number,
): readonly number[] {
  if (length <= most) return Array.from({ length }, (_, place) => place);
  const kept = new Set([0, length - 1]);
  const parts = Math.max(1, Math.floor((most - 2) / (2 * Math.max(1, columns.length))));
  for (let part = 0; part < parts; part += 1) {
    const start = Math.floor((part * length) / parts);
    const end = Math.floor(((part + 1) * length) / parts);
    for (const column of columns) {
      for (const place of extremes(column, start, end)) kept.add(place);
    }
  }
  return [...kept].sort((one, other) => one - other);
}

/** The places of the lowest and of the highest value; none where all are gaps. */
function extremes(column: readonly (number | null)[], start: number, end: number): number[] {
  let lowest: number | undefined;
  let highest: number | undefined;
  for (let place = start; place < end; place += 1) {
    const value = column[place] ?? null;
    if (value === null) continue;
    if (lowest === undefined || value < (column[lowest] ?? 0)) lowest = place;
    if (highest === undefined || value > (column[highest] ?? 0)) highest = place;
  }
  return lowest === undefined || highest === undefined ? [] : [lowest, highest];
}

// The depth of a book as the columns that uPlot draws: prices, then how many tokens one could sell
// (bids) or buy (asks) until that price.
//
// Invariant: prices ascend. A bid's sum is of all bids at its price or higher, an ask's of all asks
// at its price or lower; each column has gaps where the other side is. Draw bids as steps to the
// left (`align: -1`), asks as steps to the right (`align: 1`). Bound: `CHART_BOUNDS.levels` a side;
// of more levels the sums are exact at those that are drawn.

export type DepthColumns = [prices: number[], bids: (number | null)[], asks: (number | null)[]];

interface DepthPoint {
  readonly price: number;
  readonly tokens: number;
}

/** The levels of each side, the best first. */
export function depthColumns(
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  most: number = CHART_BOUNDS.levels,
): DepthColumns {
  const below = depthOf(bids, most).reverse();
  const above = depthOf(asks, most);
  const tokens = ({ tokens }: DepthPoint) => tokens;
  return [
    [...below, ...above].map(({ price }) => price),
    [...below.map(tokens), ...above.map(() => null)],
    [...below.map(() => null), ...above.map(tokens)],
  ];
}

function depthOf(levels: readonly BookLevel[], most: number): DepthPoint[] {
  let lots = 0;
  const points = levels.map((level) => {
    lots += level.lots;
    return { price: level.priceTicks / ONE_TICKS, tokens: lots / LOTS_PER_TOKEN };
  });
  // One place is for the last level.
  const step = Math.ceil(points.length / (most - 1));
  return points.filter((_, place) => place % step === 0 || place === points.length - 1);
}

/** A point of `GET /prices-history`: `t` in seconds. */
export interface PricePoint {
  readonly t: number;
  readonly p: number;
}

/**
 * A history with the times at which its values held. The exchange answers the start of each step
 * with the value at its end, and the last step may end after now.
 */
export function courseOf<Point extends { readonly t: number }>(
  history: readonly Point[],
  stepS: number,
  nowS: number,
): readonly Point[] {
  return history.map((point) => ({ ...point, t: Math.min(point.t + stepS, nowS) }));
}

export type PriceColumns = [times: number[], ...prices: (number | null)[][]];

/** Each history in the order of time, as the exchange answers it. */
export function historyColumns(
  histories: readonly (readonly PricePoint[])[],
  most: number = CHART_BOUNDS.prices,
): PriceColumns {
  const times = [...new Set(histories.flatMap((points) => points.map(({ t }) => t)))];
  times.sort((one, other) => one - other);
  const prices = histories.map((points) => pricesAt(points, times));
  const places = placesToKeep(prices, times.length, most);
  const kept = <T>(column: readonly T[]) => places.map((place) => column[place] as T);
  return [kept(times), ...prices.map(kept)];
}

/** The last price of a line at each time. */
function pricesAt(points: readonly PricePoint[], times: readonly number[]): (number | null)[] {
  let next = 0;
  let price: number | null = null;
  return times.map((time) => {
    for (let point = points[next]; point !== undefined && point.t <= time; point = points[next]) {
      price = point.p;
      next += 1;
    }
    return price;
  });
}

/**
 * The columns with the prices of now. A chart that shows the present calls it with each change: the
 * last time moves on, so that the chart does not grow until the next history.
 */
export function withLatest(
  columns: PriceColumns,
  timeS: number,
  latest: readonly (number | null)[],
  knownUntilS: number,
): PriceColumns {
  const [times] = columns;
  const isLive = (times.at(-1) ?? 0) > knownUntilS;
  const end = isLive ? times.length - 1 : times.length;
  if (timeS <= (times[end - 1] ?? Number.NEGATIVE_INFINITY)) return columns;
  const append = <T>(column: readonly T[], value: T) => [...column.slice(0, end), value];
  const [first, ...prices] = columns;
  return [
    append(first, timeS),
    ...prices.map((column, line) => append(column, latest[line] ?? column[end - 1] ?? null)),
  ];
}

/** What a chart can show of the past. */
export const PRICE_RANGES = ['1h', '6h', '1d', '1w', '1m', 'all'] as const;
export type PriceRange = (typeof PRICE_RANGES)[number];

export const RANGE_TEXTS: Readonly<Record<PriceRange, string>> = {
  '1h': '1H',
  '6h': '6H',
  '1d': '1D',
  '1w': '1W',
  '1m': '1M',
  all: 'MAX',
};

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** The length of each range, and the minutes from point to point: 60 to 360 points. */
export const RANGES = {
  '1h': { lengthS: HOUR_S, fidelity: 1 },
  '6h': { lengthS: 6 * HOUR_S, fidelity: 1 },
  '1d': { lengthS: DAY_S, fidelity: 5 },
  '1w': { lengthS: 7 * DAY_S, fidelity: 30 },
  '1m': { lengthS: 30 * DAY_S, fidelity: 180 },
  all: { lengthS: Number.POSITIVE_INFINITY, fidelity: 720 },
} as const;

/**
 * The query of `GET /prices-history`, without its market. It names the start, since `1m` is a
 * minute or a month, depending on the dialect of the exchange.
 */
export function historyQuery(range: PriceRange, nowMs: number): Readonly<Record<string, string>> {
  const { lengthS, fidelity } = RANGES[range];
  if (range === 'all') return { interval: 'max', fidelity: `${fidelity}` };
  return { startTs: `${Math.floor(nowMs / 1000) - lengthS}`, fidelity: `${fidelity}` };
}
